/** One line of what a person types. */

/** What is needed of a terminal's input: in its usual mode it gives whole lines. */
export interface LineSource {
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data' | 'end', listener: (text?: unknown) => void): unknown;
  off(event: 'data' | 'end', listener: (text?: unknown) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Resolves with undefined at the end of the input; rejects with the reason of `signal`. The source rests before and after. */
export function readLine(source: LineSource, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let typed = '';
    const stop = (): void => {
      source.off('data', onData);
      source.off('end', onEnd);
      signal.removeEventListener('abort', onAbort);
      source.pause();
    };
    const onData = (text: unknown): void => {
      typed += String(text);
      const end = typed.indexOf('\n');
      if (end < 0) return;
      stop();
      resolve(typed.slice(0, end));
    };
    const onEnd = (): void => {
      stop();
      // What is piped in may lack its last line end.
      resolve(typed === '' ? undefined : typed);
    };
    const onAbort = (): void => {
      stop();
      reject(signal.reason as Error);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    source.setEncoding('utf8');
    source.on('data', onData);
    source.on('end', onEnd);
    signal.addEventListener('abort', onAbort, { once: true });
    source.resume();
  });
}
