/**
 * The end of process trees. One keeper a Trestle process: it marks what it starts, knows every tree by process group, by
 * descent and by the mark in the environment, and keeps one small watcher process that ends what is left when Trestle itself
 * dies, SIGKILL included.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { StdioEndpoint } from '../endpoint.ts';

export interface KeptProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** To be called when the server has sent a message: a launcher, if there was one, has done its work. */
  readonly answered: () => void;
  /**
   * Ends the tree: end of input, grace, SIGTERM, grace, SIGKILL, until nothing of it is left. A tree that leaves in time is
   * never signalled. Idempotent; resolves when the tree is gone.
   */
  end(): Promise<void>;
}

export interface ProcessKeeper {
  /** Starts a server's process in a group of its own. Throws `command_not_found`, `cwd_not_found`, `spawn_failed`. */
  start(endpoint: StdioEndpoint, server: string): Promise<KeptProcess>;
  /** Ends every tree and the watcher. */
  close(): Promise<void>;
}
