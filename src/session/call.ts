/** One request of ours while it is under way: what the gate, the deadline and the translation of errors need to know of it. */
import { isNumber, type JsonObject } from '../base/index.ts';
import type { Progress, RequestControl } from './session.ts';

export interface CallOptions {
  readonly method: string;
  readonly control: RequestControl;
  readonly quiet?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Begins as one that is not sent yet. */
export class Call {
  readonly method: string;
  readonly control: RequestControl;
  /** No cancel notice is sent for it. */
  readonly quiet: boolean;
  /** HTTP headers that go with it. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Whether a byte of it may have reached the server. */
  sent = false;
  /** Resolves when its link has handed it over, or has said that it will not: then {@link sent} is final. Never rejects. */
  handover: Promise<void> = Promise.resolve();

  constructor({ method, control, quiet, headers }: CallOptions) {
    this.method = method;
    this.control = control;
    this.quiet = quiet ?? false;
    this.headers = headers;
  }

  /** A sign of progress: renews the deadline and tells the host. */
  progressed(params: JsonObject): void {
    const { deadline, onProgress } = this.control;
    deadline.renew();
    const progress = readProgress(params);
    if (progress !== undefined) onProgress?.(progress);
  }

  /** Whether its deadline ended it, rather than its caller. */
  timedOut(): boolean {
    const reason: unknown = this.control.deadline.signal.reason;
    return typeof reason === 'object' && reason !== null && 'code' in reason && reason.code === 'timed_out';
  }
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
