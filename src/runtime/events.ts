/** What the runtime tells whoever listens: hosts, the status line, tests. */
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
    }
  | { readonly kind: 'synced'; readonly server: string; readonly changed: boolean }
  /** The block that {@link Runtime.context} last gave is another one now; which block, and what changed, in a line or two. */
  | {
      readonly kind: 'context';
      readonly hash: string;
      readonly tokens: number;
      readonly budgetTokens: number;
      readonly readsFiles: boolean;
      readonly changes: readonly string[];
    }
  | { readonly kind: 'notice'; readonly text: string; readonly server?: string };

export type RuntimeListener = (event: RuntimeEvent) => void;
