import type { TrestleError } from '../base/index.ts';
import type { Checking } from './checking.ts';
import type { Dialling } from './dialling.ts';
import type { EntryState } from './entry-status.ts';
import type { Held } from './held.ts';
import type { Waiting } from './waiting.ts';

/**
 * The one state field of an entry.
 *
 *     dialling ------> ready <-----> checking       a sign of life is asked after a timeout or cancel
 *      ^    |            |              |
 *      |    |            +------+-------+---> draining       no new leases; closes with its last call
 *      |    | fails             | lost
 *      |    v                   |
 *      +-- waiting <------------+                   until the next try
 *      |    | too often
 *      |    v
 *      +-- failed                                   until a reset
 *
 *     each of them ---> closing ---> gone
 *
 * Only kept entries wait and fail. Others go as soon as they are lost or cannot be dialled; `failed` is told of them all the same.
 */
export type State =
  | Dialling
  | { readonly name: 'ready'; readonly held: Held }
  | Checking
  | Waiting
  | Failed
  | { readonly name: 'draining'; readonly held: Held; readonly reason: TrestleError }
  | {
      readonly name: 'closing';
      readonly held: Held | undefined;
      readonly done: Promise<void>;
      /** What acquires that still wait for the entry get; undefined when they may open another one. */
      readonly refusal: TrestleError | undefined;
    };

/** Given up; calls fail at once with the first reason. */
export interface Failed {
  readonly name: 'failed';
  readonly first: TrestleError;
  /** Resolves when nothing is left of the last try. */
  readonly cleared: Promise<void>;
}

/** The session of a state, if it has one. */
export function heldIn(state: State): Held | undefined {
  return 'held' in state ? state.held : undefined;
}

/** Whether new acquires may use an entry in this state. */
export function isUsable(state: State): boolean {
  return state.name !== 'draining' && state.name !== 'closing' && !(state.name === 'dialling' && state.retired);
}

/** The state as it is shown. */
export function shownState(state: State): EntryState {
  return state.name === 'draining' ? 'closing' : state.name;
}

/** Ends what goes on in a state; resolves when nothing of it is left, and never rejects. */
export function leave(state: State, reason: TrestleError): Promise<void> {
  switch (state.name) {
    case 'dialling':
      return state.end(reason);
    case 'waiting':
      state.end();
      return state.cleared;
    case 'failed':
      return state.cleared;
    case 'closing':
      return state.done;
    case 'checking':
      state.stop();
      return state.held.close(reason);
    case 'ready':
    case 'draining':
    default:
      return state.held.close(reason);
  }
}
