/**
 * toolsets, floor 5: what a model sees, for any host. `bridge` gives three tools that stay the same whatever servers there
 * are. Promises: definitions never change at run time; `execute` never throws for what a server or model did. May import
 * runtime and base.
 */
export { type BridgeOptions, createBridge } from './bridge/bridge.ts';
export type { ToolControl, ToolObject, ToolOutput } from './tool-object.ts';
