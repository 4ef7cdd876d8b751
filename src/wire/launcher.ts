/** Package launchers (npx, …) and whether what they start is already on the disk. */
import type { StdioEndpoint } from './endpoint.ts';

/** `none`: the command is no launcher; `cached`: it starts what is there; `uncached`: it will download first. */
export type LauncherState = 'none' | 'cached' | 'uncached';

/** Looks at the launcher's cache without starting it; whatever cannot be decided is `uncached`. */
export function launcherState(endpoint: StdioEndpoint): LauncherState {
  throw new Error(`not built: ${endpoint.command}`);
}
