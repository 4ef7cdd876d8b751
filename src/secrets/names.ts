/** What a secret may be called. */
import { limits, secretNameProblem, TrestleError } from '../base/index.ts';

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
