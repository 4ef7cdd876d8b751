/** What the listeners of a daemon's client hear: its own runtime, and the daemon's as far as it concerns this home and scope. */
import { asTrestleError, type Scope } from '../base/index.ts';
import { changesBlocks, type Runtime, type RuntimeEvent, type RuntimeListener } from '../runtime/index.ts';
import type { Link } from './link.ts';

export interface EventsHeardOptions {
  readonly local: () => Pick<Runtime, 'subscribe' | 'refreshContext'>;
  readonly link: Pick<Link, 'listen'>;
  readonly scope: Scope;
  /** Gets a line for the person. */
  readonly onNote: (text: string) => void;
}

/** The `subscribe` of such a client. */
export function createSubscribe({ local, link, scope, onNote }: EventsHeardOptions): Runtime['subscribe'] {
  const listeners = new Set<RuntimeListener>();
  let stop: (() => void) | undefined;
  const tell = (listener: RuntimeListener, event: RuntimeEvent): void => {
    try {
      listener(event);
    } catch (error) {
      onNote(`A listener failed: ${asTrestleError(error).message}`);
    }
  };
  // The text about servers is made here, of the files that the daemon has changed.
  const refresh = (): void => void local().refreshContext();
  const begin = (): (() => void) =>
    link.listen({
      scope,
      onEvent(event) {
        for (const listener of listeners) tell(listener, event);
        if (changesBlocks(event)) refresh();
      },
      onGap: refresh,
    });
  return (listener) => {
    const unsubscribe = local().subscribe(listener);
    // One may be given twice.
    const own: RuntimeListener = (event) => listener(event);
    listeners.add(own);
    stop ??= begin();
    return () => {
      unsubscribe();
      listeners.delete(own);
      if (listeners.size > 0) return;
      stop?.();
      stop = undefined;
    };
  };
}
