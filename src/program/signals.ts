/** Ctrl-C and its kin: the first one ends the running work in order, the second one ends at once. */
import { TrestleError } from '../base/index.ts';
import type { Interruption } from '../cli/index.ts';

/** Signals that ask for the end, with the exit code that tells of them (128 + number). */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type EndingSignal = keyof typeof exitCodes;

/** The part of the process that is needed; narrowed for tests. */
export interface SignalSource {
  on(signal: EndingSignal, listener: () => void): unknown;
  off(signal: EndingSignal, listener: () => void): unknown;
  exit(code: number): void;
}

/** Listens for ending signals until disposed. */
export function listenForInterruption(source: SignalSource): Interruption {
  const abort = new AbortController();
  let exitCode: number | undefined;
  const listeners = (Object.keys(exitCodes) as readonly EndingSignal[]).map((name) => {
    const listener = (): void => {
      if (exitCode !== undefined) {
        // What still runs of servers is ended by the watcher.
        source.exit(exitCode);
        return;
      }
      exitCode = exitCodes[name];
      abort.abort(new TrestleError({ code: 'cancelled', message: `Interrupted by ${name}.` }));
    };
    source.on(name, listener);
    return { name, listener };
  });
  return {
    signal: abort.signal,
    exitCode: () => exitCode,
    [Symbol.dispose]() {
      for (const { name, listener } of listeners) source.off(name, listener);
    },
  };
}
