/** What a call costs with a stored sign-in, beside the same server that wants none: a token that holds needs no look at anything. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRuntime, hasValue, type Outcome } from '../src/index.ts';
import { startSignInServer } from '../test/servers/sign-in.ts';
import { followPages } from '../test/support/follow-pages.ts';
import { temporaryHome } from './home.ts';
import { timeOf } from './start-up.ts';
import { interleaved, microseconds, ms, type Row } from './table.ts';

const calls = 200;
const cli = join(import.meta.dirname, '../dist/cli.js');

export async function measureSignIn(): Promise<readonly Row[]> {
  const [guarded, open] = await Promise.all([startSignInServer(), startSignInServer({ takesAnybody: true })]);
  const home = temporaryHome({ guarded: { url: guarded.url }, open: { url: open.url } });
  writeFileSync(join(home.path, 'settings.json'), '{ "secretStore": "file" }');
  const runtime = createRuntime({ home: home.path, cwd: home.path, reconcile: false });
  const warm = async (server: string): Promise<number> => {
    const startedMs = performance.now();
    for (let count = 0; count < calls; count += 1) checked(await runtime.call({ server, tool: 'whoami' }));
    return (performance.now() - startedMs) / calls;
  };
  const cold = (server: string): Promise<number> => timeOf([cli, 'call', server, 'whoami'], home.path, '1');
  try {
    checked(await runtime.signIn({ server: 'guarded', person: { showPage: followPages } }));
    for (const server of ['guarded', 'open']) checked(await runtime.sync({ server }));
    const figures = await interleaved({
      warm: () => warm('guarded'),
      warmOpen: () => warm('open'),
      cold: () => cold('guarded'),
      coldOpen: () => cold('open'),
    });
    const row = (what: string, [value, other]: readonly [number, number], text: (figure: number) => string): Row => ({
      what,
      value: text(value),
      against: `without ${text(other)}`,
      ratio: value / other,
      bar: 1.1,
    });
    return [
      row('a call with a stored sign-in, in process', [figures.warm, figures.warmOpen], microseconds),
      row('trestle call with a stored sign-in, cold', [figures.cold, figures.coldOpen], ms),
    ];
  } finally {
    await runtime.close();
    await Promise.all([guarded.close(), open.close()]);
    home.remove();
  }
}

function checked(outcome: Outcome<unknown>): void {
  if (!hasValue(outcome)) throw new Error(outcome.failure.message);
}
