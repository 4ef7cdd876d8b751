import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { trestleHome, type TestHome } from '../../../test/support/trestle-home.ts';

const secret = 'hunter2-hunter2';

function indiscreet(): TestHome {
  const script = join(import.meta.dirname, '../../../test/servers/indiscreet.mjs');
  return trestleHome(
    { it: { command: process.execPath, args: [script], env: { API_TOKEN: '${MY_TOKEN}' } } },
    { env: { ...process.env, MY_TOKEN: secret } },
  );
}

it('K4: a secret that a server names in what it says of itself does not come into the registry', async () => {
  const { runtime } = indiscreet();
  await runtime.sync({ server: 'it' });
  const { registryRoot } = runtime.places;
  const files = readdirSync(registryRoot, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(files.length).toBeGreaterThanOrEqual(5);
  expect(files.join('\n')).not.toContain(secret);
  expect(runtime.registry.tool('it', 'tell').value?.description).toBe('Tells [redacted].');
  expect(runtime.registry.meta('it').value?.instructions).toBe('Use [redacted].');
});

it('K4: nor into what a sync and a look tell of it, its list of resources, and its progress', async () => {
  const { runtime } = indiscreet();
  const heard: unknown[] = [];
  const call = await runtime.call({ server: 'it', tool: 'tell', onProgress: (progress) => heard.push(progress) });
  expect(call).toMatchObject({ kind: 'ok' });
  expect(heard).toEqual([{ progress: 1, message: 'has [redacted]' }]);
  const told = [
    await runtime.sync({ server: 'it' }),
    await runtime.inspect({ server: 'it' }),
    await runtime.listResources({ server: 'it' }),
  ];
  expect(told).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }, { kind: 'ok' }]);
  expect(JSON.stringify(told)).not.toContain(secret);
});
