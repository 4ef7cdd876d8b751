import type { HttpEndpoint } from './endpoint.ts';
import type { Link, WireContext } from './link.ts';

/**
 * A link over Streamable HTTP, both eras. A message whose `params._meta` names a protocol version is modern: its headers come from
 * it (`MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name`), and no session id goes with it. Anything else is legacy.
 */
export function openStreamable(endpoint: HttpEndpoint, server: string, context: WireContext): Link {
  throw new Error(`not built: ${endpoint.url} ${server} ${Object.keys(context).length}`);
}
