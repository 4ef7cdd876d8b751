import type { Execution, JsonObject, JsonValue } from '../../base/index.ts';
import type { ServerRequest } from './server-request.ts';

/** One JSON-RPC request as somebody wrote it; the server is one that is reached over HTTP. */
export interface PostRequest extends ServerRequest {
  readonly method: string;
  /** Sent as they are; default {}. Where their `_meta` names a protocol version, the headers of that revision go with them. */
  readonly params?: JsonValue;
  /** Default 1. */
  readonly id?: string | number;
}

export interface PostValue {
  /** The response object as the server sent it, whether it holds a result or an error. */
  readonly response: JsonObject;
  /** Whether the server executed the request: `done` for a result, for an error what the protocol says of its code. */
  readonly execution: Execution;
}
