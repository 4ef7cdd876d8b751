/** What can be dialled, fully resolved: no variables, no relative paths. */
import type { Proxies } from '../base/index.ts';
import type { Reach } from './http/address-rule.ts';
import type { Framing } from './stdio/framing.ts';

export interface StdioEndpoint {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process: allow-list plus configured values. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the working folder. */
  readonly cwd: string;
  /** How its messages stand in its streams; default `auto`. */
  readonly framing?: Framing;
}

/** Which HTTP transport to use; `auto` is decided by session's ladder. */
export type HttpTransportChoice = 'auto' | 'streamable' | 'sse' | 'events';

export interface HttpEndpoint {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: HttpTransportChoice;
  /** `same-origin` follows 307/308 within the origin; `none` refuses even those. */
  readonly redirects: 'same-origin' | 'none';
  readonly proxies: Proxies;
  /** Which addresses it may be at; default `any`: somebody's definition names the host. */
  readonly reach?: Reach;
}

export type Endpoint = StdioEndpoint | HttpEndpoint;
