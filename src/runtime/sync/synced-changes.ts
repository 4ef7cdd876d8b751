import type { SyncChanges } from '../../registry/index.ts';

/** What a sync changed, of what may be used. */
export interface SyncedChanges extends SyncChanges {
  /** Tools that the server has and its entry's rules deny: `tools` neither counts nor names them. */
  readonly denied: number;
}
