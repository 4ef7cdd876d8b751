/** What a server wrote to stderr last, in errors that it has not told itself: of its trouble they would say nothing (T5). */
import type { ErrorCode, TrestleError } from '../base/index.ts';
import type { Link } from '../wire/index.ts';

/** Ends that are none of the server's doing. */
const ours: ReadonlySet<ErrorCode> = new Set(['cancelled', 'session_closed']);

/** As details of an error; nothing where the server wrote nothing. */
export function lastWordsOf(link: Pick<Link, 'stderrTail'>): { readonly stderr?: string } {
  const stderr = link.stderrTail();
  return stderr === '' ? {} : { stderr };
}

/** `error` with the last words of its server, unless it has them. */
export function withLastWords(error: TrestleError, link: Pick<Link, 'stderrTail'> | undefined): TrestleError {
  if (link === undefined || ours.has(error.code) || error.details?.['stderr'] !== undefined) return error;
  const words = lastWordsOf(link);
  return words.stderr === undefined ? error : error.with({ details: { ...error.details, ...words } });
}
