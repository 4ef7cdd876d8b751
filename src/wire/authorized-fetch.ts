import { limits, TrestleError } from '../base/index.ts';
import { readStart } from './http-body.ts';
import type { HttpRequest } from './http-client.ts';
import type { WireContext } from './link.ts';

/** Sends a request as the context's authorization allows it; at most limits.authorizedTries times in all. */
export async function fetchAuthorized(url: string, init: HttpRequest, context: WireContext): Promise<Response> {
  const { authorization, http, clock } = context;
  if (authorization === undefined) return await http.fetch(url, init);
  const request = { method: init.method, url, signal: init.signal };
  for (let left = limits.authorizedTries - 1; ; left -= 1) {
    const sent = await authorization.headersFor(request);
    const response = await http.fetch(url, { ...init, headers: { ...init.headers, ...sent } });
    const { status, headers } = response;
    const isRefused = status === 401 || status === 403;
    const goesAgain = await authorization
      .answered({ ...request, sent, status, headers })
      .catch(async (error: unknown) => {
        await readStart(response, clock);
        throw error instanceof TrestleError ? error.with({ execution: error.execution ?? 'rejected' }) : error;
      });
    if (!isRefused || !goesAgain || left === 0) return response;
    await readStart(response, clock);
  }
}
