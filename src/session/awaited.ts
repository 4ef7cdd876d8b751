/**
 * The requests of ours that wait for an answer on one connection, and which of them a reply answers: by id and by the type of id.
 * What belongs to none is counted.
 */
import { type JsonObject, stringifyJson, type TrestleError } from '../base/index.ts';
import type { JsonRpcId } from '../wire/index.ts';
import type { Call } from './call.ts';
import { brokenReply, judgeReply, otherwiseTyped, rpcError } from './reply.ts';

/** A request of ours that waits for its answer. */
export interface Waiting {
  readonly method: string;
  /** The call it is the request of, if it is one of a call: progress is told there. */
  readonly call?: Call | undefined;
  /** Gets its answer, once. */
  readonly settle: (answer: Answer) => void;
  /** Set for the handshake: sends it once more. */
  readonly repeat?: (() => void) | undefined;
  /** Stays open, and is no business of replies without an id. */
  readonly isHeld?: boolean;
}

/** The result, or why there is none. */
export type Answer = JsonObject | TrestleError;

/** A request that is no longer awaited, and its answer. */
export interface Answered {
  readonly waiting: Waiting;
  readonly answer: Answer;
}

const parseErrorCode = -32700;
const invalidRequestCode = -32600;

export class Awaited {
  readonly #server: string;
  readonly #waiting = new Map<unknown, Waiting>();
  #strayReplies = 0;
  /** Notices that were sent since the last answer. */
  #recentNotices = 0;

  constructor(server: string) {
    this.#server = server;
  }

  get strayReplies(): number {
    return this.#strayReplies;
  }

  add(id: JsonRpcId, waiting: Waiting): void {
    this.#waiting.set(id, waiting);
  }

  find(id: unknown): Waiting | undefined {
    return this.#waiting.get(id);
  }

  /** No answer is awaited any more; returns the request if one was. */
  remove(id: unknown): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** A notice went out: some servers answer even those. */
  noticeSent(): void {
    this.#recentNotices += 1;
  }

  /** The server may not have understood how it was spoken to. What belongs to no handshake is never sent twice. */
  repeatHandshake(): void {
    for (const { repeat } of this.#waiting.values()) repeat?.();
  }

  /** The link ended one request; undefined when nobody waits for it. */
  fault(id: JsonRpcId, error: TrestleError): Answered | undefined {
    const waiting = this.remove(id);
    if (waiting !== undefined) return { waiting, answer: error };
    this.#strayReplies += 1;
    return undefined;
  }

  /** The request that `message` answers, if it answers any. */
  answer(message: JsonObject): Answered | undefined {
    const { id } = message;
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return this.#unmatched(message);
    this.#recentNotices = 0;
    return this.#settled(id as JsonRpcId, answerOf({ server: this.#server, method: waiting.method }, message));
  }

  /** Nothing comes any more. */
  endAll(reason: TrestleError): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { settle } of waiting) settle(reason);
  }

  /** An id that differs only in its type fails the call it was meant for; anything else belongs to nothing. */
  #unmatched(message: JsonObject): Answered | undefined {
    const { id } = message;
    const meant = otherwiseTyped(id);
    const waiting = meant === undefined ? undefined : this.#waiting.get(meant);
    if (waiting !== undefined && meant !== undefined) {
      const why = `has the id ${stringifyJson(id)} instead of ${stringifyJson(meant)}`;
      return this.#settled(meant, brokenReply({ server: this.#server, method: waiting.method }, why));
    }
    this.#strayReplies += 1;
    return id === null || id === undefined ? this.#unread(message) : undefined;
  }

  /**
   * A server that cannot read a message answers without an id. During the handshake it is about our oldest request, since servers
   * answer in order. Later only about the one that waits, and never for certain: its fate is not known.
   */
  #unread(message: JsonObject): Answered | undefined {
    const judged = judgeReply(message);
    if (judged.kind !== 'error') return undefined;
    const waiting = [...this.#waiting].filter(([, { isHeld }]) => isHeld !== true);
    const handshake = waiting.find(([, { repeat }]) => repeat !== undefined);
    const only = waiting.length === 1 && this.#isAboutRequest(judged.code) ? waiting[0] : undefined;
    const [id, meant] = handshake ?? only ?? [];
    if (meant === undefined) return undefined;
    const error = rpcError({ server: this.#server, method: meant.method }, judged);
    return this.#settled(id as JsonRpcId, handshake === undefined ? error.with({ execution: 'unknown' }) : error);
  }

  /** Some servers refuse notices, which have no id, as invalid requests; none finds one that it cannot parse. */
  #isAboutRequest(code: number | bigint): boolean {
    if (code === parseErrorCode) return true;
    const isAboutNotice = this.#recentNotices > 0;
    if (isAboutNotice) this.#recentNotices -= 1;
    return code === invalidRequestCode && !isAboutNotice;
  }

  #settled(id: JsonRpcId, answer: Answer): Answered | undefined {
    const waiting = this.remove(id);
    return waiting && { waiting, answer };
  }
}

function answerOf(asked: { readonly server: string; readonly method: string }, message: JsonObject): Answer {
  const judged = judgeReply(message);
  if (judged.kind === 'result') return judged.result;
  return judged.kind === 'error' ? rpcError(asked, judged) : brokenReply(asked, judged.why);
}
