/** `state/secrets.json`: where secrets are kept when there is no keychain. Mode 0600, written whole, never over what cannot be read. */
import { join } from 'node:path';
import {
  isObject,
  type JsonValue,
  listFolderSync,
  lookAtPrivate,
  makePrivateFolderSync,
  parseJson,
  prettyJson,
  readTextSync,
  removePath,
  temporaryPrefix,
  TrestleError,
  writeFileAtomic,
} from '../base/index.ts';

/** The file of a state folder. */
export const secretsFileOf = (stateFolder: string): string => join(stateFolder, 'secrets.json');

/** The secrets in the file; none when there is no file. Throws `secrets_unavailable` when others can read it or it is no such file. */
export function readSecretsFile(stateFolder: string): Map<string, string> {
  const file = secretsFileOf(stateFolder);
  const sight = lookAtPrivate(file, 'file');
  if (sight.kind === 'missing') return new Map();
  if (sight.kind === 'not-private') {
    throw unusable(file, sight.problem, sight.mend ?? 'Move it away, then set the secrets again: trestle secret set');
  }
  const stored = parsed(readTextSync(file) ?? '{}');
  if (!isObject(stored) || !Object.values(stored).every((value) => typeof value === 'string')) {
    throw unusable(
      file,
      'does not hold names with their values as JSON',
      'Repair it, or move it away and set the secrets again: trestle secret set',
    );
  }
  return new Map(Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Whoever died while writing the file has left one of these, with secrets in it that may be gone from the file. */
const leftPrefix = `${temporaryPrefix}secrets-`;

/** Replaces the file. To be called under the lock of the store. Throws `file_error`. */
export async function writeSecretsFile(stateFolder: string, secrets: ReadonlyMap<string, string>): Promise<void> {
  makePrivateFolderSync(stateFolder);
  const left = listFolderSync(stateFolder).filter((name) => name.startsWith(leftPrefix));
  for (const name of left) await removePath(join(stateFolder, name));
  const sorted = [...secrets].sort(([a], [b]) => (a < b ? -1 : 1));
  await writeFileAtomic(secretsFileOf(stateFolder), prettyJson(Object.fromEntries(sorted)), {
    mode: 0o600,
    temporaryPrefix: leftPrefix,
  });
}

/** Whether the file could be written now. To be called under the lock of the store. Throws `secrets_unavailable`, `file_error`. */
export async function checkSecretsFile(stateFolder: string): Promise<void> {
  readSecretsFile(stateFolder);
  const trial = join(stateFolder, `${leftPrefix}check`);
  await writeFileAtomic(trial, '', { mode: 0o600, temporaryPrefix: leftPrefix });
  await removePath(trial);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    // What stands there may be a secret: nothing of it is repeated.
    return undefined;
  }
}

function unusable(file: string, problem: string, hint: string): TrestleError {
  return new TrestleError({
    code: 'secrets_unavailable',
    message: `The secrets in ${file} cannot be used: it ${problem}.`,
    hint,
    details: { file },
  });
}
