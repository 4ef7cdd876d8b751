import type { Clock, Log, Scope } from '../base/index.ts';
import type { Caller } from './caller.ts';
import type { Places } from './places.ts';
import type { HostPorts } from './ports.ts';

export interface RuntimeOptions {
  readonly places: Places;
  /** The host's working folder, absolute; with `env` the caller of requests that name none. */
  readonly cwd: string;
  /** The user's home folder. */
  readonly userHome: string;
  readonly env: Caller['env'];
  /** As the member of {@link Caller}, for requests that name no caller. */
  readonly projectTrusted?: boolean;
  readonly platform: string;
  /** Whose sessions these are when a request names none; default `library`. */
  readonly scope?: Scope;
  readonly ports?: HostPorts;
  /**
   * Whether this host outlives a single request, as a daemon or an agent does: `reload` syncs what is due instead of only saying
   * so, and eager and keep-alive servers are connected unasked. Default false.
   */
  readonly longLived?: boolean;
  /**
   * Whether a long-lived host reloads once at its start, in the background and told by events: no call waits for it or fails by it.
   * Default false.
   */
  readonly reconcile?: boolean;
  readonly clock?: Clock;
  readonly log?: Log;
}
