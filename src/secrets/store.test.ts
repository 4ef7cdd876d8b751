import { fork } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { limits } from '../base/index.ts';
import { makeKeyring, type KeyringVice } from '../../test/support/keyring.ts';
import { openKeyringSession } from '../../test/support/keyring-session.ts';
import { assert, asyncProperty, string } from '../../test/support/properties.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { openSecretStore, type SecretStore, type SecretStoreOptions, secretsStamp } from './index.ts';

/** The store of a home of its own. */
function storeOf(options: Partial<SecretStoreOptions> = {}): SecretStore & { readonly stateFolder: string } {
  const stateFolder = options.stateFolder ?? join(tempFolder(), 'state');
  const store = openSecretStore({
    stateFolder,
    env: process.env,
    platform: process.platform,
    // Not installed, wherever this runs.
    keyring: join(stateFolder, 'no-such-module'),
    ...options,
  });
  return { ...store, stateFolder };
}

const withVice = (vice: KeyringVice, options: Partial<SecretStoreOptions> = {}): SecretStore =>
  storeOf({ keyring: makeKeyring(vice).module, ...options });

const kinds = [
  { kind: 'file', open: () => storeOf() },
  { kind: 'keychain', open: () => storeOf({ keyring: makeKeyring().module }) },
  {
    kind: 'keychain whose items are short',
    open: () => storeOf({ keyring: makeKeyring('none', 1_280).module, platform: 'win32' }),
  },
] as const;

describe.each(kinds)('a store in a $kind', ({ open }) => {
  it('K4: gives back what was set, says what was not, and lists names only', async () => {
    const store = open();
    expect(await store.get('github')).toBeUndefined();
    expect(await store.remove('github')).toBe(false);
    const values = {
      github: 'gh-"quoted" \\ ünicode 🔑\nsecond line',
      'oauth:https://example.com/mcp': 't'.repeat(9_000),
    };
    for (const [name, value] of Object.entries(values)) await store.set(name, value);
    await store.set('__proto__', 'a name like any other');
    for (const [name, value] of Object.entries(values)) expect(await store.get(name)).toBe(value);
    expect(await store.names()).toEqual(['__proto__', 'github', 'oauth:https://example.com/mcp']);
    expect(await store.remove('oauth:https://example.com/mcp')).toBe(true);
    expect(await store.names()).toEqual(['__proto__', 'github']);
  });

  it('K4: can be tried, and is then as it was', async () => {
    const store = open();
    await store.set('github', 'value-of-it');
    const stamp = secretsStamp(store.stateFolder);
    await Promise.all([store.check(), store.check()]);
    expect([await store.names(), await store.get('github')]).toEqual([['github'], 'value-of-it']);
    expect(secretsStamp(store.stateFolder)).toBe(stamp);
    expect(readdirSync(store.stateFolder).filter((name) => name.startsWith('.'))).toEqual([]);
  }, 30_000);

  it('K4: a value that is set again replaces the one before, whatever its length', async () => {
    const store = open();
    for (const value of [
      'short-one',
      `l${'🔑'.repeat(2_500)}`,
      'm'.repeat(2_600),
      'short-two',
      '{"trestleParts":{"count":1}}',
    ]) {
      await store.set('name', value);
      expect(await store.get('name')).toBe(value);
    }
    expect(await store.names()).toEqual(['name']);
  });

  it('K4: what cannot be a name or a value is refused in one sentence', async () => {
    const store = open();
    for (const name of ['', 'with blank', 'part#1', '${x}', 'x'.repeat(500), 'ü']) {
      await expect(store.set(name, 'value-of-it')).rejects.toMatchObject({ code: 'invalid_name' });
      await expect(store.get(name)).rejects.toMatchObject({ code: 'invalid_name' });
    }
    await expect(store.set('name', '\ud83d')).rejects.toMatchObject({ code: 'invalid_arguments' });
    await expect(store.set('name', '')).rejects.toMatchObject({ code: 'invalid_arguments' });
    await expect(store.set('name', 'x'.repeat(limits.secretCharacters + 1))).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
    expect(await store.names()).toEqual([]);
  });

  it('K4: another process is told of a change by the stamp, and of nothing else', async () => {
    const store = open();
    const { stateFolder } = store;
    const empty = secretsStamp(stateFolder);
    await store.set('name', 'value-one');
    const first = secretsStamp(stateFolder);
    await store.get('name');
    await store.names();
    expect(secretsStamp(stateFolder)).toBe(first);
    await store.set('name', 'value-two');
    const second = secretsStamp(stateFolder);
    await store.remove('name');
    expect(new Set([empty, first, second, secretsStamp(stateFolder)]).size).toBe(4);
  });
});

describe('the file', () => {
  it('K4: is only its user’s, and says why it is no keychain', async () => {
    const store = storeOf();
    await store.set('name', 'value-of-it');
    expect(store).toMatchObject({ kind: 'file', why: '@napi-rs/keyring is not installed' });
    expect(store.place).toBe(join(store.stateFolder, 'secrets.json'));
    expect(statSync(store.place).mode & 0o777).toBe(0o600);
    expect(statSync(store.stateFolder).mode & 0o777).toBe(0o700);
  });

  it('K4: one that others can read, a link, or one that is not whole is refused and stays as it is', async () => {
    const store = storeOf();
    await store.set('name', 'value-of-it');
    chmodSync(store.place, 0o644);
    await expect(store.get('name')).rejects.toMatchObject({
      code: 'secrets_unavailable',
      hint: expect.stringContaining('chmod 600') as string,
    });
    chmodSync(store.place, 0o600);
    const torn = readFileSync(store.place, 'utf8').slice(0, -4);
    writeFileSync(store.place, torn);
    await expect(store.set('other', 'value-of-it')).rejects.toMatchObject({ code: 'secrets_unavailable' });
    await expect(store.get('name')).rejects.not.toThrow('value-of-it');
    expect(readFileSync(store.place, 'utf8')).toBe(torn);

    const linked = storeOf();
    await linked.set('name', 'value-of-it');
    const other = storeOf();
    await other.set('any', 'value-of-any');
    await other.remove('any');
    rmSync(other.place);
    symlinkSync(linked.place, other.place);
    await expect(other.get('name')).rejects.toMatchObject({ code: 'secrets_unavailable' });
  });

  it('K4: values of any characters come back as they were', async () => {
    const store = storeOf();
    await assert(
      asyncProperty(string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), async (value) => {
        await store.set('name', value);
        expect(await store.get('name')).toBe(value);
      }),
      { numRuns: 30 },
    );
  });

  it('K4: what a process left that died while it wrote is gone with the next change', async () => {
    const store = storeOf();
    await store.set('a', 'a value');
    const left = (name: string): string => join(store.stateFolder, name);
    writeFileSync(left('.trestle-tmp-secrets-1-x-1'), '{"gone": "a secret that');
    writeFileSync(left('.trestle-tmp-1-x-1'), 'of somebody who may be at work');
    await store.remove('a');
    const files = readdirSync(store.stateFolder).filter((name) => name.startsWith('.trestle-tmp-'));
    expect(files).toEqual(['.trestle-tmp-1-x-1']);
  });

  it('K4: processes that set secrets at once lose none', async () => {
    const store = storeOf();
    const writer = fileURLToPath(new URL('../../test/support/set-secrets.ts', import.meta.url));
    await Promise.all(
      ['a', 'b', 'c'].map(
        (prefix) => new Promise((done) => fork(writer, [store.stateFolder, prefix], { execArgv: [] }).on('exit', done)),
      ),
    );
    const names = ['a', 'b', 'c'].flatMap((prefix) => [0, 1, 2, 3].map((at) => `${prefix}${at}`));
    expect(await store.names()).toEqual(names);
  });
});

describe('the keychain', () => {
  it('K4: is chosen where its package is installed, unless the settings say a file', () => {
    const keyring = makeKeyring().module;
    expect(storeOf({ keyring })).toMatchObject({ kind: 'keychain' });
    expect(storeOf({ keyring }).why).toBeUndefined();
    expect(storeOf({ keyring, prefer: 'file' })).toMatchObject({ kind: 'file', why: 'the settings say so' });
  });

  it('K4: separates homes', async () => {
    const keyring = makeKeyring();
    const one = storeOf({ keyring: keyring.module });
    const other = storeOf({ keyring: keyring.module });
    await one.set('name', 'value-of-one');
    expect(await other.get('name')).toBeUndefined();
    expect(await other.names()).toEqual([]);
    expect(Object.keys(keyring.items())).toEqual([expect.stringContaining(one.stateFolder)]);
  });

  it('K4: what was in the file before is found, and moves when it is set again', async () => {
    const file = storeOf();
    await file.set('old', 'kept-in-file');
    await file.set('moved', 'kept-in-file');
    const keyring = makeKeyring();
    const store = storeOf({ stateFolder: file.stateFolder, keyring: keyring.module });
    expect(await store.get('old')).toBe('kept-in-file');
    await store.set('moved', 'kept-in-keychain');
    expect(await store.get('moved')).toBe('kept-in-keychain');
    expect(await store.names()).toEqual(['moved', 'old']);
    expect(await file.names()).toEqual(['old']);
    expect(await store.remove('old')).toBe(true);
    expect(await file.names()).toEqual([]);
  });

  it.each([
    ['refuses', 'refuse', 'access denied'],
    ['ends its process', 'crash', 'without an answer'],
  ] as const)(
    'K4: one that %s is one clear sentence, and nothing is put into a file instead',
    async (_, vice, says) => {
      const store = withVice(vice);
      const failure = await store.set('name', 'value-of-it').catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'secrets_unavailable',
        message: expect.stringContaining(says) as string,
        hint: expect.stringContaining('"secretStore": "file"') as string,
      });
      expect(JSON.stringify(failure)).not.toContain('value-of-it');
      expect(String(failure)).not.toContain('value-of-it');
      await expect(store.get('name')).rejects.toMatchObject({ code: 'secrets_unavailable' });
      await expect(store.check()).rejects.toMatchObject({ code: 'secrets_unavailable' });
      await expect(store.names()).rejects.toMatchObject({ code: 'secrets_unavailable' });
    },
  );

  it('K4: one that hangs is given up after the deadline, and its process with it', async () => {
    const store = withVice('hang', { deadlineMs: 1_500 });
    await expect(store.get('name')).rejects.toMatchObject({
      code: 'secrets_unavailable',
      message: expect.stringContaining('did not answer within 1.5 s') as string,
    });
  });

  it('K4: parts of long values that are gone are told, never given in part', async () => {
    const keyring = makeKeyring('none', 1_280);
    const store = storeOf({ keyring: keyring.module, platform: 'win32' });
    await store.set('name', 'x'.repeat(4_000));
    const items = { ...keyring.items() };
    const part = Object.keys(items).find((key) => key.endsWith('.2')) ?? '';
    delete items[part];
    writeFileSync(join(keyring.module, '..', 'items.json'), JSON.stringify(items));
    await expect(store.get('name')).rejects.toThrow('is not whole');
    await store.set('name', 'short-value');
    expect(Object.values(keyring.items())).toEqual(['short-value']);
  });
});

/** The real package, and GNOME's keyring in a session of its own. */
const real = realKeyring();

function realKeyring(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring');
  } catch {
    return undefined;
  }
}

describe.skipIf(real === undefined)('the real package', () => {
  it.runIf(process.platform === 'linux')('K4: without a keyring in the session it is one clear sentence', async () => {
    const store = storeOf({ keyring: real, env: { PATH: process.env['PATH'], HOME: tempFolder() } });
    expect(store.kind).toBe('keychain');
    await expect(store.set('name', 'value-of-it')).rejects.toMatchObject({ code: 'secrets_unavailable' });
    await expect(store.names()).rejects.toMatchObject({ code: 'secrets_unavailable' });
  });

  it('K4: keeps, gives back, lists and removes', async ({ skip }) => {
    const session = openKeyringSession();
    if (session === undefined) return skip('no keyring for tests on this machine');
    try {
      const store = storeOf({ keyring: real, env: session.env });
      const value = 'gh-"quoted" ünicode 🔑'.repeat(300);
      await store.set('github', value);
      expect(await store.get('github')).toBe(value);
      expect(await store.names()).toEqual(['github']);
      expect(await store.remove('github')).toBe(true);
      expect(await store.remove('github')).toBe(false);
      expect(await store.get('github')).toBeUndefined();
      return undefined;
    } finally {
      session.close();
    }
  });
});
