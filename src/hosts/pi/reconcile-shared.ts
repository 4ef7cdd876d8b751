/** The registry of a session that shares servers: the daemon brings it up to date, also when the session has ended meanwhile. */
import { dueReason, type Runtime } from '../../runtime/index.ts';

/** What there is of it here. */
export interface SharedServers {
  /** Over the daemon. */
  readonly runtime: Pick<Runtime, 'config' | 'registry' | 'reload'>;
  /** Starts the daemon unless it runs; one that is new to this home reads what is new by itself. Rejects where there can be none. */
  readonly ensureDaemon: () => Promise<'started' | 'running'>;
}

/** Has it done where there is something to do; else no daemon is started. Rejects with what stands against it. */
export async function reconcileShared({ runtime, ensureDaemon }: SharedServers, signal: AbortSignal): Promise<void> {
  if (!hasWork(runtime)) return;
  const found = await ensureDaemon().catch(() => undefined);
  // Without one it is left to this process.
  if (found !== 'started' && !signal.aborted) await runtime.reload({ background: true });
}

/** A server that the registry does not have as it stands, or that is to run before somebody calls it. */
function hasWork(runtime: Pick<Runtime, 'config' | 'registry'>): boolean {
  return [...runtime.config().servers.values()].some((definition) => {
    const { enabled, lifecycle, registryName } = definition;
    return (
      enabled &&
      (lifecycle !== 'lazy' || dueReason(definition, runtime.registry.meta(registryName).value) !== undefined)
    );
  });
}
