import type { TrestleError } from '../base/index.ts';
import type { Session } from '../session/index.ts';
import type { SharedDial } from './shared-dial.ts';

/**
 * The one state field of an entry.
 *
 *     dialling -> ready <-> checking          a sign of life is asked after a timeout or cancel
 *        |          |           |
 *        |          +-> draining (no new leases; closes with its last call)
 *        v          v           v
 *      failed     closing -> gone             `failed` is told to listeners only: the entry is gone at once
 */
export type State =
  | { readonly name: 'dialling'; readonly dial: SharedDial; readonly retired: boolean }
  | { readonly name: 'ready'; readonly session: Session }
  | { readonly name: 'checking'; readonly session: Session; readonly verdict: Promise<void>; readonly stop: () => void }
  | { readonly name: 'draining'; readonly session: Session; readonly reason: TrestleError }
  | {
      readonly name: 'closing';
      readonly session: Session | undefined;
      readonly done: Promise<void>;
      /** What acquires that still wait for the entry get; undefined when they may open another one. */
      readonly refusal: TrestleError | undefined;
    };
