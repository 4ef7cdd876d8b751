import type { JsonObject, TrestleError } from '../base/index.ts';
import type { ListedItem, LiveCatalogue, ServerMeta, ToolDescriptor } from './records.ts';

/** One line of the index about a tool. */
export interface IndexedTool {
  readonly name: string;
  /** File name without extension. */
  readonly key: string;
  readonly title?: string;
  readonly description: string;
}

/** What the index says of a server. */
export interface IndexedServer {
  readonly name: string;
  readonly description: string;
  readonly transport: 'stdio' | 'http';
  readonly syncedAt: string;
  readonly tools: readonly IndexedTool[];
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
}

/** Something wrong in a registry file. */
export interface RegistryFinding {
  readonly server: string | undefined;
  /** Absolute path. */
  readonly file: string;
  /** JSON Pointer of the member concerned, '' for the whole file. */
  readonly field: string;
  /** One clause: what is wrong. */
  readonly problem: string;
  readonly severity: 'error' | 'warning';
}

/** A changed item with the members that differ. */
export interface ChangedItem {
  readonly name: string;
  readonly fields: readonly string[];
  /** Set when the digest that pins a descriptor changed too (key order, `default`, `examples`, `_meta` do not count). */
  readonly drift: boolean;
}

export interface ListChanges {
  readonly added: readonly string[];
  readonly changed: readonly ChangedItem[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/** What a sync did. */
export interface SyncChanges {
  readonly server: string;
  readonly tools: ListChanges;
  readonly resources: ListChanges;
  readonly resourceTemplates: ListChanges;
  readonly prompts: ListChanges;
  /** Members of meta.json that changed. */
  readonly meta: readonly string[];
  /** Tools whose stored file had been edited by hand and was overwritten. */
  readonly overwritten: readonly string[];
  /** Whether the stored instructions were edited by hand and therefore kept. */
  readonly instructionsKept: boolean;
  /** Whether an earlier, interrupted sync was repaired. */
  readonly repaired: boolean;
  /** Files that could not be read and stand as they were. */
  readonly findings: readonly RegistryFinding[];
}

export interface ApplyOptions {
  /** Overwrites a server whose `syncedFrom` is `manual`. */
  readonly force?: boolean;
  /** Time of the sync for meta.json, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A read that names what was wrong beside what could be read. */
export interface Read<T> {
  readonly value: T;
  readonly findings: readonly RegistryFinding[];
}

/** Reads are synchronous: they serve the command line's start-up path and touch only the index and the files asked for. */
export interface Registry {
  readonly root: string;
  /** Every known server; the index is rebuilt when it is older than its sources. */
  servers(): Read<readonly IndexedServer[]>;
  server(name: string): Read<IndexedServer | undefined>;
  meta(server: string): Read<ServerMeta | undefined>;
  /** By exact name, else by this server's file key. */
  tool(server: string, nameOrKey: string): Read<ToolDescriptor | undefined>;
  tools(server: string): Read<readonly ToolDescriptor[]>;
  resources(
    server: string,
  ): Read<{ readonly resources: readonly ListedItem[]; readonly resourceTemplates: readonly ListedItem[] }>;
  prompts(server: string): Read<readonly ListedItem[]>;
  /** Absolute path of a server's folder, or of one of its tools. */
  path(server: string, toolKey?: string): string;
  /** Applies diff(live, disk) under the registry's lock. Throws `registry_invalid` (manual without force), `locked`, `file_error`. */
  apply(live: LiveCatalogue, options: ApplyOptions): Promise<SyncChanges>;
  /** Removes a server's folder, following no link; false when there was none. */
  remove(server: string): Promise<boolean>;
  /** Checks every file and rebuilds the index. */
  validate(): Promise<readonly RegistryFinding[]>;
}

/** The registry in the folder `root`, which need not exist yet. */
export function openRegistry(root: string): Registry {
  throw new Error(`not built: ${root}`);
}

/** What pins a descriptor: a digest that ignores key order, `default`, `examples` and `_meta`. Lower-case hex SHA-256. */
export function descriptorDigest(descriptor: JsonObject | ToolDescriptor): string {
  throw new Error(`not built: ${JSON.stringify(descriptor)}`);
}

/** A finding as an error, for doors that must fail on it. */
export function findingError(finding: RegistryFinding): TrestleError {
  throw new Error(`not built: ${finding.file}`);
}
