/** Three tools that take their server from a file or a URL: list, call, one raw request. Thin: the runtime decides, these render. */
import type { Runtime } from '../../runtime/index.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolObject } from '../tool-object.ts';
import { call } from './call.ts';
import { mcpCall, mcpList, mcpRequest } from './definitions.ts';
import { list } from './list.ts';
import { request } from './request.ts';

export interface AdapterOptions {
  /** The host's working folder: `configPath` is relative to it. Undefined where files would be somebody else's: `configPath` is refused. */
  readonly cwd: string | undefined;
}

/** The three tools mcp_list, mcp_call and mcp_request over a runtime. */
export function createAdapter(runtime: Runtime, options: AdapterOptions): readonly ToolObject[] {
  const context = { runtime, cwd: options.cwd };
  return [
    defineTool(mcpList, (members, control) => list(context, members, control)),
    defineTool(mcpCall, (members, control) => call(context, members, control)),
    defineTool(mcpRequest, (members, control) => request(context, members, control)),
  ];
}
