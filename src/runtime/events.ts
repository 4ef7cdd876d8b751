/** What the runtime tells whoever listens: hosts, the status line, tests. */
import type { Scope } from '../base/index.ts';
import type { EntryState, NextTry } from '../pool/index.ts';

export type RuntimeEvent =
  | {
      readonly kind: 'session';
      readonly server: string;
      readonly state: EntryState | 'closed';
      readonly reason?: string;
    }
  /** A keep-alive server was lost or could not be reached; it is tried anew after `inMs`. */
  | ({ readonly kind: 'reconnecting'; readonly server: string; readonly reason?: string } & NextTry)
  /** A server is connected; `reconnected` after an earlier connection or try had failed. */
  | { readonly kind: 'ready'; readonly server: string; readonly reconnected: boolean }
  /** A keep-alive server is tried no more; `reload` and `sync` start anew. */
  | { readonly kind: 'gave-up'; readonly server: string; readonly attempts: number; readonly reason?: string }
  | {
      readonly kind: 'call';
      readonly server: string;
      readonly tool: string;
      readonly outcome: string;
      readonly durationMs: number;
      /** On whose behalf. */
      readonly scope: Scope;
    }
  | { readonly kind: 'synced'; readonly server: string; readonly changed: boolean }
  /** A server's folder left the registry. */
  | { readonly kind: 'forgotten'; readonly server: string }
  /** The configuration was read anew because somebody asked for it, and what followed of it is done. */
  | { readonly kind: 'reloaded' }
  /** The block that {@link Runtime.context} last gave is another one now; which block, and what changed, in a line or two. */
  | {
      readonly kind: 'context';
      readonly hash: string;
      readonly tokens: number;
      readonly budgetTokens: number;
      readonly readsFiles: boolean;
      /** On whose behalf it was asked for. */
      readonly scope: Scope;
      readonly changes: readonly string[];
    }
  | { readonly kind: 'notice'; readonly text: string; readonly server?: string };

/** Whether the text about servers may be another one after it. */
export function changesBlocks(event: RuntimeEvent): boolean {
  return event.kind === 'synced' ? event.changed : event.kind === 'forgotten' || event.kind === 'reloaded';
}

export type RuntimeListener = (event: RuntimeEvent) => void;
