/** What a model says of its target: a file, a server of it, or a URL. */
import type { Definition, ServersFile } from '../../config/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { expectedMembers, type Members, unfit } from '../read-members.ts';
import type { ToolDefinition } from '../tool-object.ts';
import { openServersFile, serverAtUrl, serverOfFile, type Target } from './target.ts';

/** What the three tools work with. */
export interface AdapterContext {
  readonly runtime: Runtime;
  /** See AdapterOptions. */
  readonly cwd: string | undefined;
}

export type NamedTarget =
  | { readonly kind: 'file'; readonly file: ServersFile }
  | { readonly kind: 'server'; readonly target: Target };

/** The target that the members name. Rejects with what stands against reading it, `invalid_arguments` above all. */
export async function readTarget(
  context: AdapterContext,
  definition: ToolDefinition,
  members: Members,
): Promise<NamedTarget> {
  const { runtime, cwd } = context;
  const { configPath, server, url } = textsOf(members);
  if (url !== undefined) {
    if (configPath === undefined && server === undefined) {
      return { kind: 'server', target: await serverAtUrl(runtime, url) };
    }
    throw unfit(definition, 'it takes configPath, with server, or url, not both');
  }
  if (configPath === undefined) {
    const problem = server === undefined ? 'configPath or url is required' : 'server needs the configPath of its file';
    const own = `The user's own servers stand in ${JSON.stringify(runtime.places.serversFile)}.`;
    throw unfit(definition, problem, `${expectedMembers(definition)} ${own}`);
  }
  const file = openServersFile(cwd, configPath);
  return server === undefined
    ? { kind: 'file', file }
    : { kind: 'server', target: serverOfFile(runtime, file, server) };
}

/** The server that the members name. */
export async function readServer(
  context: AdapterContext,
  definition: ToolDefinition,
  members: Members,
): Promise<Target> {
  const named = await readTarget(context, definition, members);
  if (named.kind === 'file') throw unfit(definition, 'server is required with configPath');
  return named.target;
}

/** What a request of the runtime calls a server: its name in the configuration, or its definition. */
export function serverOf(target: Target): string | Definition {
  return target.kind === 'own' ? target.name : target.definition;
}

/** How it is called in what a model sees. */
export function nameOf(target: Target): string {
  return target.kind === 'own' ? target.name : target.definition.name;
}

/** The time limit that the members ask for, in milliseconds. */
export function timeoutOf({ timeoutSeconds }: Members): number | undefined {
  return typeof timeoutSeconds === 'number' ? timeoutSeconds * 1_000 : undefined;
}

/** Texts by name; null counts as absent. */
function textsOf(members: Members): Readonly<Record<string, string | undefined>> {
  const texts = Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}
