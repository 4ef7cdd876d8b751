/** Who wants to know that a server's lists have changed. */
import type { ChangedList } from '../session.ts';

export interface ListChanges {
  /** Returns how to stop. */
  subscribe(listener: (list: ChangedList) => void): () => void;
  /** Whether anybody listens. */
  readonly isHeard: boolean;
  /** Tells all who listen, a turn later and once a list: neither what they do nor a flood may hold up what is received next. */
  readonly tell: (list: ChangedList) => void;
}

export function createListChanges(): ListChanges {
  const listeners = new Set<(list: ChangedList) => void>();
  const untold = new Set<ChangedList>();
  const tellAll = (): void => {
    const lists = [...untold];
    untold.clear();
    for (const list of lists) for (const listener of listeners) listener(list);
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get isHeard() {
      return listeners.size > 0;
    },
    tell(list) {
      untold.add(list);
      if (untold.size === 1) setImmediate(tellAll);
    },
  };
}

/** The list that a notification of this name tells of. */
export function changedList(method: string): ChangedList | undefined {
  return notices.get(method);
}

const notices: ReadonlyMap<string, ChangedList> = new Map(
  (['tools', 'resources', 'prompts'] as const).map((list) => [`notifications/${list}/list_changed`, list]),
);
