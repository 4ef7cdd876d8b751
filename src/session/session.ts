/**
 * A session: one negotiated conversation with one server.
 *
 * States: new -> dialling -> ready -> closing -> closed, or failed (with the reason). `dial` resolves with a ready one.
 */
import type { Deadline, JsonObject, JsonValue, TrestleError } from '../base/index.ts';
import type { LinkKind, LinkStats } from '../wire/index.ts';

export type SessionState = 'new' | 'dialling' | 'ready' | 'closing' | 'closed' | 'failed';

export type Era = 'legacy' | 'modern';

export interface SessionInfo {
  readonly server: string;
  readonly era: Era;
  readonly protocolVersion: string;
  readonly link: LinkKind;
  readonly pid: number | undefined;
  /** What the server calls itself. */
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string } | undefined;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  /** Raw text of the server. */
  readonly message?: string;
}

/** Under what a request runs. */
export interface RequestControl {
  readonly deadline: Deadline;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A list read to its end; malformed items are left out and named. */
export interface Listing {
  readonly items: readonly JsonObject[];
  /** One line each: "tool 3 has no name". */
  readonly problems: readonly string[];
}

export interface SessionCounters extends LinkStats {
  /** Replies that belonged to nothing: unknown, late or duplicate ids. */
  readonly strayReplies: number;
  readonly requestsSent: number;
  /** Requests of the server answered by us, by method. */
  readonly requestsAnswered: Readonly<Record<string, number>>;
}

/** The result of a `prompts/get`. */
export interface PromptReply {
  readonly description: string | undefined;
  /** Each an object; roles and content blocks unvalidated. */
  readonly messages: readonly JsonObject[];
}

/** What a server says has changed, by a `list_changed` notification. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

/** One call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The tool's input schema where it is known: arguments it marks with `x-mcp-header` are mirrored into headers (2026-07-28). */
  readonly inputSchema?: JsonValue | undefined;
  /** The tool's `execution` member where it is known: it may demand to be called as a task (2025-11-25). */
  readonly execution?: JsonValue | undefined;
}

/** The result of a `tools/call`; members unvalidated but for these shapes. */
export interface CallReply {
  readonly content: readonly JsonValue[];
  readonly structuredContent?: JsonValue;
  readonly isError: boolean;
  readonly _meta?: JsonObject;
}

/**
 * Requests reject with a TrestleError: `protocol_error` (details: rpcCode, rpcMessage, rpcData), or whatever the wire, the
 * deadline or the state says; `execution` is set.
 */
export interface Session {
  readonly info: SessionInfo;
  readonly state: SessionState;
  /** Why it failed or closed. */
  readonly reason: TrestleError | undefined;
  /** Resolves when the session is closed or failed; never rejects. */
  readonly over: Promise<TrestleError>;
  callTool(call: ToolCall, control: RequestControl): Promise<CallReply>;
  listTools(control: RequestControl): Promise<Listing>;
  listResources(control: RequestControl): Promise<Listing>;
  listResourceTemplates(control: RequestControl): Promise<Listing>;
  listPrompts(control: RequestControl): Promise<Listing>;
  /** The `contents` of a `resources/read`. */
  readResource(uri: string, control: RequestControl): Promise<readonly JsonValue[]>;
  getPrompt(
    prompt: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    control: RequestControl,
  ): Promise<PromptReply>;
  /**
   * Tells `listener` of every list the server says has changed, outside of the receive loop and once for all that came in one turn:
   * longer bursts are the listener's to join. Returns how to stop.
   */
  onListChanged(listener: (list: ChangedList) => void): () => void;
  /**
   * Asks for a sign of life: legacy `ping` (any reply is life), modern stdio `server/discover`, modern HTTP asks nothing and is
   * alive. Resolves false when nothing came within `timeoutMs`.
   */
  signOfLife(timeoutMs: number): Promise<boolean>;
  counters(): SessionCounters;
  /** Ends the session and its link; calls under way end with `reason`. Resolves when nothing is left. Idempotent. */
  close(reason?: TrestleError): Promise<void>;
}
