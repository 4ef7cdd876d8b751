/** One request of ours while it is under way: what the gate, the deadline and the translation of errors need to know of it. */
import { isNumber, type JsonObject } from '../base/index.ts';
import type { Progress, RequestControl } from './session.ts';

export interface Call {
  readonly method: string;
  readonly control: RequestControl;
  /** No cancel notice is sent for it. */
  readonly quiet: boolean;
  /** HTTP headers that go with it. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Whether a byte of it may have reached the server. */
  sent: boolean;
  /** A sign of progress: renews the deadline and tells the host. */
  progressed(params: JsonObject): void;
  /** Whether its deadline ended it, rather than its caller. */
  timedOut(): boolean;
}

export interface CallOptions {
  readonly method: string;
  readonly control: RequestControl;
  readonly quiet?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A call that is not sent yet. */
export function createCall(options: CallOptions): Call {
  const { deadline, onProgress } = options.control;
  return {
    method: options.method,
    control: options.control,
    quiet: options.quiet ?? false,
    headers: options.headers,
    sent: false,
    progressed(params) {
      deadline.renew();
      const progress = readProgress(params);
      if (progress !== undefined) onProgress?.(progress);
    },
    timedOut() {
      const reason: unknown = deadline.signal.reason;
      return typeof reason === 'object' && reason !== null && 'code' in reason && reason.code === 'timed_out';
    },
  };
}

function readProgress(params: JsonObject): Progress | undefined {
  // What is so large that it is a bigint, a time in nanoseconds say, need not be exact here.
  const { progress, total, message } = params;
  if (!isNumber(progress)) return undefined;
  return {
    progress: Number(progress),
    ...(isNumber(total) ? { total: Number(total) } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
