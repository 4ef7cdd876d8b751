/** Who wants to know that a server's lists have changed. */
import type { ChangedList } from './session.ts';

export interface ListChanges {
  /** Returns how to stop. */
  subscribe(listener: (list: ChangedList) => void): () => void;
  /** Whether anybody listens. */
  readonly isHeard: boolean;
  /** Tells all who listen, a turn later: nothing they do may hold up what is received next. */
  readonly tell: (list: ChangedList) => void;
}

export function createListChanges(): ListChanges {
  const listeners = new Set<(list: ChangedList) => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get isHeard() {
      return listeners.size > 0;
    },
    tell(list) {
      setImmediate(() => {
        for (const listener of listeners) listener(list);
      });
    },
  };
}
