/**
 * The link: one transport to one server, on the SDK's Transport interface, with what that interface lacks: failures of a
 * single request, the reason of an end, and counters.
 *
 * Contract, beyond the SDK's:
 * - `start` spawns or connects; it rejects with a TrestleError.
 * - `send` resolves when the message was handed over (stdio: written; HTTP: the server's headers came) and rejects with a
 *   TrestleError whose `execution` is right (`not-sent`, `rejected` or `unknown`).
 * - `onmessage` gets every JSON value that looks like a JSON-RPC message, parsed and unvalidated: also replies without `jsonrpc`,
 *   or with both or neither of result and error. Judging them is the session's work. Batches are delivered one by one.
 * - `onfault` ends one request without ending the link (message too large, stream over before the answer, HTML page).
 * - `onclose` fires exactly once, also after a failed start; `ended` is set before.
 * - `close` resolves when nothing of the link is left: the whole process tree is gone, every request aborted.
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { Clock, Log, TrestleError } from '../base/index.ts';
import type { Authorization } from './http/authorization.ts';
import type { HttpClient } from './http/http-client.ts';
import type { ProcessKeeper } from './processes/process-keeper.ts';

export type JsonRpcId = string | number;

export type LinkKind = 'stdio' | 'streamable' | 'sse' | 'events';

export interface LinkStats {
  readonly messagesIn: number;
  readonly messagesOut: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Pieces of stdout that were no message. */
  readonly noise: number;
  /** The first such piece, shortened and cleaned; undefined when there was none. */
  readonly noiseSample: string | undefined;
  /** Clock.monotonicMs of the last message that came in. */
  readonly lastInMs: number | undefined;
}

export interface LinkSendOptions extends TransportSendOptions {
  /** Told when the message is about to leave. A request of which this was not told is not sent, whatever ends it. */
  readonly onSending?: (() => void) | undefined;
}

export interface Link extends Transport {
  send(message: JSONRPCMessage, options?: LinkSendOptions): Promise<void>;
  readonly kind: LinkKind;
  /** Process id of a stdio server. */
  readonly pid: number | undefined;
  /** Why the link is over; undefined while it is not. `session_closed` after our own close. */
  readonly ended: TrestleError | undefined;
  /** stdio: when the first byte came on stdout or stderr; the era probe counts from it. Resolved from the start over HTTP. */
  readonly firstByte: Promise<void>;
  /** Ends one request; set by the session. An abort of its own (`requestSignal`, a cancel notice) is not reported. */
  onfault?: ((id: JsonRpcId, error: TrestleError) => void) | undefined;
  /** Told the first piece of output that was no message, cleaned and shortened. */
  onnoise?: ((sample: string) => void) | undefined;
  /**
   * stdio: the server turned out to speak another framing than it was spoken to, and may not have understood what it was sent before.
   * Called once, when the message that showed it has been delivered.
   */
  onframing?: (() => void) | undefined;
  /** Last part of stderr without escape sequences and control characters; '' where nothing was written, and for other links. */
  stderrTail(): string;
  stats(): LinkStats;
}

/** What every link is given. */
export interface WireContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly keeper: ProcessKeeper;
  readonly http: HttpClient;
  /** What allows requests over HTTP; undefined where the definition's own headers are all there is. */
  readonly authorization?: Authorization | undefined;
}
