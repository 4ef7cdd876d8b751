/**
 * A standard stream that costs nothing before it is needed: pipes and files are written directly, and Node.js's own stream
 * (whose classes take longer to load than most commands take to run) is only made for terminals and for readers that are slow.
 */
import { mayBeTerminal, writeNowSync } from '../base/index.ts';
import type { TextStream } from '../cli/index.ts';

/** The stream of `descriptor`; `open` gives Node.js's own. */
export function standardStream(descriptor: number, open: () => TextStream): TextStream {
  const listeners: ((error: Error) => void)[] = [];
  let opened: TextStream | undefined;
  const stream = (): TextStream => {
    if (opened === undefined) {
      opened = open();
      for (const listener of listeners) opened.on('error', listener);
    }
    return opened;
  };
  let terminal: boolean | undefined;
  const isTerminal = (): boolean => (terminal ??= mayBeTerminal(descriptor) && stream().isTTY === true);
  return {
    get isTTY() {
      return isTerminal();
    },
    get columns() {
      return isTerminal() ? stream().columns : undefined;
    },
    write(chunk, done) {
      if (opened !== undefined || isTerminal()) return stream().write(chunk, done);
      const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
      const { taken, failure } = writeNowSync(descriptor, bytes);
      if (failure === undefined && taken < bytes.length) return stream().write(bytes.subarray(taken), done);
      done(failure instanceof Error ? failure : null);
      return true;
    },
    on(_event, listener) {
      listeners.push(listener);
      return opened?.on('error', listener);
    },
  };
}
