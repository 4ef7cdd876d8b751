/**
 * toolsets, floor 5: what a model sees, for any host. `bridge` gives three tools that stay the same whatever servers there
 * are; `adapter` is three that take their server from a file or a URL. Promises: definitions never change at run time; `execute`
 * never throws for what a server or model did. May import runtime, config, policy and base.
 */
export { type AdapterOptions, createAdapter } from './adapter/adapter.ts';
export { type BridgeOptions, createBridge } from './bridge/bridge.ts';
export { callMcpTool, fetchMcpResource, listMcpResources } from './bridge/definitions.ts';
export { failedOutput } from './define-tool.ts';
export type { ToolControl, ToolDefinition, ToolObject, ToolOutput } from './tool-object.ts';
