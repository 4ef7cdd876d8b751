/** The one store of a home's secrets, whatever keeps them. */
import { join } from 'node:path';
import {
  canonicalPathSync,
  type Clock,
  limits,
  makePrivateFolderSync,
  systemClock,
  TrestleError,
  withLock,
} from '../base/index.ts';
import { checkSecretsFile, readSecretsFile, secretsFileOf, writeSecretsFile } from './file-store.ts';
import { type Keychain, openKeychain } from './keychain.ts';
import { checkSecretName } from './names.ts';
import { markChanged } from './stamp.ts';

/**
 * Secrets by name. Every method throws `secrets_unavailable` where what keeps them refuses or does not answer in time, `locked` where
 * another process changes them for too long, `invalid_name`, `file_error`.
 */
export interface SecretStore {
  /** Where values are put: they are also found where they were put when that was the other one. */
  readonly kind: 'keychain' | 'file';
  /** Where that is, for a person. */
  readonly place: string;
  /** Why it is not the keychain, one clause; undefined when it is. */
  readonly why?: string;
  get(name: string): Promise<string | undefined>;
  /** Keeps `value`, at most limits.secretCharacters long; what stood there before is replaced. */
  set(name: string, value: string): Promise<void>;
  /** Finds out whether a value can be kept now, by one that is taken away at once; throws what `set` would. */
  check(): Promise<void>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
  /** Sorted. Those of sign-ins begin with `oauth:`. */
  names(): Promise<readonly string[]>;
}

export interface SecretStoreOptions {
  /** Absolute. The home it belongs to has its own secrets. */
  readonly stateFolder: string;
  /** Environment of whoever asks: tells where the keychain of their session is. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** `file` keeps out of the keychain; default `auto`: the keychain where `@napi-rs/keyring` is installed. */
  readonly prefer?: 'auto' | 'file' | undefined;
  /** The module that knows the keychain; default `@napi-rs/keyring`. */
  readonly keyring?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Longest wait for the keychain's answer, milliseconds; default limits.keychainMs. */
  readonly deadlineMs?: number | undefined;
}

/** The store of a home. Opening reads nothing; the package of the keychain is never loaded into this process. */
export function openSecretStore(options: SecretStoreOptions): SecretStore {
  const { stateFolder } = options;
  const keyring = options.prefer === 'file' ? undefined : findKeyring(options.keyring ?? '@napi-rs/keyring');
  const keychain = keyring === undefined ? undefined : keychainOf(options, keyring);
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    makePrivateFolderSync(stateFolder);
    return withLock(join(stateFolder, 'secrets.lock'), work);
  };
  const changing = <T>(work: () => Promise<T>): Promise<T> =>
    alone(async () => {
      try {
        return await work();
      } finally {
        await markChanged(stateFolder);
      }
    });
  const methods: Omit<SecretStore, 'kind' | 'place' | 'why'> = {
    async get(name) {
      checkSecretName(name);
      return (await keychain?.get(name)) ?? readSecretsFile(stateFolder).get(name);
    },
    async set(name, value) {
      checkSecretName(name);
      checkValue(name, value);
      await changing(async () => {
        if (keychain === undefined) {
          await writeSecretsFile(stateFolder, readSecretsFile(stateFolder).set(name, value));
          return;
        }
        await keychain.set(name, value);
        // It was put there before there was a keychain.
        await removeFromFile(stateFolder, name);
      });
    },
    check: () => alone(() => keychain?.check() ?? checkSecretsFile(stateFolder)),
    async remove(name) {
      checkSecretName(name);
      return changing(async () => {
        const wasKept = await keychain?.remove(name);
        const wasInFile = await removeFromFile(stateFolder, name);
        return wasKept === true || wasInFile;
      });
    },
    async names() {
      const kept = (await keychain?.names()) ?? [];
      return [...new Set([...kept, ...readSecretsFile(stateFolder).keys()])].sort();
    },
  };
  if (keychain !== undefined) return { kind: 'keychain', place: "the system's keychain", ...methods };
  const why = options.prefer === 'file' ? 'the settings say so' : '@napi-rs/keyring is not installed';
  return { kind: 'file', place: secretsFileOf(stateFolder), why, ...methods };
}

function keychainOf(options: SecretStoreOptions, keyring: string): Keychain {
  const { stateFolder, env, platform, clock = systemClock, deadlineMs = limits.keychainMs } = options;
  const service = `trestle:${canonicalPathSync(stateFolder)}`;
  return openKeychain({ keyring, service, stateFolder, env, platform, clock, deadlineMs });
}

/** Where the module is; undefined when it is not installed. Not loaded. */
function findKeyring(module: string): string | undefined {
  try {
    return process
      .getBuiltinModule('node:module')
      .createRequire(import.meta.url)
      .resolve(module);
  } catch {
    return undefined;
  }
}

async function removeFromFile(stateFolder: string, name: string): Promise<boolean> {
  const secrets = readSecretsFile(stateFolder);
  if (!secrets.delete(name)) return false;
  await writeSecretsFile(stateFolder, secrets);
  return true;
}

function checkValue(name: string, value: string): void {
  const problem = valueProblem(value);
  if (problem === undefined) return;
  throw new TrestleError({
    code: 'invalid_arguments',
    message: `The value of the secret ${name} ${problem}, so it was not kept.`,
    hint: 'Give the value itself on standard input.',
    details: { name },
  });
}

function valueProblem(value: string): string | undefined {
  if (value === '') return 'is empty';
  if (value.length > limits.secretCharacters) return `is longer than ${limits.secretCharacters} characters`;
  return value.isWellFormed() ? undefined : 'is no valid text';
}
