/** What the block is made of: plain data about servers, as the registry and the configuration know them. */

/** One tool that a server offers. Texts are as the server gave them; the block cleans what it shows. */
export interface ToolOffer {
  readonly name: string;
  /** File name of its descriptor without extension; CallMcpTool takes it in the name's place. */
  readonly key: string;
  readonly description: string;
  /** Its whole description and its input schema as JSON; only where schemas may be inlined at all. */
  readonly full?: { readonly description: string; readonly schemaJson: string };
}

/** One server that can be called. */
export interface ServerOffer {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  /** Absolute path of its folder in the registry. */
  readonly folder: string;
  readonly tools: readonly ToolOffer[];
  readonly resources: number;
}

/** A server that is known and not offered, and why, in one clause. */
export interface LeftOutServer {
  readonly server: string;
  readonly why: string;
}

export interface Offers {
  /** Absolute path of the registry: every server's folder is in it under its name. */
  readonly root: string;
  readonly servers: readonly ServerOffer[];
  readonly leftOut: readonly LeftOutServer[];
}

export interface BlockSettings {
  /** Budget of the whole block in o200k tokens. */
  readonly budgetTokens: number;
  /** Schemas are inlined when there are at most so many tools in all; 0 = never. */
  readonly schemaToolLimit: number;
  /** Whether whoever reads the block can read files: else it has no paths, and says how to read a descriptor through the tools. */
  readonly readsFiles: boolean;
}
