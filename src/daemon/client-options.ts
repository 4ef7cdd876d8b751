import type { Clock } from '../base/index.ts';
import type { Looking } from './greet.ts';
import type { HomeOfClient } from './protocol.ts';

/** What a client is, and how it would start a daemon. */
export interface ClientOptions {
  readonly clock: Clock;
  readonly home: HomeOfClient;
  /** Default: this package's. */
  readonly version?: string;
  /** The command that runs this program: the interpreter, and the file that it is given. */
  readonly command: readonly [interpreter: string, program: string];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly onNote: (text: string) => void;
  readonly looking?: Looking;
}
