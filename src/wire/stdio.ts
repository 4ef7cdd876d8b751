import type { StdioEndpoint } from './endpoint.ts';
import type { Link, WireContext } from './link.ts';

/** A link over the standard streams of a process; spawned by `start`. `server` names it in errors. */
export function openStdio(endpoint: StdioEndpoint, server: string, context: WireContext): Link {
  throw new Error(`not built: ${endpoint.command} ${server} ${Object.keys(context).length}`);
}
