/**
 * What of Pi this host uses, written as shapes: one file runs in every release from 0.74 on, so nothing of Pi is imported when it runs,
 * and what came later is optional here and looked for where it is used. A test holds these shapes to Pi's own types.
 */
import type { JsonObject } from '../../base/index.ts';

/** What Pi keeps as JSON: without integers that a number cannot hold, which are texts here. */
export type PiJson = null | boolean | number | string | readonly PiJson[] | { readonly [member: string]: PiJson };

/** What Pi hands to an extension's factory. */
export interface Pi {
  registerTool(tool: PiTool): void;
  registerCommand(name: string, command: PiCommand): void;
  on(event: 'session_start', handler: (event: SessionStart, context: PiContext) => unknown): unknown;
  on(event: 'session_shutdown', handler: (event: SessionShutdown, context: PiContext) => unknown): unknown;
  on(event: 'before_agent_start', handler: (event: BeforeAgentStart, context: PiContext) => unknown): unknown;
  on(event: 'input', handler: (event: PiInput, context: PiContext) => unknown): unknown;
  on(event: 'tool_result', handler: (event: ToolResultEvent, context: PiContext) => unknown): unknown;
  /** Kept in the session, and seen by no model. */
  appendEntry?(customType: string, data: unknown): void;
  /** Since 0.80.4: how entries are drawn. JSON and RPC runs are told of them since then, too. */
  registerEntryRenderer?(
    customType: string,
    renderer: (
      entry: { readonly data?: unknown },
      options: { readonly expanded: boolean },
      theme: PiTheme,
    ) => PiComponent | undefined,
  ): void;
  sendMessage(
    message: {
      readonly customType: string;
      readonly content: string;
      readonly display: boolean;
      readonly details?: unknown;
    },
    options?: { readonly triggerTurn?: boolean; readonly deliverAs?: 'steer' | 'followUp' | 'nextTurn' },
  ): void;
  /** Names of the tools that the model has. */
  getActiveTools(): string[];
}

export interface SessionStart {
  /** Since 0.79: `startup`, `reload`, `new`, `resume`, `fork`. */
  readonly reason?: string;
}

export interface SessionShutdown {
  readonly reason?: string;
}

export interface BeforeAgentStart {
  readonly systemPrompt: string;
  /** Since 0.86 with `sections`, by tag name; to be changed in place. */
  readonly systemPromptOptions?: { readonly selectedTools?: string[]; sections?: Record<string, string> };
  /** Since 1.2. */
  readonly messageType?: 'user' | 'custom';
}

/** What a handler of it may give back. */
export interface TurnChange {
  /** Joins the conversation, before the turn. */
  message?: { readonly customType: string; readonly content: string; readonly display: boolean };
  /** In place of the whole prompt; where there are sections those of others would be lost by it. */
  systemPrompt?: string;
}

/** What somebody said; a handler that gives nothing back lets it pass. */
export interface PiInput {
  readonly source: 'interactive' | 'rpc' | 'extension';
}

export interface ToolResultEvent {
  readonly toolName: string;
  readonly details?: unknown;
  readonly isError: boolean;
}

/** Of an event, a command or a tool call. */
export interface PiContext {
  readonly cwd: string;
  /** Whether dialogs reach a person. */
  readonly hasUI: boolean;
  /** Since 0.78. */
  readonly mode?: 'tui' | 'rpc' | 'json' | 'print';
  readonly ui: PiUi;
  readonly sessionManager: { getSessionId(): string };
  /** Since 0.79. */
  isProjectTrusted?(): boolean;
  /** Whether no turn runs. */
  isIdle?(): boolean;
}

export interface PiUi {
  notify(message: string, type?: 'info' | 'warning' | 'error'): void;
  /** Undefined where nobody answers. */
  select(title: string, options: string[], opts?: DialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, opts?: DialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, opts?: DialogOptions): Promise<string | undefined>;
  setStatus(key: string, text: string | undefined): void;
  /** What is typed, as the terminal sends it; nothing outside of Pi's own window. */
  onTerminalInput?(handler: (data: string) => { readonly consume: true } | undefined): () => void;
  /** Of the line that is being typed. */
  getEditorText?(): string;
}

export interface DialogOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

export interface PiCommand {
  readonly description: string;
  getArgumentCompletions(prefix: string): Promise<PiCompletion[] | null>;
  handler(args: string, context: PiContext): Promise<void>;
}

/** `value` is the whole text of the arguments. */
export interface PiCompletion {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export interface PiTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** One line in Pi's own list of tools. */
  readonly promptSnippet?: string;
  /** Plain JSON Schema. */
  readonly parameters: JsonObject;
  prepareArguments?(args: unknown): JsonObject;
  /** Since 0.99, as `annotations` and the result's `structuredContent` and `isError`. */
  readonly outputSchema?: JsonObject;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  execute(
    callId: string,
    params: JsonObject,
    signal: AbortSignal | undefined,
    onUpdate: ((partial: PiToolResult) => void) | undefined,
    context: PiContext,
  ): Promise<PiToolResult>;
  renderCall?(args: unknown, theme: PiTheme, context: PiRenderContext): PiComponent;
  renderResult?(
    result: PiShownResult,
    options: { readonly expanded: boolean; readonly isPartial: boolean },
    theme: PiTheme,
    context: PiRenderContext,
  ): PiComponent;
}

export interface PiToolResult {
  content: PiBlock[];
  details: PiJson;
  structuredContent?: PiJson;
  isError?: boolean;
}

/** A result that is shown: it may be one that another version kept in a session. */
export interface PiShownResult {
  readonly content: readonly PiBlock[];
  readonly details?: unknown;
  readonly isError?: boolean;
}

export type PiBlock =
  | { readonly type: 'text'; readonly text: string }
  /** Base64. */
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

export interface PiTheme {
  fg(color: string, text: string): string;
  bold(text: string): string;
}

export interface PiRenderContext {
  /** What the model gave, while it is still giving it too: anything. */
  readonly args?: unknown;
  readonly expanded?: boolean;
  readonly isError?: boolean;
}

/** Every line must fit `width` terminal columns. */
export interface PiComponent {
  render(width: number): string[];
  invalidate(): void;
}
