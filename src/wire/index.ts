/**
 * wire, floor 1: bytes <-> JSON-RPC messages. Opens links (stdio, Streamable HTTP, HTTP+SSE, event dialect) to endpoints; ends process
 * trees. Promises: bounded memory, no wait without an abort, nothing left behind by `close`. May import base and the SDK's types.
 */
export { checkHost, type Reach } from './address-rule.ts';
export type { AuthorizedAnswer, AuthorizedRequest, Authorization } from './authorization.ts';
export { type CallbackReceiver, openCallbackReceiver } from './callback-receiver.ts';
export type { Endpoint, HttpEndpoint, HttpTransportChoice, StdioEndpoint } from './endpoint.ts';
export { openEvents } from './events.ts';
export type { Framing } from './framing.ts';
export type { HttpClient, HttpRequest } from './http-client.ts';
export { createHttpClient } from './http-fetch.ts';
export { readText } from './http-body.ts';
export { isLoopback } from './loopback.ts';
export { openPage, type PageOpener } from './open-page.ts';
export { headerValue } from './message-headers.ts';
export { type LauncherMemory, launcherState, type LauncherState } from './launcher.ts';
export { endLeak, findLeaks, type Leak, type LeakedProcess, type LeakSearch } from './leaks.ts';
export type { JsonRpcId, Link, LinkKind, LinkSendOptions, LinkStats, WireContext } from './link.ts';
export type { KeptProcess, ProcessKeeper } from './process-keeper.ts';
export { createProcessKeeper, type ProcessKeeperOptions } from './process-trees.ts';
export { openSse } from './sse.ts';
export { openStdio } from './stdio.ts';
export { openStreamable } from './streamable.ts';
