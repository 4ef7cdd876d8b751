/** Execute: a lease, one deadline over everything, and the lease given back whatever happens. */
import {
  asTrestleError,
  type Deadline,
  type ErrorCode,
  limits,
  startDeadline,
  type TrestleError,
} from '../../base/index.ts';
import type { Definition, Settings } from '../../config/index.ts';
import type { LeaseEnd } from '../../pool/index.ts';
import type { Session } from '../../session/index.ts';
import type { Core } from '../core.ts';
import type { ServerRequest } from './server-request.ts';

export interface Work {
  readonly definition: Definition;
  readonly request: Omit<ServerRequest, 'server'>;
  /** What is being waited for, for messages: "everything: call echo". */
  readonly subject: string;
  /**
   * Whether the work may run once more on a new session when its own was lost. For lists and reads; a tool call is never
   * repeated.
   */
  readonly repeatable: boolean;
}

/** Ends of a session, or of one stream of it, after which a list or a read is asked once more. */
const losses: ReadonlySet<ErrorCode> = new Set([
  'session_lost',
  'connection_closed',
  'server_exited',
  'session_closed',
]);

/** Ends of a request's connection: over HTTP the server may be gone, or there again without knowing the session. */
const breaks: ReadonlySet<ErrorCode> = new Set(['connection_failed', 'connection_closed']);

/** Whether an error says that the session, not the request, was at fault. */
export function isLoss(error: unknown): boolean {
  return losses.has(asTrestleError(error).code);
}

/** Runs `use` on a session of the server. Rejects with a TrestleError. */
export async function withSession<T>(
  core: Core,
  work: Work,
  use: (session: Session, deadline: Deadline) => Promise<T>,
): Promise<T> {
  const { definition, request } = work;
  const settings = core.settings();
  const wanted = {
    definition,
    scope: request.scope ?? core.scope,
    caller: request.caller ?? core.caller,
    settings,
    onStep: request.onStep,
  };
  using deadline = startRequest(core, { ...work, settings });
  for (let mayRepeat = work.repeatable; ; mayRepeat = false) {
    // Outside of the try: a dial that failed is no lost request, and would only fail again.
    const lease = await core.connections.lease(wanted, deadline);
    let end: LeaseEnd = 'finished';
    try {
      return await use(lease.session, deadline);
    } catch (error) {
      end = endOf(asTrestleError(error), deadline);
      if (!mayRepeat || !isLoss(error) || deadline.signal.aborted || lease.refusal !== undefined) throw error;
    } finally {
      lease.release(end);
    }
  }
}

/** After a deadline the server may still be at work, whatever reason the caller gave for its abort. */
function endOf(error: TrestleError, deadline: Deadline): LeaseEnd {
  if (error.code === 'session_lost') return 'lost';
  if (!deadline.signal.aborted) return breaks.has(error.code) ? 'broken' : 'finished';
  return error.code === 'timed_out' ? 'timed-out' : 'cancelled';
}

/** The deadline of a request: its own limits, else the server's, else the settings', else the defaults. */
export function startRequest(core: Core, work: Omit<Work, 'repeatable'> & { readonly settings: Settings }): Deadline {
  const { definition, request, subject, settings } = work;
  const idleMs = request.timeoutMs ?? definition.timeoutMs ?? settings.requestTimeoutMs ?? limits.requestIdleMs;
  return startDeadline({
    clock: core.clock,
    // Somebody who asks for less in all than the idle limit means it.
    idleMs: Math.min(idleMs, request.maxTotalMs ?? idleMs),
    totalMs: request.maxTotalMs ?? limits.requestTotalMs,
    totalDecides: request.maxTotalMs !== undefined && request.maxTotalMs < idleMs,
    signal: request.signal,
    subject,
    server: definition.name,
  });
}
