/** Which descriptor a tool's name means: the exact name, else the server's own file key; never a guess. */
import { fileKey, limits, nearest, TrestleError } from '../../base/index.ts';
import { cleanLine, writableName } from '../../policy/index.ts';
import type { Definition } from '../../config/index.ts';
import { findingError, type ToolDescriptor } from '../../registry/index.ts';
import type { Asker } from '../asker.ts';
import type { Core } from '../core.ts';
import { withoutDenied } from '../servers/denied-tools.ts';
import { registeredServers } from '../servers/registered.ts';

/** What stands in the registry; undefined when the server was never synced. Throws `unknown_tool`, or what a broken file says. */
export function storedTool(
  core: Core,
  { name: server, registryName }: Definition,
  { tool, asker }: { readonly tool: string; readonly asker: Asker },
): ToolDescriptor | undefined {
  const found = core.descriptors.find(registryName, tool);
  if (found.value !== undefined) return found.value;
  const known = core.visible.server(registryName);
  const broken = [...found.findings, ...known.findings].find(({ severity }) => severity === 'error');
  if (broken !== undefined) throw findingError(broken);
  if (known.value === undefined) return undefined;
  const { tools } = known.value;
  // Another process synced it between both looks.
  if (tools.some(({ name }) => name === tool)) return core.descriptors.find(registryName, tool).value;
  throw unknownTool({ server, tool, tools, elsewhere: serversWith(core, tool, asker), stored: true });
}

/** What is in a list just read from the server; `exactly` leaves file keys out, which nobody can have read. Throws `unknown_tool`. */
export function listedTool(
  listed: readonly ToolDescriptor[],
  wanted: { readonly definition: Definition; readonly tool: string; readonly exactly?: boolean },
): ToolDescriptor {
  const { definition, tool, exactly = false } = wanted;
  const found =
    listed.find(({ name }) => name === tool) ??
    (exactly ? undefined : listed.find(({ name }) => fileKey(name) === tool));
  if (found !== undefined) return found;
  const tools = withoutDenied(definition, listed);
  throw unknownTool({ server: definition.name, tool, tools, elsewhere: [], stored: false });
}

/** Configured servers that have a tool of exactly this name. */
function serversWith(core: Core, tool: string, asker: Asker): readonly string[] {
  const config = core.config(asker);
  return [...registeredServers(core.visible.servers().value, config)]
    .filter(
      ([name, { tools }]) =>
        config.servers.get(name)?.enabled === true && tools.some((candidate) => candidate.name === tool),
    )
    .map(([name]) => name)
    .sort()
    .slice(0, limits.nearestNames);
}

type NamedTool = Parameters<typeof writableName>[0];

interface UnknownTool {
  readonly server: string;
  readonly tool: string;
  readonly tools: readonly NamedTool[];
  /** Other servers with a tool of exactly this name. */
  readonly elsewhere: readonly string[];
  /** Whether the names come from the registry, which may be older than the server. */
  readonly stored: boolean;
}

/** The nearest as they can be written. What was typed may have been read where a part of the name was hidden. */
function nearestTools(tool: string, tools: readonly NamedTool[]): readonly string[] {
  const written = new Map<string, string>();
  for (const named of tools) {
    const name = writableName(named);
    const shown = name === named.name ? name : cleanLine(named.name, limits.toolNameCharacters);
    if (name === shown || !written.has(shown)) written.set(shown, name);
  }
  return nearest(tool, written.keys(), limits.nearestNames).map((shown) => written.get(shown) ?? shown);
}

function unknownTool({ server, tool, tools, elsewhere, stored }: UnknownTool): TrestleError {
  const names = tools.map(writableName);
  const near = nearestTools(tool, tools);
  const hints = [
    elsewhere.length > 0 && `A tool of this name is on ${elsewhere.join(', ')}.`,
    near.length > 0 && `Did you mean ${near.join(' or ')}?`,
    near.length === 0 && names.length > 0 && names.length <= limits.namesInHint && `Its tools: ${names.join(', ')}.`,
    names.length === 0 && 'It has no tools.',
    stored && near.length === 0 && `If the server has gained it since: trestle sync ${server}.`,
  ].filter((hint) => hint !== false);
  return new TrestleError({
    code: 'unknown_tool',
    message: `${server} has no tool named ${JSON.stringify(tool)}.`,
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
    server,
    details: { nearest: near, elsewhere },
  });
}
