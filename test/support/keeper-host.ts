/**
 * A host to be killed: `keeper-host.ts MODE ENDPOINT…` starts the servers given as JSON endpoints, passes on the first line each of
 * them prints, and then does what the mode says: `wait` (a minute), `close` the keeper, `exit` without closing it, or, `untold`, start
 * one more process that carries the owner's mark but was never told of, as if it had died between spawn and registration.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { silentLog, systemClock } from '../../src/base/index.ts';
import { createProcessKeeper, type KeptProcess, type StdioEndpoint } from '../../src/wire/index.ts';

const [, , mode, ...endpoints] = process.argv;
const keeper = createProcessKeeper({ clock: systemClock, log: silentLog });

function startUntold(told: KeptProcess, endpoint: StdioEndpoint): KeptProcess['child'] {
  const environment = readFileSync(`/proc/${told.pid}/environ`, 'utf8').split('\0');
  const owner = environment.find((entry) => entry.startsWith('TRESTLE_OWNER='))?.slice('TRESTLE_OWNER='.length);
  const env = { ...endpoint.env, TRESTLE_OWNER: owner };
  return spawn(endpoint.command, [...endpoint.args], { cwd: endpoint.cwd, env, detached: true });
}

async function passOn({ stdout }: Pick<KeptProcess['child'], 'stdout'>): Promise<void> {
  process.stdout.write(await new Promise<Uint8Array>((resolve) => stdout.once('data', resolve)));
}

for (const text of endpoints) {
  const endpoint = JSON.parse(text) as StdioEndpoint;
  const kept = await keeper.start(endpoint, 'thing');
  await passOn(kept.child);
  if (mode === 'untold') await passOn(startUntold(kept, endpoint));
}
if (mode === 'close') await keeper.close();
else if (mode === 'exit') process.exit(0);
else setTimeout(() => process.exit(9), 60_000);
