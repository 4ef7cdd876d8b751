/** A line of standard input that comes whenever it comes, or never. */

/** What of standard input is needed; narrowed so that tests can hand in their own. */
export interface LineSource {
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (text: string) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  removeAllListeners(event: 'data' | 'end'): unknown;
  pause(): unknown;
}

/**
 * The first line that holds something. Where the input ends without one there is nothing to tell, so it stays pending; when `signal`
 * aborts nothing is read any more.
 */
export function readLine(source: LineSource, signal: AbortSignal): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  const stop = (): void => {
    source.removeAllListeners('data');
    source.removeAllListeners('end');
    source.pause();
  };
  const take = (isOver: boolean): void => {
    const whole = isOver ? text : text.slice(0, text.lastIndexOf('\n') + 1);
    const line = whole.split('\n').find((candidate) => candidate.trim() !== '');
    if (line === undefined) return;
    stop();
    resolve(line.trim());
  };
  if (signal.aborted) return promise;
  signal.addEventListener('abort', stop, { once: true });
  source.setEncoding('utf8');
  source.on('data', (piece) => {
    text += piece;
    take(false);
  });
  source.on('end', () => take(true));
  return promise;
}
