import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { trestleHome, type TestHome } from '../../../test/support/trestle-home.ts';
import { openSecretStore, type SecretStore } from '../../secrets/index.ts';

/** A server that says what it was given as API_TOKEN, in a home whose secrets are in a file. */
function homeWithSecrets(): TestHome & { readonly store: SecretStore } {
  const script = join(import.meta.dirname, '../../../test/servers/indiscreet.mjs');
  const home = trestleHome({
    it: { command: process.execPath, args: [script], env: { API_TOKEN: '${keychain:it}', COPY: '${keychain:it}' } },
  });
  const { places } = home.runtime;
  writeFileSync(places.settingsFile, '{ "secretStore": "file" }');
  const { stateFolder } = places;
  return { ...home, store: openSecretStore({ stateFolder, env: {}, platform: process.platform, prefer: 'file' }) };
}

it('K5, K4: a server gets what was kept, nothing shown has it, and the registry keeps the reference', async () => {
  const { runtime, store } = homeWithSecrets();
  expect(await runtime.call({ server: 'it', tool: 'tell' })).toMatchObject({
    kind: 'unavailable',
    failure: { code: 'missing_secret', hint: 'Set it: trestle secret set it' },
  });
  await store.set('it', 'first-secret-value');
  const outcome = await runtime.call({ server: 'it', tool: 'tell' });
  expect(outcome).toMatchObject({
    kind: 'ok',
    value: { result: { content: [{ text: expect.stringContaining('first-secret-value') as string }] } },
  });
  expect(outcome).toMatchObject({ value: { shown: { blocks: [{ text: '[redacted] QmVhcmVyIG[redacted]' }] } } });
  expect(runtime.registry.meta('it').value?.transport).toMatchObject({
    env: { API_TOKEN: '${keychain:it}', COPY: '${keychain:it}' },
  });
});

it('K5: a secret that is set anew counts from the next call on, and one that stays costs no new start', async () => {
  const { runtime, store } = homeWithSecrets();
  const pids = async (): Promise<readonly unknown[]> =>
    (await runtime.status()).servers.flatMap(({ entries }) => entries.map(({ info }) => info?.pid));
  await store.set('it', 'first-secret-value');
  await runtime.call({ server: 'it', tool: 'tell' });
  const first = await pids();
  await runtime.call({ server: 'it', tool: 'tell' });
  expect(await pids()).toEqual(first);
  await store.set('it', 'second-secret-value');
  const outcome = await runtime.call({ server: 'it', tool: 'tell' });
  expect(outcome).toMatchObject({
    value: { result: { content: [{ text: expect.stringContaining('second-secret-value') as string }] } },
  });
});
