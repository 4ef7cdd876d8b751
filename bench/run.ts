/**
 * `npm run bench [part…]`: one table in one run; every figure is the median of nine interleaved rounds. Ratios say more than times,
 * which depend on the machine. Nothing here is a gate.
 */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { measureCalls } from './calls.ts';
import { measureContext } from './context.ts';
import { measureEnds } from './ends.ts';
import { measureInstall } from './install.ts';
import { measureLargeMessages } from './large-messages.ts';
import { measurePi } from './pi.ts';
import { measureRetrieval } from './retrieval.ts';
import { measureSignIn } from './sign-in.ts';
import { measureStartUp } from './start-up.ts';
import { printTable, type Row } from './table.ts';

const parts: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  calls: measureCalls,
  messages: measureLargeMessages,
  start: measureStartUp,
  'sign-in': measureSignIn,
  ends: measureEnds,
  context: measureContext,
  retrieval: measureRetrieval,
  pi: measurePi,
  install: async () => measureInstall(),
};

const wanted = process.argv.slice(2);
execFileSync('npm', ['run', '--silent', 'prepare'], { stdio: 'inherit', shell: process.platform === 'win32' });
const load = loadavg()[0]?.toFixed(1);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    rows.push(...(await measure()));
  } catch (error) {
    // The others took minutes; one part that fails must not lose them.
    console.error(`${name} could not be measured:`, error);
    process.exitCode = 1;
  }
}
console.log(
  `Node.js ${process.version}, ${process.platform}, ${cpus().length} cores, load ${load} before and ${loadavg()[0]?.toFixed(1)} after\n`,
);
printTable(rows);
