import type { HttpEndpoint } from './endpoint.ts';
import type { Link, WireContext } from './link.ts';

/** A link over HTTP+SSE (2024-11-05); `start` waits for the `endpoint` event until `close`. */
export function openSse(endpoint: HttpEndpoint, server: string, context: WireContext): Link {
  throw new Error(`not built: ${endpoint.url} ${server} ${Object.keys(context).length}`);
}
