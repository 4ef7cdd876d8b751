import type { Clock } from '../base/index.ts';
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
