/** What the person of a session is told unasked. */
import type { Clock } from '../../base/index.ts';
import { gatherNotices, type Notices } from './notices.ts';
import type { PiContext } from './pi.ts';
import { tell } from './tell.ts';

export interface News {
  /** What happens beside what they do. Where nobody looks, what matters to a call is said by the call. */
  readonly notice: (text: string) => void;
  /** What keeps servers from being used. A run without a person is told with its first prompt: its commands say it themselves. */
  readonly trouble: (text: string) => void;
  /** A prompt begins. */
  tellUntold(): void;
  /** What was not told yet is not told any more: Pi has replaced the session. */
  close(): void;
}

export function newsIn(context: PiContext, clock: Clock): News {
  const untold: string[] = [];
  const notices: Notices | undefined = context.hasUI
    ? gatherNotices((text) => tell(context, text, 'warning'), clock)
    : undefined;
  let isClosed = false;
  return {
    notice: (text) => notices?.add(text),
    trouble(text) {
      if (isClosed) return;
      if (context.hasUI) tell(context, text, 'error');
      else untold.push(text);
    },
    tellUntold() {
      for (const text of untold.splice(0)) tell(context, text, 'error');
    },
    close() {
      isClosed = true;
      notices?.close();
    },
  };
}
