/** Progress of the requests of one client, bounded however slowly it reads: only the latest of each listener is worth sending. */
import type { EventWay } from './events-sent.ts';
import type { DaemonFrame } from './protocol.ts';

export type ProgressFrame = Extract<DaemonFrame, { readonly listener: string }>;

export interface ProgressSent {
  /** Sends a frame, or keeps it until the client has read what was sent before. */
  tell(frame: ProgressFrame): void;
  /** The request is over: what was kept of it is no news any more. */
  forget(id: number): void;
  /** The client has read: sends what was kept. */
  release(): void;
}

export function openProgressSent({ isFull, send }: EventWay): ProgressSent {
  const kept = new Map<string, ProgressFrame>();
  return {
    tell(frame) {
      if (isFull()) kept.set(`${frame.id} ${frame.listener}`, frame);
      else send(frame);
    },
    forget(id) {
      for (const [key, frame] of kept) if (frame.id === id) kept.delete(key);
    },
    release() {
      const frames = [...kept.values()];
      kept.clear();
      for (const frame of frames) send(frame);
    },
  };
}
