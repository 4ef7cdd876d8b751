/**
 * What a server asks of its own accord (initialize-era revisions): answered here, under the very id and with the
 * very integers they came with. Early requests wait for the end of the handshake; only so many are under way at once.
 */
import { asTrestleError, type Deadline, isNumber, isObject, type JsonObject, limits } from '../base/index.ts';
import type { HostAnswers } from './calls/host-answers.ts';

/** How requests are answered once the handshake is over. */
export interface Answering {
  readonly host: HostAnswers;
  /** Deadlines of our calls under way; which of them a question belongs to is not told. */
  readonly deadlines: () => Iterable<Deadline>;
}

/** A request without an answer yet. */
interface Asked {
  readonly id: string | number | bigint;
  readonly method: string;
  readonly params: JsonObject;
  readonly abort: AbortController;
}

/** The member of an answer beside its id. */
type Answer = { readonly result: JsonObject } | { readonly error: JsonObject };

const codes = { methodNotFound: -32601, invalidParams: -32602, internalError: -32603 } as const;

const knownMethods: ReadonlySet<string> = new Set([
  'ping',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
]);

/** The requests of one connection's server. */
export class ServerRequests {
  readonly #send: (answer: JsonObject) => void;
  /** Not by id: a server that gives one id twice must not get around the bound. */
  readonly #unanswered = new Set<Asked>();
  readonly #answered: Record<string, number> = {};
  #answering: Answering | undefined;

  constructor(send: (answer: JsonObject) => void) {
    this.#send = send;
  }

  /** A message with a method and an id. */
  receive({ id, method, params }: JsonObject): void {
    // Nobody could be told the answer to another id.
    if (typeof method !== 'string' || !(typeof id === 'string' || isNumber(id))) return;
    const asked = { id, method, params: isObject(params) ? params : {}, abort: new AbortController() };
    if (method === 'ping') this.#tell(asked, { result: {} });
    else if (this.#unanswered.size >= this.#most) this.#tell(asked, refusal('Too many requests wait for an answer.'));
    else {
      this.#unanswered.add(asked);
      if (this.#answering !== undefined) void this.#answer(asked, this.#answering);
    }
  }

  /** The handshake is over: what was asked too early is answered now, all else when it comes. */
  open(answering: Answering): void {
    this.#answering = answering;
    for (const asked of this.#unanswered) void this.#answer(asked, answering);
  }

  /** The server takes a request back; it gets no answer. */
  withdraw(id: unknown): void {
    for (const asked of this.#unanswered) if (asked.id === id) this.#giveUp(asked);
  }

  /** Nobody is there any more to be answered. */
  end(): void {
    for (const asked of this.#unanswered) this.#giveUp(asked);
  }

  /** Answers so far, by method; methods outside the specification under `other`. */
  answered(): Readonly<Record<string, number>> {
    return { ...this.#answered };
  }

  get #most(): number {
    return this.#answering === undefined ? limits.earlyRequests : limits.serverRequests;
  }

  #giveUp(asked: Asked): void {
    this.#unanswered.delete(asked);
    asked.abort.abort();
  }

  async #answer(asked: Asked, answering: Answering): Promise<void> {
    const answer = await answerTo(asked, answering);
    if (this.#unanswered.delete(asked)) this.#tell(asked, answer);
  }

  #tell({ id, method }: Asked, answer: Answer): void {
    const name = knownMethods.has(method) ? method : 'other';
    this.#answered[name] = (this.#answered[name] ?? 0) + 1;
    this.#send({ jsonrpc: '2.0', id, ...answer });
  }
}

async function answerTo({ method, params, abort }: Asked, { host, deadlines }: Answering): Promise<Answer> {
  if (!host.knows({ method, params })) {
    const inForm = host.knows({ method, params: {} });
    return inForm
      ? refusal('The host can be asked by a form only.', codes.invalidParams)
      : refusal('Method not found', codes.methodNotFound);
  }
  try {
    return { result: await host.answer({ method, params, signal: abort.signal, deadlines: deadlines() }) };
  } catch (error) {
    return refusal(asTrestleError(error).message);
  }
}

function refusal(message: string, code: number = codes.internalError): Answer {
  return { error: { code, message } };
}
