import { type Execution, limits, TrestleError } from '../../base/index.ts';
import type { WireContext } from '../link.ts';
import { readStart } from './http-body.ts';
import type { HttpRequest } from './http-client.ts';
import { excerptOf } from './refusal.ts';

/** Sends a request as the context's authorization allows it; at most limits.authorizedTries times in all. */
export async function fetchAuthorized(url: string, init: HttpRequest, context: WireContext): Promise<Response> {
  const { authorization, http, clock } = context;
  if (authorization === undefined) return await http.fetch(url, init);
  const request = { method: init.method, url, signal: init.signal };
  // What went out before was refused unexecuted.
  let soFar: Execution = 'not-sent';
  for (let left = limits.authorizedTries - 1; ; left -= 1) {
    const sent = await told(authorization.headersFor(request), soFar);
    const response = await http.fetch(url, { ...init, headers: { ...init.headers, ...sent } });
    const { status, headers } = response;
    const isRefused = status === 401 || status === 403;
    soFar = isRefused ? 'rejected' : 'unknown';
    let goesAgain = false;
    try {
      goesAgain = await told(authorization.answered({ ...request, sent, status, headers }), soFar);
    } catch (error) {
      throw withWords(error, excerptOf({ response, body: await readStart(response, clock) }));
    }
    if (!isRefused || !goesAgain || left === 0) return response;
    await readStart(response, clock);
  }
}

/** What the authorization rejects with knows nothing of the request that it is about. */
async function told<T>(work: Promise<T>, execution: Execution): Promise<T> {
  return await work.catch((error: unknown) => {
    throw error instanceof TrestleError ? error.with({ execution }) : error;
  });
}

/** What the server said itself goes with the authorization's error: a session tells by it whether it was lost (H5). */
function withWords(error: unknown, said: string): unknown {
  if (!(error instanceof TrestleError) || said === '') return error;
  return error.with({ details: { body: said, ...error.details } });
}
