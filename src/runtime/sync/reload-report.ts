/** `reload`: what is asked, and what it came to. Plain data: it travels over the daemon's socket. */
import type { Failure, Scope } from '../../base/index.ts';
import type { WhyWaiting } from '../../config/index.ts';
import type { Caller } from '../caller.ts';
import type { SyncedChanges } from './synced-changes.ts';

export interface ReloadRequest {
  readonly scope?: Scope | undefined;
  /** Default: the runtime's own environment and folder. */
  readonly caller?: Caller | undefined;
  /**
   * For a host's own start: what comes of it is told by `notice` and `synced` events as well, and it gives way (`cancelled`) to a reload
   * that somebody waits for, which does all of its work. Default false.
   */
  readonly background?: boolean | undefined;
  /** What one server may take in all, milliseconds; default limits.reloadServerMs. */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Steps of a server's long start, one line each. */
  readonly onStep?: ((server: string, line: string) => void) | undefined;
}

/** Why a server has to be synced. */
export interface DueReason {
  /** `never-synced`: the registry does not know it; `changed`: its definition is another one than the registry recorded. */
  readonly why: 'never-synced' | 'changed';
  /** The recorded members that differ: `transport`, `auth`, `lifecycle`; empty for `never-synced`. */
  readonly differs: readonly string[];
}

/** What became of one server. */
export type ReloadedServer =
  | {
      readonly name: string;
      readonly kind: 'synced';
      readonly due: DueReason;
      readonly changes: SyncedChanges;
      /** Items left out and text findings, one line each. */
      readonly problems: readonly string[];
      /** Why the tools could not be listed: the registry keeps those it had. */
      readonly toolsFailure?: Failure;
    }
  /** It has to be synced, and this host, which lives for one command, only says so. */
  | { readonly name: string; readonly kind: 'due'; readonly due: DueReason }
  | { readonly name: string; readonly kind: 'unchanged' | 'disabled' }
  /** Its sync failed, or its entry cannot be used. */
  | { readonly name: string; readonly kind: 'failed'; readonly failure: Failure }
  /** A project asks for it and nobody has approved it: nothing of it is started. */
  | { readonly name: string; readonly kind: 'waiting'; readonly why: WhyWaiting }
  /** It was configured until now: its connection ends after its calls. */
  | { readonly name: string; readonly kind: 'removed'; readonly inRegistry: boolean }
  /** Known from the registry, configured nowhere: never deleted, and started only when it is called and was approved. */
  | { readonly name: string; readonly kind: 'registry-only'; readonly approved: boolean };

export interface ReloadReport {
  /** Whether what was due was synced; false in a host that lives for one command. */
  readonly applied: boolean;
  /** By name. */
  readonly servers: readonly ReloadedServer[];
  /** What the configuration and the settings have to say, one line each. */
  readonly notices: readonly string[];
}
