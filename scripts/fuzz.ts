/**
 * `npm run fuzz [minutes] [seed]`: every test file with properties again and again, each round with another seed and ten times the runs
 * of an ordinary test run. Ends with the first round that fails and says how to repeat it; 0 minutes is one round.
 */
import { spawn } from 'node:child_process';
import { projectRoot, readProjectFiles } from '../test/support/project-files.ts';

const [wantedMinutes = '10', wantedSeed] = process.argv.slice(2);
const [minutes, firstSeed] = [Number(wantedMinutes), Number(wantedSeed ?? Math.floor(Math.random() * 2 ** 31))];
const times = 10;
/** Known by where they take fast-check from. */
const files = [...readProjectFiles('{src,test}/**/*.test.ts')].flatMap(([path, text]) =>
  text.includes("support/properties.ts'") ? [path] : [],
);
/** One test of a round; what hangs is noticed sooner, by itself. */
const testMs = 15 * 60_000;

function round(seed: number): Promise<boolean> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--reporter=dot', `--testTimeout=${testMs}`];
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: { ...process.env, TRESTLE_FUZZ_SEED: String(seed), TRESTLE_FUZZ_TIMES: String(times) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

if (!(minutes >= 0) || !Number.isSafeInteger(firstSeed)) {
  console.error('npm run fuzz [minutes] [seed]');
  process.exit(2);
}
const endMs = performance.now() + minutes * 60_000;
let seed = firstSeed;
do {
  console.log(`\n== seed ${seed}`);
  if (!(await round(seed))) {
    console.error(`\nFailed. The same again: npm run fuzz 0 ${seed}`);
    process.exit(1);
  }
  seed += 1;
} while (performance.now() < endMs);
console.log(`\n${seed - firstSeed} rounds, seeds ${firstSeed} to ${seed - 1}: nothing found.`);
