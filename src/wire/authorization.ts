/** What allows the requests of a link, beside the headers of its definition: a sign-in, which may have to be renewed meanwhile. */
import { limits, TrestleError } from '../base/index.ts';
import { readStart } from './http-body.ts';
import type { HttpRequest } from './http-client.ts';
import type { WireContext } from './link.ts';

/** Asked about every HTTP request of a link. What it rejects with ends the request, with that `execution`. */
export interface Authorization {
  /** Headers for the request, over those of the definition. */
  headersFor(request: AuthorizedRequest): Promise<Readonly<Record<string, string>>>;
  /**
   * Told of every answer before its body is read. Resolves with whether the request goes once more: only for one that the server has
   * refused unexecuted (401, 403), and only with other headers.
   */
  answered(answer: AuthorizedAnswer): Promise<boolean>;
}

export interface AuthorizedRequest {
  readonly method: string;
  readonly url: string;
  readonly signal: AbortSignal | undefined;
}

export interface AuthorizedAnswer extends AuthorizedRequest {
  /** What went with it. */
  readonly sent: Readonly<Record<string, string>>;
  readonly status: number;
  readonly headers: Headers;
}

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
