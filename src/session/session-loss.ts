/**
 * Recognises the loss of an HTTP session by a server that does not say it with a 404.
 *
 * This is the one place of Trestle where text decides: some servers answer 400, 401 or a JSON-RPC error inside a 200 when they
 * have forgotten a session, and only their words tell that from a refusal of the request.
 */
import { TrestleError } from '../base/index.ts';

const lossWords =
  /\bsession\b.{0,40}\b(not found|unknown|invalid|expired|missing|closed|terminated|gone|does not exist|not initialized)\b|\b(no valid|no such|could not find|cannot find|invalid|unknown|expired|missing|unrecognized)\b.{0,20}\bsession\b/is;

/** JSON-RPC codes in whose words a loss is looked for: those that servers use for it. A tool has sessions of its own, and other codes. */
const rpcCodes: ReadonlySet<unknown> = new Set([-32_600, -32_000, -32_001]);

/** Statuses whose text is looked at. A 404 to a request that named its session was recognised by the link; HTTP+SSE names it in the URL. */
const statuses: ReadonlySet<unknown> = new Set([400, 401, 404]);

/** `error` as the loss of the session when its text says so, else undefined. */
export function lostSession(server: string, error: TrestleError): TrestleError | undefined {
  const text = textOf(error);
  if (text === undefined || !lossWords.test(text)) return undefined;
  return new TrestleError({
    code: 'session_lost',
    message: `Server "${server}" has forgotten the session, so it is not known whether it executed the request.`,
    hint: 'The next call opens a new session.',
    server,
    execution: 'unknown',
    details: error.details,
    cause: error,
  });
}

function textOf(error: TrestleError): string | undefined {
  const { code, details } = error;
  if (details === undefined) return undefined;
  if (code === 'protocol_error') return rpcCodes.has(details['rpcCode']) ? stringOf(details['rpcMessage']) : undefined;
  // What was recognised before keeps its own words: a 404 says that the request was not executed.
  // Whoever says with a 401 what credential is wanted means that, whatever its words call it: a sign-in is called a session, too.
  const isRefusal = code === 'auth_required' && details['wwwAuthenticate'] === undefined;
  const isAnswer = code === 'http_error' || isRefusal;
  return isAnswer && statuses.has(details['status']) ? stringOf(details['body']) : undefined;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
