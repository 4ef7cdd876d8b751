/** Daemons that clients start, as they are built. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { daemonHome } from '../support/daemon-home.ts';
import { eventually } from '../support/eventually.ts';
import { leaveHeldLock } from '../support/killed-holder.ts';
import { countingStdio, failureOf, valueOf } from '../support/trestle-home.ts';

function pidOf(runFolder: string): number {
  const text = readFileSync(join(runFolder, 'daemon.json'), 'utf8');
  return (JSON.parse(text) as { readonly process: { readonly pid: number } }).process.pid;
}

it('L7: running requests are finished first; new ones of the same client go to another daemon', async () => {
  const counting = countingStdio();
  const home = daemonHome({ counting: counting.entry });
  const daemon = await home.start();
  const { runtime, notes } = home.client();
  const abort = new AbortController();
  const running = runtime.call({ server: 'counting', tool: 'hang', signal: abort.signal });
  await eventually(() => counting.ran().includes('call hang'));
  daemon.stop();
  expect((await runtime.call({ server: 'counting', tool: 'count' })).kind).toBe('ok');
  expect(pidOf(home.runFolder)).not.toBe(process.pid);
  abort.abort();
  expect(failureOf(await running).kind).toBe('cancelled');
  expect(await daemon.ended).toBe(true);
  expect(notes).toEqual([]);
});

it('L7, R2: whoever was killed while it started a daemon, or became one, holds up nobody', async () => {
  const counting = countingStdio();
  const home = daemonHome({ counting: counting.entry });
  mkdirSync(home.runFolder, { mode: 0o700 });
  const locks = ['start.lock', 'listen.lock'].map((name) => join(home.runFolder, name));
  for (const lock of locks) await leaveHeldLock(lock);
  const { runtime, notes, locals } = home.client();
  expect((await runtime.call({ server: 'counting', tool: 'count' })).kind).toBe('ok');
  expect([notes, locals()]).toEqual([[], 0]);
});

it('R6: what was never synced is synced by a daemon on behalf of whoever started it', async () => {
  const [first, second] = [countingStdio(), countingStdio()];
  const home = daemonHome({ first: first.entry, second: second.entry });
  const { runtime, notes } = home.client();
  valueOf(await runtime.call({ server: 'first', tool: 'count' }));
  await runtime.close();
  await eventually(() => existsSync(join(home.folder, 'registry', 'second', 'meta.json')));
  expect(notes).toEqual([]);
  expect(await home.client().runtime.reload()).toMatchObject({ applied: true });
});
