/** A request of a client on its way to the daemon. */
import type { RequestFrame } from './protocol.ts';

export type Listener = (...values: readonly unknown[]) => void;

/** What is asked; listeners by their names. */
export interface Asked {
  readonly frame: Omit<RequestFrame, 'id'>;
  readonly signal?: AbortSignal | undefined;
  readonly listeners?: Readonly<Record<string, Listener>>;
  /** The idle limit that it tells the daemon: one that is silent for clearly longer does not keep it. */
  readonly idleMs?: number | undefined;
  /** The values of variables that the daemon needs for it. */
  readonly values?: (names: readonly string[]) => Readonly<Record<string, string>>;
}
