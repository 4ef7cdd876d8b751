import type { Failure } from '../../base/index.ts';
import type { SessionInfo } from '../../session/index.ts';
import type { ServerRequest } from '../requests/server-request.ts';
import type { SyncedChanges } from './synced-changes.ts';

export interface SyncRequest extends ServerRequest {
  /** Overwrites a manually written server. */
  readonly force?: boolean;
}

export interface SyncValue {
  readonly info: SessionInfo;
  readonly changes: SyncedChanges;
  /** Items left out and text findings, one line each. */
  readonly problems: readonly string[];
  /** Why the tools could not be listed: the registry keeps those it had, everything else is brought up to date. */
  readonly toolsFailure?: Failure;
}
