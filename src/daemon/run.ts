/** Being the daemon. What serves is loaded for that alone: whoever calls through a daemon needs none of it. */
import { asTrestleError, type Clock } from '../base/index.ts';
import type { Runtime, RuntimeOptions } from '../runtime/index.ts';

export interface DaemonOptions {
  readonly runFolder: string;
  readonly temporaryFolder: string;
  readonly platform: string;
  /** Default: this package's. */
  readonly version?: string;
  /** The file that this process runs. */
  readonly program: string;
  /** Tells it to end. */
  readonly signal: AbortSignal;
  /** Takes a listener for the error that this process dies of. */
  readonly onCrash?: (listener: (error: unknown) => void) => void;
  readonly clock?: Clock;
  /** Default: the real one. */
  readonly openRuntime?: (options: RuntimeOptions) => Runtime;
}

/** Runs until it has ended. Resolves with false when another daemon is at work already. Throws `file_error`, `locked`. */
export async function runDaemon(options: DaemonOptions): Promise<boolean> {
  const { Daemon } = await import('./daemon.ts');
  const daemon = new Daemon(options);
  try {
    return await daemon.run();
  } catch (thrown) {
    daemon.log.warn(`could not start: ${asTrestleError(thrown).message}`);
    throw thrown;
  }
}
