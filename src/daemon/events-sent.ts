/** What one client is told of the runtime that serves its home, once it listens: bounded, however slowly it reads. */
import { limits, type Scope } from '../base/index.ts';
import type { RuntimeEvent } from '../runtime/index.ts';
import type { DaemonFrame } from './protocol.ts';

export interface EventsSent {
  /** Sends an event, or keeps it until the client has read what was sent before. */
  tell(event: RuntimeEvent): void;
  /** The client has read: sends what was kept. */
  release(): void;
}

/** What the events go out by. */
export interface EventWay {
  readonly isFull: () => boolean;
  readonly send: (frame: DaemonFrame) => void;
}

/** `scope`: whose calls the client is told of. */
export function openEventsSent(scope: Scope, { isFull, send }: EventWay): EventsSent {
  const kept: RuntimeEvent[] = [];
  let isMissing = false;
  const release = (): void => {
    if (isMissing) send({ gap: true });
    isMissing = false;
    for (const event of kept.splice(0)) send({ event });
  };
  // Whatever it knows may have changed before it listened.
  send({ gap: true });
  return {
    tell(event) {
      // A client makes its own text about servers, of its own folder's configuration, and the calls of others are not its business.
      if (event.kind === 'context' || (event.kind === 'call' && event.scope !== scope)) return;
      if (!isFull()) {
        release();
        send({ event });
        return;
      }
      if (kept.length >= limits.daemonKeptEvents) {
        kept.length = 0;
        isMissing = true;
      }
      kept.push(event);
    },
    release,
  };
}
