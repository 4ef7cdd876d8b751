/** A session that has shaken hands: requests, lists, the sign of life, and the end. */
import {
  type Clock,
  delay,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  startDeadline,
  TrestleError,
} from '../base/index.ts';
import type { HostAnswers } from './calls/host-answers.ts';
import { readMirrors } from './calls/mirrored-arguments.ts';
import { askInRounds } from './calls/rounds.ts';
import { callTool, mirrorsArguments } from './calls/tool-call.ts';
import type { Conversation, OwnRequest } from './conversation.ts';
import type { ListChanges } from './lists/list-changes.ts';
import { type ListKind, listKinds } from './lists/list-kinds.ts';
import type { Listening } from './lists/listening.ts';
import { readList } from './lists/read-list.ts';
import { OwnRequests, type OwnRequestsParts } from './own-requests.ts';
import { brokenReply } from './reply.ts';
import { sessionClosed } from './session-state.ts';
import type {
  CallReply,
  ChangedList,
  Listing,
  PromptReply,
  RequestControl,
  Session,
  SessionCounters,
  SessionInfo,
  SessionState,
  ToolCall,
} from './session.ts';

/** Codes of failures that came as an answer, so that the server lives. */
const answeredCodes: ReadonlySet<string> = new Set(['protocol_error', 'broken_reply', 'message_too_large']);

export interface LiveSessionParts extends OwnRequestsParts {
  readonly clock: Clock;
  readonly listChanges: ListChanges;
  readonly host: HostAnswers;
  /** How changes of lists are heard of that are told to nobody who does not ask for it; undefined where they are told unasked. */
  readonly openListening: (() => Listening) | undefined;
}

export class LiveSession implements Session {
  readonly info: SessionInfo;
  readonly over: Promise<TrestleError>;
  readonly #parts: LiveSessionParts;
  readonly #requests: OwnRequests;
  readonly #conversation: Conversation;
  readonly #background = new Set<Promise<unknown>>();
  readonly #ended = new AbortController();
  #listening: Listening | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: LiveSessionParts) {
    const { info, state, gate, link, clock, host } = parts;
    this.#parts = parts;
    this.info = info;
    this.over = state.over;
    this.#requests = new OwnRequests(parts);
    this.#requests.onEnd = () => {
      this.#closing ??= this.#closeWhenIdle();
    };
    gate.onclose = () => {
      if (state.state !== 'closing') state.move('failed', link.ended ?? sessionClosed(info.server));
    };
    void state.over.then((reason) => this.#ended.abort(reason));
    this.#conversation = {
      info,
      clock,
      host,
      over: this.#ended.signal,
      ask: (request, control) => this.#requests.ask(request, control),
      listTools: (control) => this.listTools(control),
      noticeChange: (list) => parts.listChanges.tell(list),
      inBackground: (work) => this.#keepInBackground(work),
    };
  }

  get state(): SessionState {
    return this.#parts.state.state;
  }

  get reason(): TrestleError | undefined {
    return this.#parts.state.reason;
  }

  callTool(call: ToolCall, control: RequestControl): Promise<CallReply> {
    return callTool(this.#conversation, call, control);
  }

  listTools(control: RequestControl): Promise<Listing> {
    return this.#list(listKinds.tools, control);
  }

  listResources(control: RequestControl): Promise<Listing> {
    return this.#list(listKinds.resources, control);
  }

  listResourceTemplates(control: RequestControl): Promise<Listing> {
    return this.#list(listKinds.resourceTemplates, control);
  }

  listPrompts(control: RequestControl): Promise<Listing> {
    return this.#list(listKinds.prompts, control);
  }

  async readResource(uri: string, control: RequestControl): Promise<readonly JsonValue[]> {
    const { contents } = await this.#askInRounds({ method: 'resources/read', params: { uri } }, control);
    if (Array.isArray(contents)) return contents as readonly JsonValue[];
    throw brokenReply({ server: this.info.server, method: 'resources/read' }, 'has no list "contents"');
  }

  async getPrompt(
    prompt: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    control: RequestControl,
  ): Promise<PromptReply> {
    const { description, messages } = await this.#askInRounds(
      { method: 'prompts/get', params: { ...prompt } },
      control,
    );
    if (Array.isArray(messages) && messages.every(isObject)) {
      return { description: typeof description === 'string' ? description : undefined, messages };
    }
    throw brokenReply({ server: this.info.server, method: 'prompts/get' }, 'has no list "messages" of objects');
  }

  onListChanged(listener: (list: ChangedList) => void): () => void {
    const { listChanges, openListening } = this.#parts;
    const unsubscribe = listChanges.subscribe(listener);
    if (this.#listening === undefined && openListening !== undefined && this.state === 'ready') {
      const listening = openListening();
      this.#listening = listening;
      // Whatever its listener asks for at once goes first.
      setImmediate(() => listening.start());
      void this.over.then(() => listening.stop());
    }
    return () => {
      unsubscribe();
      if (listChanges.isHeard) return;
      this.#listening?.stop();
      this.#listening = undefined;
    };
  }

  async signOfLife(timeoutMs: number): Promise<boolean> {
    const { info, clock } = this.#parts;
    if (this.state !== 'ready') return false;
    if (info.era === 'modern' && info.link !== 'stdio') return true;
    const method = info.era === 'legacy' ? 'ping' : 'server/discover';
    const subject = `${info.server}: ${method}`;
    using deadline = startDeadline({ clock, idleMs: timeoutMs, totalMs: timeoutMs, subject, server: info.server });
    try {
      await this.#requests.ask({ method, params: {}, quiet: true }, { deadline });
      return true;
    } catch (error) {
      return error instanceof TrestleError && answeredCodes.has(error.code);
    }
  }

  counters(): SessionCounters {
    return { ...this.#parts.link.stats(), ...this.#parts.gate.counters() };
  }

  close(reason: TrestleError = sessionClosed(this.info.server)): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: TrestleError): Promise<void> {
    const { state, link } = this.#parts;
    const ours = state.move('closing');
    if (ours) this.#requests.whyClosed = reason;
    this.#listening?.stop();
    await this.#lastWords();
    await link.close();
    if (ours) state.move('closed', reason);
  }

  /** What a call still tells the server when it is over (to drop a task) has a moment to arrive. */
  async #lastWords(): Promise<void> {
    if (this.#background.size === 0) return;
    const said = new AbortController();
    const all = Promise.allSettled(this.#background).then(() => said.abort());
    await Promise.race([all, this.over, delay(this.#parts.clock, limits.lastWordsMs, said.signal)]);
    said.abort();
  }

  #keepInBackground(work: Promise<unknown>): void {
    const kept = work.finally(() => this.#background.delete(kept));
    this.#background.add(kept);
  }

  async #closeWhenIdle(): Promise<void> {
    const { clock, link } = this.#parts;
    const idle = new AbortController();
    this.#requests.onIdle = () => idle.abort();
    if (this.#requests.underWay > 0) await delay(clock, limits.lostSessionGraceMs, idle.signal);
    await link.close();
  }

  async #list(kind: ListKind, control: RequestControl): Promise<Listing> {
    const { server, capabilities } = this.info;
    const declared = capabilities[kind.capability];
    if (declared === undefined || declared === null || declared === false) return { items: [], problems: [] };
    const ruledOut = kind === listKinds.tools && mirrorsArguments(this.info) ? markProblem : undefined;
    const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
      this.#requests.ask({ method, params }, control);
    return await readList(kind, { server, request: ask, ruledOut });
  }

  #askInRounds(request: OwnRequest, control: RequestControl): Promise<JsonObject> {
    return askInRounds(this.#conversation, request, control);
  }
}

/** Why a tool may not be used for the arguments it wants mirrored; the revision leaves it to clients of HTTP to leave such tools out. */
function markProblem(tool: JsonObject): string | undefined {
  const read = readMirrors(tool['inputSchema']);
  return read.ok ? undefined : read.problem;
}
