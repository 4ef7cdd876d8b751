/** What a person sees of a call while it runs. */
import { type Clock, limits, type Timer } from '../../base/index.ts';
import { cleanLine } from '../../policy/index.ts';
import type { ToolControl } from '../../toolsets/index.ts';
import type { PiToolResult } from './pi.ts';

export interface Updates extends Pick<ToolControl, 'onProgress' | 'onStep'> {
  /** Nothing is shown after it. */
  end(): void;
}

/** Shows steps and progress by `onUpdate`: one short line, the newest, at most so often. `redact` replaces secrets. */
export function showUpdates(
  onUpdate: (partial: PiToolResult) => void,
  { clock, redact }: { readonly clock: Clock; readonly redact: (text: string) => string },
): Updates {
  let timer: Timer | undefined;
  let next: string | undefined;
  let isOver = false;
  const show = (): void => {
    timer = undefined;
    if (next === undefined || isOver) return;
    // Of what comes faster than it is shown nothing else is worth the work.
    const text = cleanLine(redact(next), limits.updateCharacters);
    next = undefined;
    timer = clock.after(limits.updateEveryMs, show, { keepAlive: false });
    onUpdate({ content: [{ type: 'text', text }], details: { kind: 'running' } });
  };
  const tell = (text: string): void => {
    next = text;
    if (timer === undefined) show();
  };
  return {
    onStep: tell,
    onProgress({ progress, total, message }) {
      const share = total === undefined ? String(progress) : `${progress} of ${total}`;
      tell(message === undefined ? `progress ${share}` : `${message} (${share})`);
    },
    end() {
      isOver = true;
      timer?.cancel();
    },
  };
}
