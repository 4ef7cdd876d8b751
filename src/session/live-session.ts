/** A session that has shaken hands: requests, lists, the sign of life, and the end. */
import { type Client, type StandardSchemaV1 } from '@modelcontextprotocol/client';
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
import type { Link } from '../wire/index.ts';
import { type Call, createCall } from './call.ts';
import { readCallReply } from './call-reply.ts';
import type { Gate } from './gate.ts';
import type { ListChanges } from './list-changes.ts';
import { type ListKind, listKinds } from './list-kinds.ts';
import { readList } from './read-list.ts';
import { brokenReply, rpcCodeOf } from './reply.ts';
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
import { lostSession } from './session-loss.ts';
import { sessionClosed, type StateCell } from './session-state.ts';
import { carriedResult } from './stand-in.ts';
import { translateError } from './translate-error.ts';

/** Out of the way: our deadlines end requests, and a timer of the Client never fires before them (24 days). */
const clientTimeoutMs = 2 ** 31 - 1;

/** Takes a result as it is; judging it is our readers' work. */
const asItIs: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': { version: 1, vendor: 'trestle', validate: (value) => ({ value: carriedResult(value) }) },
};

const unsupportedVersionCode = -32022;

/** Codes of failures that came as an answer, so that the server lives. */
const answeredCodes: ReadonlySet<string> = new Set(['protocol_error', 'broken_reply', 'message_too_large']);

export interface LiveSessionParts {
  readonly info: SessionInfo;
  readonly state: StateCell;
  readonly link: Link;
  readonly gate: Gate;
  readonly client: Client;
  readonly clock: Clock;
  readonly listChanges: ListChanges;
  /** Our requests under way; shared with those who answer the server. */
  readonly calls: Set<Call>;
  /** Told when what was remembered about the server's era proves wrong. */
  readonly forgetEra: () => void;
}

export class LiveSession implements Session {
  readonly info: SessionInfo;
  readonly over: Promise<TrestleError>;
  readonly #parts: LiveSessionParts;
  #closing: Promise<void> | undefined;
  /** Why it was closed from above, if it was. */
  #whyClosed: TrestleError | undefined;
  #whenIdle: (() => void) | undefined;

  constructor(parts: LiveSessionParts) {
    this.#parts = parts;
    this.info = parts.info;
    this.over = parts.state.over;
    parts.client.onclose = () => {
      if (parts.state.state !== 'closing')
        parts.state.move('failed', parts.link.ended ?? sessionClosed(parts.info.server));
    };
  }

  get state(): SessionState {
    return this.#parts.state.state;
  }

  get reason(): TrestleError | undefined {
    return this.#parts.state.reason;
  }

  async callTool(call: ToolCall, control: RequestControl): Promise<CallReply> {
    const params = { name: call.name, arguments: call.arguments };
    return readCallReply(await this.#request('tools/call', params, control));
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
    const { contents } = await this.#request('resources/read', { uri }, control);
    if (Array.isArray(contents)) return contents as readonly JsonValue[];
    throw brokenReply({ server: this.info.server, method: 'resources/read' }, 'has no list "contents"');
  }

  async getPrompt(
    prompt: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    control: RequestControl,
  ): Promise<PromptReply> {
    const { description, messages } = await this.#request('prompts/get', { ...prompt }, control);
    if (Array.isArray(messages) && messages.every(isObject)) {
      return { description: typeof description === 'string' ? description : undefined, messages };
    }
    throw brokenReply({ server: this.info.server, method: 'prompts/get' }, 'has no list "messages" of objects');
  }

  onListChanged(listener: (list: ChangedList) => void): () => void {
    return this.#parts.listChanges.subscribe(listener);
  }

  async signOfLife(timeoutMs: number): Promise<boolean> {
    const { info, clock } = this.#parts;
    if (this.state !== 'ready') return false;
    if (info.era === 'modern' && info.link !== 'stdio') return true;
    const method = info.era === 'legacy' ? 'ping' : 'server/discover';
    const subject = `${info.server}: ${method}`;
    using deadline = startDeadline({ clock, idleMs: timeoutMs, totalMs: timeoutMs, subject, server: info.server });
    try {
      await this.#send(createCall({ method, control: { deadline }, quiet: true }), {});
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
    if (ours) this.#whyClosed = reason;
    await link.close();
    if (ours) state.move('closed', reason);
  }

  async #list(kind: ListKind, control: RequestControl): Promise<Listing> {
    const { server, capabilities } = this.info;
    const declared = capabilities[kind.capability];
    if (declared === undefined || declared === null || declared === false) return { items: [], problems: [] };
    return await readList(kind, { server, request: (method, params) => this.#request(method, params, control) });
  }

  #request(method: string, params: JsonObject, control: RequestControl): Promise<JsonObject> {
    return this.#send(createCall({ method, control }), params);
  }

  /** One request from start to end; every way it can fail leaves through here as a TrestleError. */
  async #send(call: Call, params: JsonObject): Promise<JsonObject> {
    const { state, client, gate, calls, link } = this.#parts;
    const { server } = this.info;
    if (state.state !== 'ready') throw this.#notReady();
    const { signal } = call.control.deadline;
    if (signal.aborted) throw (signal.reason as TrestleError).with({ execution: 'not-sent' });
    const options = {
      signal,
      timeout: clientTimeoutMs,
      onprogress: (progress: object) => call.progressed(progress as JsonObject),
    };
    calls.add(call);
    try {
      return await gate.during(call, () => client.request({ method: call.method, params }, asItIs, options));
    } catch (thrown) {
      const error = translateError(thrown, { server, call, ended: this.#whyClosed ?? link.ended });
      throw this.#noticeEnd(error);
    } finally {
      calls.delete(call);
      if (calls.size === 0) this.#whenIdle?.();
    }
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
    const { state } = this.#parts;
    if (state.move('failed', reason)) this.#closing ??= this.#closeWhenIdle();
  }

  async #closeWhenIdle(): Promise<void> {
    const { clock, calls, link } = this.#parts;
    const idle = new AbortController();
    this.#whenIdle = () => idle.abort();
    if (calls.size > 0) await delay(clock, limits.lostSessionGraceMs, idle.signal);
    await link.close();
  }

  #notReady(): TrestleError {
    const { state } = this.#parts;
    const why = state.reason ?? sessionClosed(this.info.server);
    return new TrestleError({
      code: 'session_closed',
      message: `The session with server "${this.info.server}" ${state.state === 'failed' ? 'has failed' : `is ${state.state}`}.`,
      hint: 'Call again; the next call opens a new session.',
      server: this.info.server,
      execution: 'not-sent',
      details: { reason: why.message },
      cause: why,
    });
  }
}
