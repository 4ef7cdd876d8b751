/** Three tools over a runtime: call a tool, read a resource, list resources. Thin: the runtime decides, these render. */
import { asTrestleError, type JsonValue } from '../../base/index.ts';
import { type Asker, type Failed, hasValue, type Outcome, type Runtime } from '../../runtime/index.ts';
import { defineTool, type RunTool } from '../define-tool.ts';
import type { Members } from '../read-members.ts';
import type { ToolControl, ToolDefinition, ToolObject, ToolOutput } from '../tool-object.ts';
import { textOutput, valueOutput } from '../tool-output.ts';
import { callMcpTool, fetchMcpResource, listMcpResources } from './definitions.ts';
import { describeSaved, downloadTarget, saveContents } from './download.ts';
import { registryServer } from './registry-address.ts';
import { callRegistry, listRegistry, readRegistry, registryContents } from './registry-server.ts';
import { resourceListText } from './resource-list.ts';

export interface BridgeOptions {
  /** The host's working folder: `downloadPath` is relative to it. Undefined where files would be somebody else's: downloads are refused. */
  readonly downloadRoot: string | undefined;
  /** Writes our commands in hints as the host's person can run them; default: as they are, `trestle COMMAND`. */
  readonly pasteable?: (text: string) => string;
}

/** The three tools CallMcpTool, FetchMcpResource and ListMcpResources over a runtime. */
export function createBridge(runtime: Runtime, options: BridgeOptions): readonly ToolObject[] {
  const { downloadRoot, pasteable } = options;
  const define = (definition: ToolDefinition, run: RunTool): ToolObject => defineTool(definition, run, pasteable);
  return [
    define(callMcpTool, (members, control) => callTool(runtime, members, control)),
    define(fetchMcpResource, (members, control) => {
      const { uri, downloadPath } = members;
      if (members['server'] === registryServer && typeof downloadPath !== 'string')
        return readRegistry(runtime, String(uri), askerOf(control));
      const request = { server: String(members['server']), uri: String(uri), ...control };
      return typeof downloadPath === 'string'
        ? downloadResource(runtime, request, downloadTarget(downloadRoot, downloadPath))
        : readResource(runtime, request);
    }),
    define(listMcpResources, (members, control) =>
      members['server'] === registryServer
        ? listRegistry(runtime, askerOf(control))
        : listResources(runtime, { server: String(members['server']), ...control }),
    ),
  ];
}

async function callTool(runtime: Runtime, members: Members, control: ToolControl): Promise<ToolOutput | Failed> {
  if (members['server'] === registryServer) {
    return callRegistry(runtime, {
      tool: String(members['toolName']),
      args: members['arguments'],
      asker: askerOf(control),
    });
  }
  const outcome = await runtime.call({
    server: String(members['server']),
    tool: String(members['toolName']),
    arguments: members['arguments'],
    ...control,
  });
  if (!hasValue(outcome)) return outcome;
  const { tool, result, shown } = outcome.value;
  return valueOutput(runtime, outcome, {
    shown,
    details: { tool },
    member: 'result',
    raw: result,
    label: `${String(members['server'])} ${tool}`,
    scope: control.scope,
  });
}

/** On whose behalf a tool is used: a host's own folder, in its session. */
function askerOf({ scope }: ToolControl): Asker {
  return { scope };
}

interface Request extends ToolControl {
  readonly server: string;
}

async function readResource(
  runtime: Runtime,
  request: Request & { readonly uri: string },
): Promise<ToolOutput | Failed> {
  const outcome = await runtime.read(request);
  if (!hasValue(outcome)) return outcome;
  const { uri, contents, shown } = outcome.value;
  return valueOutput(runtime, outcome, {
    shown,
    details: { uri },
    member: 'contents',
    raw: contents,
    label: `${request.server} ${uri}`,
    scope: request.scope,
  });
}

async function downloadResource(
  runtime: Runtime,
  request: Request & { readonly uri: string },
  target: string,
): Promise<ToolOutput | Failed> {
  const outcome = await contentsOf(runtime, request);
  if (!hasValue(outcome)) return outcome;
  const saved = await saveContents(target, outcome.value, (text) => runtime.redact(text)).catch((error: unknown) => {
    throw asTrestleError(error, { execution: 'done' });
  });
  return textOutput(runtime, outcome, {
    text: describeSaved(saved),
    label: 'download',
    scope: request.scope,
    details: { uri: request.uri },
    member: 'saved',
    raw: saved.map(({ path, bytes, mimeType }) => ({ path, bytes, ...(mimeType === undefined ? {} : { mimeType }) })),
  });
}

async function contentsOf(
  runtime: Runtime,
  request: Request & { readonly uri: string },
): Promise<Outcome<readonly JsonValue[]>> {
  if (request.server === registryServer) {
    return {
      kind: 'ok',
      value: [registryContents(runtime, request.uri, askerOf(request))],
      execution: 'done',
      notes: [],
    };
  }
  const outcome = await runtime.read({ ...request, present: false });
  return hasValue(outcome) ? { ...outcome, value: outcome.value.contents } : outcome;
}

async function listResources(runtime: Runtime, request: Request): Promise<ToolOutput | Failed> {
  const outcome = await runtime.listResources(request);
  if (!hasValue(outcome)) return outcome;
  const { resources, resourceTemplates } = outcome.value;
  return textOutput(runtime, outcome, {
    text: resourceListText(outcome.value),
    label: `${request.server} resources`,
    scope: request.scope,
    details: { resources: resources.length, resourceTemplates: resourceTemplates.length },
    member: 'lists',
    raw: { resources, resourceTemplates },
  });
}
