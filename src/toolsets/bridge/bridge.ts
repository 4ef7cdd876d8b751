import type { Runtime } from '../../runtime/index.ts';
import type { ToolObject } from '../tool-object.ts';

export interface BridgeOptions {
  /** The host's working folder: `downloadPath` is relative to it. Undefined where files would be somebody else's: downloads are refused. */
  readonly downloadRoot: string | undefined;
}

/** The three tools CallMcpTool, FetchMcpResource and ListMcpResources over a runtime. */
export function createBridge(runtime: Runtime, options: BridgeOptions): readonly ToolObject[] {
  throw new Error(`not built: ${Object.keys(runtime).length} ${String(options.downloadRoot)}`);
}
