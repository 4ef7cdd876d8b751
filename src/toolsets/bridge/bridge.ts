/** Three tools over a runtime: call a tool, read a resource, list resources. Thin: the runtime decides, these render. */
import { asTrestleError, type JsonObject, limits } from '../../base/index.ts';
import type { ShownBlock } from '../../policy/index.ts';
import { type Failed, failedOutcome, hasValue, type Outcome, type Runtime } from '../../runtime/index.ts';
import type { ToolControl, ToolObject, ToolOutput } from '../tool-object.ts';
import { callMcpTool, fetchMcpResource, listMcpResources, type ToolDefinition } from './definitions.ts';
import { failureDetails, rawDetails } from './details.ts';
import { describeSaved, downloadTarget, saveContents } from './download.ts';
import { failureText } from './failure-text.ts';
import { readMembers } from './read-members.ts';
import { resourceListText } from './resource-list.ts';

export interface BridgeOptions {
  /** The host's working folder: `downloadPath` is relative to it. Undefined where files would be somebody else's: downloads are refused. */
  readonly downloadRoot: string | undefined;
}

/** The three tools CallMcpTool, FetchMcpResource and ListMcpResources over a runtime. */
export function createBridge(runtime: Runtime, options: BridgeOptions): readonly ToolObject[] {
  return [
    toolObject(callMcpTool, (members, control) => callTool(runtime, members, control)),
    toolObject(fetchMcpResource, (members, control) => {
      const { uri, downloadPath } = members;
      const request = { server: String(members['server']), uri: String(uri), ...control };
      return typeof downloadPath === 'string'
        ? downloadResource(runtime, request, downloadTarget(options.downloadRoot, downloadPath))
        : readResource(runtime, request);
    }),
    toolObject(listMcpResources, (members, control) =>
      listResources(runtime, { server: String(members['server']), ...control }),
    ),
  ];
}

type Members = Readonly<Record<string, unknown>>;

/** A tool object that never rejects: whatever `run` throws becomes a failure the model can read. */
function toolObject(
  definition: ToolDefinition,
  run: (members: Members, control: ToolControl) => Promise<ToolOutput>,
): ToolObject {
  return {
    ...definition,
    async execute(args, control = {}) {
      try {
        return await run(readMembers(definition, args), control);
      } catch (error) {
        return failureOutput(failedOutcome(asTrestleError(error)));
      }
    },
  };
}

async function callTool(runtime: Runtime, members: Members, control: ToolControl): Promise<ToolOutput> {
  const outcome = await runtime.call({
    server: String(members['server']),
    tool: String(members['toolName']),
    arguments: members['arguments'],
    ...control,
  });
  if (!hasValue(outcome)) return failureOutput(outcome);
  const { tool, result, shown } = outcome.value;
  return output(runtime, outcome, {
    blocks: shown.blocks,
    details: { tool },
    member: 'result',
    raw: result,
    path: shown.cut?.path,
  });
}

interface Request extends ToolControl {
  readonly server: string;
}

async function readResource(runtime: Runtime, request: Request & { readonly uri: string }): Promise<ToolOutput> {
  const outcome = await runtime.read(request);
  if (!hasValue(outcome)) return failureOutput(outcome);
  const { uri, contents, shown } = outcome.value;
  return output(runtime, outcome, {
    blocks: shown.blocks,
    details: { uri },
    member: 'contents',
    raw: contents,
    path: shown.cut?.path,
  });
}

async function downloadResource(
  runtime: Runtime,
  request: Request & { readonly uri: string },
  target: string,
): Promise<ToolOutput> {
  const outcome = await runtime.read({ ...request, present: false });
  if (!hasValue(outcome)) return failureOutput(outcome);
  const saved = await saveContents(target, outcome.value.contents, (text) => runtime.redact(text)).catch(
    (error: unknown) => {
      throw asTrestleError(error, { execution: 'done' });
    },
  );
  const shown = await runtime.present([{ type: 'text', text: describeSaved(saved) }], 'download');
  return output(runtime, outcome, {
    blocks: shown.blocks,
    details: { uri: request.uri },
    member: 'saved',
    raw: saved.map(({ path, bytes, mimeType }) => ({ path, bytes, ...(mimeType === undefined ? {} : { mimeType }) })),
    path: undefined,
  });
}

async function listResources(runtime: Runtime, request: Request): Promise<ToolOutput> {
  const outcome = await runtime.listResources(request);
  if (!hasValue(outcome)) return failureOutput(outcome);
  const { resources, resourceTemplates } = outcome.value;
  const text = resourceListText(outcome.value);
  const shown = await runtime.present([{ type: 'text', text }], `${request.server} resources`);
  return output(runtime, outcome, {
    blocks: shown.blocks,
    details: { resources: resources.length, resourceTemplates: resourceTemplates.length },
    member: 'lists',
    raw: { resources, resourceTemplates },
    path: shown.cut?.path,
  });
}

interface Rendered {
  readonly blocks: readonly ShownBlock[];
  readonly details: JsonObject;
  readonly member: string;
  readonly raw: unknown;
  readonly path: string | undefined;
}

function output(
  runtime: Runtime,
  outcome: Exclude<Outcome<unknown>, Failed>,
  { blocks, details, member, raw, path }: Rendered,
): ToolOutput {
  const notes: readonly ShownBlock[] = outcome.notes.map((note) => ({ type: 'text', text: `Note: ${note}` }));
  const content = [...blocks, ...notes];
  const { kind, execution } = outcome;
  const redact = (text: string): string => runtime.redact(text);
  return {
    content: content.length === 0 ? [{ type: 'text', text: '(no output)' }] : content,
    isError: kind === 'tool-error',
    details: {
      kind,
      execution,
      ...details,
      ...rawDetails({ member, raw, maxBytes: detailsBytes(runtime), path, redact }),
    },
  };
}

/** A settings file that broke during the call must not cost its result. */
function detailsBytes(runtime: Runtime): number {
  try {
    return runtime.settings().outputGuard.detailsMaxBytes;
  } catch {
    return limits.detailsBytes;
  }
}

function failureOutput(failed: Failed): ToolOutput {
  return { content: [{ type: 'text', text: failureText(failed) }], isError: true, details: failureDetails(failed) };
}
