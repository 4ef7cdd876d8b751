/** One request of a client, done by the runtime of its home. */
import { asTrestleError, isObject, toFailure } from '../base/index.ts';
import type { Runtime } from '../runtime/index.ts';
import type { Listener } from './asked.ts';
import type { Callers } from './callers.ts';
import type { ProgressFrame } from './progress-sent.ts';
import { type DaemonFrame, type RemoteMethod, remoteMethods, type RequestFrame, type WireError } from './protocol.ts';

/** By what a request is done. */
export interface Serving {
  readonly runtime: Runtime;
  readonly callers: Callers;
}

/** What came of it, for its client. Never rejects. */
export async function serveRequest(
  frame: RequestFrame & { readonly method: RemoteMethod },
  { runtime, callers }: Serving,
  control: { readonly signal: AbortSignal; readonly onProgress: (frame: ProgressFrame) => void },
): Promise<DaemonFrame> {
  const { id, method, params, caller, listeners = [] } = frame;
  /** The request as the runtime takes it: with its caller, a signal, and listeners that send. */
  const restored = (): object => {
    const tellers: Record<string, Listener> = {};
    for (const listener of listeners)
      tellers[listener] = (...values) => control.onProgress({ id, listener, with: values });
    return {
      ...(isObject(params[0]) ? params[0] : {}),
      ...(caller === undefined ? {} : { caller: callers.intern(caller) }),
      ...tellers,
      signal: control.signal,
    };
  };
  try {
    const given = remoteMethods[method].takes === 'request' ? [restored()] : params;
    const value = await (runtime[method] as (...values: readonly unknown[]) => Promise<unknown>)(...given);
    return { id, done: true, value };
  } catch (thrown) {
    return { id, error: wireError(thrown) };
  }
}

/** Variables that the definitions name and the client was not asked for yet: they are sent only where they are needed. */
export function lackingVariables(
  { params, caller, supplied = [], detached }: RequestFrame,
  { runtime, callers }: Serving,
): readonly string[] {
  // Whoever does not wait for an answer does not hear such a question either.
  if (caller === undefined || detached === true) return [];
  try {
    const named = runtime.variables(serverOf(params[0]), { caller: callers.intern(caller) });
    return named.filter((name) => !Object.hasOwn(caller.env, name) && !supplied.includes(name));
  } catch {
    // What the configuration lacks is told by the request itself.
    return [];
  }
}

/** The configured server that a request is about. */
export function serverOf(request: unknown): string | undefined {
  const server = isObject(request) ? request['server'] : undefined;
  return typeof server === 'string' ? server : undefined;
}

function wireError(thrown: unknown): WireError {
  const error = asTrestleError(thrown);
  return { ...toFailure(error), ...(error.execution === undefined ? {} : { execution: error.execution }) };
}
