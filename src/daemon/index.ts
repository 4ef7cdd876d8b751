/**
 * daemon, floor 5: one process a home that keeps servers warm between commands. Promises: a client's secrets reach only
 * servers that were asked for on its behalf; a request is sent once; what goes wrong before that is done in the client's own
 * process. May import floors 0 to 4. What a warm command needs is small; starting and serving are loaded where they are used.
 */
export type { ClientOptions } from './client-options.ts';
export type { DaemonOptions } from './daemon-options.ts';
export { createDaemonClient, type DaemonClientOptions } from './client.ts';
export {
  type DaemonSight,
  ensureDaemon,
  type EnsureOptions,
  lookAtDaemon,
  stopDaemon,
  type Stopped,
} from './control.ts';
export { readDaemonLog } from './log.ts';
export type { AboutDaemon } from './protocol.ts';
export { runDaemon } from './run.ts';
