/** What stands between Pi and the runtime: one object for each call of the extension's factory. */
import type { ChoiceId, HostPorts, Question, Runtime } from '../../runtime/index.ts';
import type {
  Pi,
  PiComponent,
  PiCompletion,
  PiContext,
  PiRenderContext,
  PiShownResult,
  PiTheme,
  PiTool,
  PiToolResult,
} from './pi.ts';

export interface Bridge {
  /** The bodies of the three tools, by name. Never rejects. */
  execute(name: string, ...call: Parameters<PiTool['execute']>): Promise<PiToolResult>;
  /** At `session_start`: opens the runtime, reconciles in the background. Starts no server, never throws, holds nothing up. */
  open(context: PiContext): void;
  /**
   * At `session_shutdown`: servers are told to end and given a moment; what is left of them then does not keep Pi alive, and is ended by
   * their watcher once Pi is gone. May be called more than once; never rejects.
   */
  close(): Promise<void>;
  /** The person said something. */
  heard(): void;
  /** What the model is told of before a turn; waits for the registry's files alone. Never rejects. */
  block(context: PiContext): Promise<TurnBlock>;
  /** Runs `/mcp-bridge` with the rest of its line; never rejects. */
  command(line: string, context: PiContext): Promise<void>;
  complete(prefix: string): Promise<PiCompletion[] | null>;
}

/** The text about servers and tools in a turn. */
export interface TurnBlock {
  /** Without a tag; empty when there is none. The same bytes while nothing changed. */
  readonly text: string;
  /** What is different from the turn before, a line each. */
  readonly changes: readonly string[];
}

/** What the command, its completion, questions and the footer work with: the open session's own runtime, and Pi as it is now. */
export interface OpenBridge {
  readonly pi: Pi;
  readonly runtime: Runtime;
  /** Of the command; else what was last known. */
  readonly context: PiContext;
  /** The file of the `trestle` command. */
  readonly program: string;
  /** Aborts with a TrestleError when the session ends. */
  readonly signal: AbortSignal;
}

/** What a bridge does by others; each is loaded when it is first needed. */
export interface BridgeParts {
  /** Asks the person who sits before Pi. */
  readonly ask?: (question: Question, signal: AbortSignal, context: PiContext) => Promise<ChoiceId | undefined>;
  /** Whoever sits there, when they sign in to a server. */
  readonly person?: (context: PiContext) => Promise<NonNullable<HostPorts['person']>>;
  /** Shows how it stands, until what it gives back is called. Only where a person sees it and wants it. */
  readonly footer?: (open: OpenBridge) => Promise<() => void>;
  readonly command?: (line: string, open: OpenBridge) => Promise<void>;
  readonly complete?: (prefix: string, open: OpenBridge) => Promise<PiCompletion[] | null>;
}

/** What the entry loads when it is first needed. */
export interface HostModule {
  createPiBridge(pi: Pi, options: BridgeOptions): Bridge;
  /** One row: server, tool, arguments; unfolded, all of the arguments. */
  renderCall(name: string, args: unknown, painted: PaintedBy): PiComponent;
  /** Folded a row, unfolded what became of the call, where all of it is, and the text. */
  renderResult(result: PiShownResult, options: RenderOptions, painted: PaintedBy): PiComponent;
  /** What a command answered, from the session's entry of it. */
  renderAnswer(data: unknown, theme: PiTheme): PiComponent;
}

export interface BridgeOptions {
  /** The file of the `trestle` command, which is what a shared daemon is started by. */
  readonly program: string;
}

export interface RenderOptions {
  readonly expanded: boolean;
  readonly isPartial: boolean;
}

export interface PaintedBy {
  readonly theme: PiTheme;
  readonly context: PiRenderContext;
}
