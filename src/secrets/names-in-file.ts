import { readSecretsFile } from './file-store.ts';

/**
 * Names of secrets that the file of a state folder holds, sorted, those of sign-ins left out: for who must not start anything. A keychain would
 * have to be asked, and may ask its person. Throws `secrets_unavailable`.
 */
export function namesInFile(stateFolder: string): readonly string[] {
  return [...readSecretsFile(stateFolder).keys()].filter((name) => !name.startsWith(ofSignIns)).sort();
}

/** What the names of sign-ins begin with. */
export const ofSignIns = 'oauth:';
