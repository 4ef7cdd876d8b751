/** Our requests of one session: each from start to end, and what the failure of one says of the session. */
import { asTrestleError, type ErrorCode, type JsonObject, TrestleError } from '../base/index.ts';
import type { Link } from '../wire/index.ts';
import { Call } from './call.ts';
import type { OwnRequest } from './conversation.ts';
import type { Gate } from './gate.ts';
import { withLastWords } from './last-words.ts';
import { rpcCodeOf } from './reply.ts';
import { resultTypeOf } from './result-type.ts';
import { lostSession } from './session-loss.ts';
import { sessionClosed, type StateCell } from './session-state.ts';
import type { RequestControl, SessionInfo } from './session.ts';

const unsupportedVersionCode = -32022;

/** Failures of which the server said nothing itself, and its process may have. */
const untold: ReadonlySet<ErrorCode> = new Set(['timed_out', 'connection_closed']);

export interface OwnRequestsParts {
  readonly info: SessionInfo;
  readonly state: StateCell;
  readonly link: Link;
  readonly gate: Gate;
  /** Our requests under way; shared with those who answer the server. */
  readonly calls: Set<Call>;
  /** Told when what was remembered about the server's era proves wrong. */
  readonly forgetEra: () => void;
}

export class OwnRequests {
  readonly #parts: OwnRequestsParts;
  /** Why the session was closed from above, if it was. */
  whyClosed: TrestleError | undefined;
  /** Called when a failed request has ended the session. */
  onEnd: () => void = () => {};
  /** Called when no request is under way any more. */
  onIdle: () => void = () => {};

  constructor(parts: OwnRequestsParts) {
    this.#parts = parts;
  }

  get underWay(): number {
    return this.#parts.calls.size;
  }

  /** One request; every way it can fail leaves through here as a TrestleError whose `execution` is set. */
  async ask(request: OwnRequest, control: RequestControl): Promise<JsonObject> {
    const { state, gate, calls, info } = this.#parts;
    const { method, params, quiet, headers } = request;
    if (state.state !== 'ready') throw this.#notReady();
    const { signal } = control.deadline;
    if (signal.aborted) throw (signal.reason as TrestleError).with({ execution: 'not-sent' });
    const call = new Call({ method, control, quiet, headers });
    calls.add(call);
    try {
      const result = await gate.request(call, params);
      if (info.era === 'modern') resultTypeOf(result, { server: info.server, method }, request.results ?? []);
      return result;
    } catch (thrown) {
      throw await this.#failureOf(call, asTrestleError(thrown));
    } finally {
      calls.delete(call);
      if (calls.size === 0) this.onIdle();
    }
  }

  /** What a failed request is told, its `execution` set; what it says of the session is taken in. */
  async #failureOf(call: Call, thrown: TrestleError): Promise<TrestleError> {
    const { link } = this.#parts;
    const isEnd = thrown === link.ended;
    // What the end found still unsent, the link says next.
    if (isEnd) await call.handover;
    // The end says nothing about one request; what was sent decides.
    const told = isEnd ? (this.whyClosed ?? thrown).with({ execution: undefined }) : thrown;
    const error = told.execution === undefined ? told.with({ execution: call.sent ? 'unknown' : 'not-sent' }) : told;
    return this.#noticeEnd(untold.has(error.code) ? withLastWords(error, link) : error);
  }

  /** Some failures of one request are the end of the session: it is lost, or speaks another revision than it did. */
  #noticeEnd(error: TrestleError): TrestleError {
    const { info, link, forgetEra } = this.#parts;
    if (info.era === 'modern') {
      if (rpcCodeOf(error) !== unsupportedVersionCode) return error;
      forgetEra();
      this.#fail(error);
      return error;
    }
    // HTTP+SSE has its session in the address of its messages.
    const hasSession = link.kind === 'sse' || link.sessionId !== undefined;
    const lost = hasSession ? lostSession(info.server, error) : undefined;
    const told = lost ?? error;
    if (told.code === 'session_lost') this.#fail(told);
    return told;
  }

  /** New requests are refused from now on; those under way may still collect their own answers for a moment. */
  #fail(reason: TrestleError): void {
    if (this.#parts.state.move('failed', reason)) this.onEnd();
  }

  #notReady(): TrestleError {
    const { state, info } = this.#parts;
    const why = state.reason ?? sessionClosed(info.server);
    return new TrestleError({
      code: 'session_closed',
      message: `The session with server "${info.server}" ${state.state === 'failed' ? 'has failed' : `is ${state.state}`}.`,
      hint: 'Call again; the next call opens a new session.',
      server: info.server,
      execution: 'not-sent',
      details: { reason: why.message },
      cause: why,
    });
  }
}
