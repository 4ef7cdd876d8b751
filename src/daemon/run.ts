/** Being the daemon. What serves is loaded for that alone: whoever calls through a daemon needs none of it. */
import { asTrestleError } from '../base/index.ts';
import type { DaemonOptions } from './daemon-options.ts';

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
