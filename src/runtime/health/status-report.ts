/** `status`: what is known of servers and their connections. Plain data: it travels over the daemon's socket. */
import type { EntryStatus } from '../../pool/index.ts';

/** One server as `status` shows it. */
export interface ServerStatus {
  readonly name: string;
  /** Where it is known from. */
  readonly known: 'configured' | 'waiting' | 'registry-only' | 'broken';
  readonly enabled: boolean;
  readonly transport: 'stdio' | 'http' | undefined;
  /** The file its entry stands in, or the variable that names it. */
  readonly source: string | undefined;
  /** How many may be called. */
  readonly tools: number | undefined;
  /** How many there are besides that the entry's rules deny. */
  readonly denied: number;
  readonly syncedAt: string | undefined;
  readonly problem: string | undefined;
  /** Tools that are described differently from when a person approved them: they are asked for again. */
  readonly changedSinceApproval: readonly string[];
  readonly entries: readonly EntryStatus[];
}

export interface RuntimeStatus {
  readonly servers: readonly ServerStatus[];
  readonly tools: number;
  readonly denied: number;
  readonly notices: readonly string[];
}
