/**
 * The virtual server `registry`: a model that cannot read files finds tools and reads their descriptors through the three tools.
 * Answers from the registry's files alone; only what can be called is there.
 */
import { type JsonObject, limits, nearest, plural, shorten, stringifyJson, TrestleError } from '../../base/index.ts';
import type { ConfigView } from '../../config/index.ts';
import { writableName } from '../../policy/index.ts';
import {
  type Asker,
  type FoundTools,
  type Outcome,
  readArguments,
  registeredServers,
  registryNameIn,
  type Runtime,
} from '../../runtime/index.ts';
import { readMembers } from '../read-members.ts';
import type { ToolDefinition, ToolOutput } from '../tool-object.ts';
import { textOutput, type Written } from '../tool-output.ts';
import {
  descriptorTemplate,
  descriptorUri,
  readAddress,
  registryServer,
  searchTemplate,
  searchUri,
  unknownResource,
} from './registry-address.ts';
import { resourceListText } from './resource-list.ts';

const text = { type: 'string' } as const;

/** The one tool of the registry. */
const searchTool: ToolDefinition = {
  name: 'search',
  description: 'Finds tools by what they do, best first.',
  inputSchema: {
    type: 'object',
    properties: {
      query: text,
      server: text,
      limit: { type: 'integer', minimum: 1, maximum: limits.searchPageTools.most },
      cursor: text,
    },
    required: ['query'],
  },
};

/** All descriptors, and how to search them. */
export async function listRegistry(runtime: Runtime, asker: Asker): Promise<ToolOutput> {
  const config = runtime.config(asker);
  const callable = new Set(runtime.callable(asker));
  const { value, findings } = runtime.registry.servers();
  const listed = [...registeredServers(value, config)].filter(([name]) => callable.has(name));
  const folders = new Set(listed.map(([, { name }]) => name));
  const resources = listed
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([server, { tools }]) =>
      tools.map((tool): JsonObject => {
        const name = writableName(tool);
        return { uri: descriptorUri(server, name), name, description: tool.description };
      }),
    );
  const resourceTemplates = [
    { uriTemplate: searchTemplate, name: 'search', description: searchTool.description },
    { uriTemplate: descriptorTemplate, name: 'descriptor', description: 'The whole descriptor of one tool.' },
  ];
  const problems = findings.filter(({ server }) => server === undefined || folders.has(server)).map(findingText);
  return answer(runtime, {
    // First: a long list is cut.
    text: `Search instead of reading on: registry://search?q=WORDS\n\n${resourceListText({ resources, resourceTemplates, problems })}`,
    label: 'registry list',
    scope: asker.scope,
    details: { resources: resources.length, resourceTemplates: resourceTemplates.length },
    member: 'lists',
    raw: { resources, resourceTemplates },
  });
}

/** A descriptor, or what a search finds. Throws `unknown_resource` and what a search does. */
export async function readRegistry(runtime: Runtime, uri: string, asker: Asker): Promise<ToolOutput> {
  const address = readAddress(uri);
  if (address.kind === 'search') return searchRegistry(runtime, address.members, asker);
  const contents = registryContents(runtime, uri, asker);
  return answer(runtime, {
    text: contents.text,
    label: `${address.server} ${address.tool} descriptor`,
    scope: asker.scope,
    details: { uri },
    member: 'contents',
    raw: [contents],
  });
}

/** A descriptor as the contents of a resource. Throws `unknown_resource`. */
export function registryContents(runtime: Runtime, uri: string, asker: Asker): JsonObject & { readonly text: string } {
  const address = readAddress(uri);
  const config = runtime.config(asker);
  if (address.kind === 'search' || !runtime.callable(asker).includes(address.server)) {
    throw unknownResource(uri);
  }
  const { value, findings } = runtime.registry.tool(registryNameIn(config.servers, address.server), address.tool);
  if (value === undefined) {
    throw findings[0] === undefined
      ? unknownResource(uri, nearDescriptors(runtime, address, config))
      : unreadable(uri, findings[0]);
  }
  return { uri, mimeType: 'application/json', text: stringifyJson(value) };
}

/** Descriptors of the server whose tools are called nearly so. */
function nearDescriptors(
  { registry }: Runtime,
  { server, tool }: { readonly server: string; readonly tool: string },
  config: ConfigView,
): readonly string[] {
  const tools = registeredServers(registry.servers().value, config).get(server)?.tools ?? [];
  const names = tools.map(({ name }) => name);
  return nearest(tool, names, limits.nearestNames).map((name) => descriptorUri(server, name));
}

/** Calls a tool of the registry. Throws `unknown_tool`, `invalid_arguments` and what a search does. */
export async function callRegistry(
  runtime: Runtime,
  { tool, args, asker }: { readonly tool: string; readonly args: unknown; readonly asker: Asker },
): Promise<ToolOutput> {
  if (tool === searchTool.name) return searchRegistry(runtime, readArguments(args, registryServer), asker);
  const [near] = nearest(tool, [searchTool.name], 1);
  throw new TrestleError({
    code: 'unknown_tool',
    message: `The registry has no tool ${JSON.stringify(tool)}.`,
    hint: `${near === undefined ? '' : 'Did you mean search? '}Its only tool is search {query, server?, limit?, cursor?}; tools of other servers are called by the name of their server.`,
    server: registryServer,
    execution: 'not-sent',
  });
}

async function searchRegistry(runtime: Runtime, given: unknown, asker: Asker): Promise<ToolOutput> {
  const members = readMembers(searchTool, given) as Readonly<Record<string, string | number | null | undefined>>;
  const { query, server, limit, cursor } = members;
  const asked = {
    query: String(query),
    server: typeof server === 'string' ? server : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
    cursor: typeof cursor === 'string' ? cursor : undefined,
  };
  const found = await runtime.search({ ...asked, scope: asker.scope });
  const next = found.next === undefined ? undefined : searchUri({ ...asked, cursor: found.next });
  return answer(runtime, {
    text: foundText(found, next),
    label: 'registry search',
    scope: asker.scope,
    details: { tool: searchTool.name },
    member: 'result',
    raw: found,
  });
}

function foundText({ hits, total, findings }: FoundTools, next: string | undefined): string {
  const heading =
    total === 0
      ? 'No tool matches. Try other words for what it should do.'
      : `${plural(total, 'tool')}, best first. Read the descriptor under the URI before a call.`;
  return [
    heading,
    ...hits.map(({ server, tool, description }) => {
      const said = shorten(oneLine(description), limits.indexDescriptionCharacters);
      const name = writableName({ name: tool });
      return `- ${descriptorUri(server, name)}  ${name} of ${server}${said === '' ? '' : `: ${said}`}`;
    }),
    ...(next === undefined ? [] : [`Next: ${next}`]),
    ...findings.map((finding) => `Left out: ${findingText(finding)}`),
  ].join('\n');
}

/** A line break inside would look like another entry. */
const oneLine = (said: string): string => said.replaceAll(/\s+/g, ' ').trim();

type Finding = FoundTools['findings'][number];

const findingText = ({ file, field, problem }: Finding): string =>
  `${file}${field === '' ? '' : `#${field}`}: ${problem}`;

function unreadable(uri: string, finding: Finding): TrestleError {
  return new TrestleError({
    code: 'registry_unreadable',
    message: `The descriptor ${uri} cannot be read: ${finding.problem}.`,
    hint: `A person can make it anew: trestle sync ${finding.server}`,
    server: registryServer,
    execution: 'not-sent',
  });
}

/** What was read from files was done, and sent nowhere. */
async function answer(runtime: Runtime, written: Written): Promise<ToolOutput> {
  const outcome: Outcome<undefined> = { kind: 'ok', value: undefined, execution: 'done', notes: [] };
  return textOutput(runtime, outcome, written);
}
