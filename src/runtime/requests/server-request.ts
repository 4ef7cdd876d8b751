import type { Definition } from '../../config/index.ts';
import type { Progress } from '../../session/index.ts';
import type { Asker } from '../asker.ts';
import type { Caller } from '../caller.ts';

/** What every request to a server may say. */
export interface ServerRequest extends Asker {
  /** A configured name, or a definition that is stored nowhere. */
  readonly server: string | Definition;
  /** Default: the runtime's own environment and folder. One caller should be one object: what it resolves to is remembered by it. */
  readonly caller?: Caller | undefined;
  /** Idle limit, milliseconds; default: the server's, else the settings', else limits.requestIdleMs. */
  readonly timeoutMs?: number | undefined;
  /** Total limit, milliseconds; default limits.requestTotalMs. */
  readonly maxTotalMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Steps of a long start, one line each. */
  readonly onStep?: ((line: string) => void) | undefined;
}
