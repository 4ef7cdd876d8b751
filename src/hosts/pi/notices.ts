/** What happens to servers that nobody asked about: told to the person, many things at a time as one. */
import { type Clock, limits, pasteable, plural, type Timer } from '../../base/index.ts';
import { piProgram } from './program.ts';

export interface Notices {
  add(text: string): void;
  /** What was not told yet is not told any more. */
  close(): void;
}

/** Tells by `tell` what came within a moment. */
export function gatherNotices(tell: (text: string) => void, clock: Clock): Notices {
  let gathered: string[] = [];
  let timer: Timer | undefined;
  let isClosed = false;
  const tellAll = (): void => {
    timer = undefined;
    const shown = gathered.slice(0, limits.noticesAtOnce);
    const more = gathered.length - shown.length;
    gathered = [];
    tell(
      [
        ...shown.map((text) => pasteable(text, piProgram)),
        ...(more > 0 ? [`${plural(more, 'more notice')}; see /mcp-bridge doctor`] : []),
      ].join('\n'),
    );
  };
  return {
    add(text) {
      if (isClosed) return;
      if (!gathered.includes(text)) gathered.push(text);
      timer ??= clock.after(limits.noticesGatherMs, tellAll, { keepAlive: false });
    },
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}
