/** What the registry stores: plain data, as in the files. Members unknown to this version are kept. */
import type { JsonObject, JsonValue } from '../base/index.ts';

/** How the server is reached, as configured: `${…}` references stay references, literal secrets are not here. */
export type RecordedTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface RecordedLifecycle {
  readonly mode: 'lazy' | 'eager' | 'keep-alive';
  /** 0 = default. */
  readonly idleTimeoutMinutes: number;
  /** 0 = default. */
  readonly requestTimeoutMs: number;
}

/** `<server>/meta.json` without its digests. */
export interface ServerMeta {
  /** The folder's name. */
  readonly name: string;
  /** The file of a project that asks for this server; its name there is the beginning of `name`. Else it is the user's own. */
  readonly project?: string;
  readonly description: string;
  readonly instructions: string;
  readonly transport: RecordedTransport;
  readonly auth: { readonly kind: string };
  readonly lifecycle: RecordedLifecycle;
  readonly capabilities: JsonObject;
  readonly syncedFrom: 'live-server' | 'manual';
  /** ISO 8601, UTC. */
  readonly syncedAt: string;
}

/**
 * One tool as stored: every member the server sent, in the order name, title, description, inputSchema, outputSchema,
 * annotations, the rest. Only `name` is sure to be well-formed; a missing inputSchema reads as `{}`.
 */
export interface ToolDescriptor {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonValue;
  readonly outputSchema?: JsonValue;
  readonly annotations?: JsonObject;
  readonly [member: string]: JsonValue | undefined;
}

/** A resource, resource template or prompt as stored; named by `uri`, `uriTemplate` or `name`. */
export type ListedItem = JsonObject;

/** Lists that a connection told. One that was not read is undefined: the registry keeps what it had. */
export interface LiveLists {
  readonly tools: readonly ToolDescriptor[] | undefined;
  readonly resources: readonly ListedItem[] | undefined;
  readonly resourceTemplates: readonly ListedItem[] | undefined;
  readonly prompts: readonly ListedItem[] | undefined;
}

/** What one connection told: the input of a sync. */
export interface LiveCatalogue extends LiveLists {
  readonly meta: Omit<ServerMeta, 'syncedAt' | 'syncedFrom'>;
}
