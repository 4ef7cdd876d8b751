/**
 * wire, floor 1: bytes <-> JSON-RPC messages. Opens links (stdio, Streamable HTTP, HTTP+SSE, event dialect) to endpoints; ends process
 * trees. Promises: bounded memory, no wait without an abort, nothing left behind by `close`. May import base and the SDK's types.
 *
 * - `stdio`: the link over standard streams. `processes`: starting servers, and ending all that comes of them.
 * - `http-links`: the links over HTTP. `http`: the one client under them, proxies, and which addresses it may reach.
 * - `browser`: the page of a sign-in, and where its answer comes.
 */
export { type CallbackReceiver, openCallbackReceiver } from './browser/callback-receiver.ts';
export { openPage, type PageOpener } from './browser/open-page.ts';
export type { Endpoint, HttpEndpoint, HttpTransportChoice, StdioEndpoint } from './endpoint.ts';
export { openEvents } from './http-links/events.ts';
export { headerValue } from './http-links/message-headers.ts';
export { openSse } from './http-links/sse.ts';
export { openStreamable } from './http-links/streamable.ts';
export { checkHost, type Reach } from './http/address-rule.ts';
export type { AuthorizedAnswer, AuthorizedRequest, Authorization } from './http/authorization.ts';
export { readText } from './http/http-body.ts';
export type { HttpClient, HttpRequest } from './http/http-client.ts';
export { createHttpClient } from './http/http-fetch.ts';
export { isLoopback } from './http/loopback.ts';
export type { JsonRpcId, Link, LinkKind, LinkSendOptions, LinkStats, WireContext } from './link.ts';
export { type LauncherMemory, launcherState, type LauncherState } from './processes/launcher.ts';
export { endLeak, findLeaks, type Leak, type LeakedProcess, type LeakSearch } from './processes/leaks.ts';
export type { KeptProcess, ProcessKeeper } from './processes/process-keeper.ts';
export { createProcessKeeper, type ProcessKeeperOptions } from './processes/process-trees.ts';
export type { Framing } from './stdio/framing.ts';
export { openStdio } from './stdio/stdio.ts';
