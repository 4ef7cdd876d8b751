/** The one way out over HTTP: undici's fetch with a dispatcher of our own. Time limits come from signals, never from the dispatcher. */
import type { Proxies } from '../../base/index.ts';
import type { Reach } from './address-rule.ts';

export interface HttpClient {
  /** As the web's fetch, but redirects are never followed and no body timeout applies. Rejects with TrestleError `connection_failed`, `unsupported_setting` (an unusable proxy), `address_refused` or the signal's reason. */
  fetch(url: string, init: HttpRequest): Promise<Response>;
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the environment of those for whom it is; loopback addresses are reached directly whatever it says. */
  readonly proxies: Proxies;
  readonly signal?: AbortSignal | undefined;
  /**
   * Which addresses it may go to (H11); default `any`. The address that was judged is the one that is connected to. Through a proxy,
   * which resolves names itself, only what is written in the URL can be judged.
   */
  readonly reach?: Reach | undefined;
}
