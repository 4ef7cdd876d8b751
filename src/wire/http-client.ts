/** The one way out over HTTP: undici's fetch with a dispatcher of our own. Time limits come from signals, never from the dispatcher. */

export interface HttpClient {
  /** As the web's fetch, but redirects are never followed and no body timeout applies. Rejects with TrestleError `connection_failed` or the signal's reason. */
  fetch(url: string, init: HttpRequest): Promise<Response>;
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}
