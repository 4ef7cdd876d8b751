import type { Presented, ToolResult } from '../../policy/index.ts';
import type { ServerRequest } from './server-request.ts';

export interface CallRequest extends ServerRequest {
  readonly tool: string;
  /** An object, or the JSON text of one (decoded once); anything else is refused. */
  readonly arguments?: unknown;
  /**
   * What the tool's name and arguments are checked against: its descriptor in the registry, or the server's own list, read anew
   * before the call. Default `stored`.
   */
  readonly checkedBy?: 'stored' | 'live';
  /**
   * Whether the guarded form for a model or a terminal is wanted beside the raw result, and how: with every kind of content readable
   * (`true`, default), or with all but texts and images as JSON.
   */
  readonly present?: boolean | 'json';
}

export interface CallValue {
  /** The exact name that was called. */
  readonly tool: string;
  /** As the server sent it; secrets are not redacted. */
  readonly result: ToolResult;
  /** What may be shown; empty when `present` was false. */
  readonly shown: Presented;
}
