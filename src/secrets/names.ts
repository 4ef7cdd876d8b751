/** What a secret may be called. */
import { limits, TrestleError } from '../base/index.ts';

/** The reason why `name` cannot name a secret (one clause), or undefined when it can. `#` names the parts of long values. */
export function secretNameProblem(name: string): string | undefined {
  if (name === '') return 'may not be empty';
  if (name.length > limits.secretNameCharacters)
    return `may not be longer than ${limits.secretNameCharacters} characters`;
  return /^[!-~]+$/.test(name) && !/[#{}]/.test(name)
    ? undefined
    : 'may have only visible ASCII characters, and none of "#", "{" and "}"';
}

/** Throws `invalid_name` when `name` cannot name a secret. */
export function checkSecretName(name: string): void {
  const problem = secretNameProblem(name);
  if (problem === undefined) return;
  throw new TrestleError({
    code: 'invalid_name',
    message: `The name of a secret ${problem}.`,
    hint: 'For example: github-token',
    details: { name: name.slice(0, limits.shownNameCharacters) },
  });
}
