/** What allows the requests of a link, beside the headers of its definition: a sign-in, which may have to be renewed meanwhile. */

/** Asked about every HTTP request of a link. What it rejects with ends the request; whether that may have been executed
 * is told by whoever sends it. */
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
