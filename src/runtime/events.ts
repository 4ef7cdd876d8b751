/** What the runtime tells whoever listens: hosts, the status line, tests. */
import type { EntryState } from '../pool/index.ts';

export type RuntimeEvent =
  | {
      readonly kind: 'session';
      readonly server: string;
      readonly state: EntryState | 'closed';
      readonly reason?: string;
    }
  | {
      readonly kind: 'call';
      readonly server: string;
      readonly tool: string;
      readonly outcome: string;
      readonly durationMs: number;
    }
  | { readonly kind: 'synced'; readonly server: string; readonly changed: boolean }
  | { readonly kind: 'notice'; readonly text: string; readonly server?: string };

export type RuntimeListener = (event: RuntimeEvent) => void;
