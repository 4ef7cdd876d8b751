/** What stands between Pi and the runtime: one object for each call of the extension's factory. */
import type { Runtime } from '../../runtime/index.ts';
import type { PiCompletion, PiContext, PiTool } from './pi.ts';

export interface Bridge {
  /** The bodies of the three tools, by name. */
  readonly execute: (name: string, ...call: Parameters<PiTool['execute']>) => ReturnType<PiTool['execute']>;
  /** At `session_start`: opens the runtime, reconciles in the background. Starts no server, never throws, holds nothing up. */
  open(context: PiContext): void;
  /** At `session_shutdown`: every server ends, no handle is left. May be called more than once; never rejects. */
  close(): Promise<void>;
  /** The text about servers and tools, without its tag; empty when there is none. The same bytes while nothing changed. */
  block(context: PiContext): Promise<string>;
  /** Runs `/mcp-bridge` with the rest of its line; never rejects. */
  command(line: string, context: PiContext): Promise<void>;
  complete(prefix: string): Promise<PiCompletion[] | null>;
}

/** What the command and its completion work with: the open session's own runtime, and what was last known of Pi. */
export interface OpenBridge {
  readonly runtime: Runtime;
  readonly context: PiContext;
}
