/** `show`: a server, or one tool with its arguments; from the registry, unless the server is given in place. */
import { type JsonObject, nearest, TrestleError } from '../../base/index.ts';
import { findingError, type RegistryFinding, type ServerMeta, type ToolDescriptor } from '../../registry/index.ts';
import { type Inspection, hasValue, type Runtime } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { requestFlags, usage, type Word } from '../flags.ts';
import { nameOf } from '../render/cell.ts';
import { renderFinding } from '../render/finding.ts';
import { renderJson } from '../render/json.ts';
import { renderServer, renderTool, type ShownServer } from '../render/descriptor.ts';
import { shortTime } from '../render/time.ts';
import { printFailed } from '../report.ts';
import type { RequestLimits } from '../request.ts';
import {
  folderOf,
  knownServers,
  refuseUnnameable,
  serverWith,
  waitingError,
  toolHint,
  toolNames,
  unknownServer,
  type TypedName,
} from '../suggest.ts';
import { readTarget, refuseFurther, type Target } from '../target.ts';
import { commandLine } from '../typed-command.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'Shows a server, or one of its tools with its arguments and how to call it.',
  usage: ['show <server> [tool]', 'show <url> [tool]', 'show [tool] -- command args…'],
  flags: requestFlags,
  words: ['server', 'tool'],
  json: "Print the tool's descriptor as stored; of a server { meta, tools, resources, resourceTemplates, prompts }.",
  details: ['A configured server is not started: the answer comes from the registry.'],
  examples: ['show everything', 'show everything echo', 'show echo -- npx -y @modelcontextprotocol/server-everything'],
  async run(context, words) {
    const { target, words: after } = readTarget(words);
    const [tool, ...others] = after;
    refuseFurther(others, 'the tool');
    const runtime = context.runtime();
    if (target.kind === 'ad-hoc') return showLive(context, { runtime, target, tool, limits: words.flags });
    refuseUnnameable(runtime, context.typed, { ...target, orTool: tool === undefined });
    return tool === undefined ? showServer(context, runtime, target) : showTool(context, { runtime, target, tool });
  },
});

type Named = Extract<Target, { readonly kind: 'named' }>;

async function showServer(context: CommandContext, runtime: Runtime, target: Named): Promise<number> {
  const { output, typed } = context;
  const { registry } = runtime;
  const folder = folderOf(runtime, target.name);
  const meta = registry.meta(folder);
  const server = registry.server(folder);
  if (meta.value === undefined || server.value === undefined) {
    throw missingServer(context, runtime, {
      target: { ...target, orTool: true },
      findings: [...meta.findings, ...server.findings],
    });
  }
  if (output.json) {
    const { resources, resourceTemplates } = registry.resources(folder).value;
    await output.write(
      renderJson({
        meta: meta.value,
        tools: server.value.tools,
        resources,
        resourceTemplates,
        prompts: registry.prompts(folder).value,
      }),
    );
  } else {
    const { tools, resources, resourceTemplates, prompts } = server.value;
    const shown: ShownServer = {
      ...describeMeta(meta.value),
      name: target.name,
      tools,
      resources,
      resourceTemplates,
      prompts,
    };
    await output.lines([
      ...renderServer(shown, output.style, output.columns),
      '',
      `More: ${commandLine(typed, 'show', target.name)} TOOL`,
    ]);
  }
  reportFindings(context, [...meta.findings, ...server.findings]);
  return exitCodes.ok;
}

function describeMeta(meta: ServerMeta): Pick<ShownServer, 'name' | 'description' | 'instructions' | 'facts'> {
  const { name, description, instructions, transport, lifecycle, syncedAt, syncedFrom, capabilities } = meta;
  const reached = transport.kind === 'http' ? transport.url : [transport.command, ...transport.args].join(' ');
  return {
    name,
    description,
    instructions,
    facts: [
      ['reached', reached],
      ['lifecycle', lifecycle.mode],
      ['capabilities', Object.keys(capabilities).join(', ')],
      [
        'synced',
        `${syncedAt === '' ? 'never' : shortTime(syncedAt)}${syncedFrom === 'manual' ? ', written by hand' : ''}`,
      ],
    ],
  };
}

async function showTool(
  context: CommandContext,
  asked: { readonly runtime: Runtime; readonly target: Named; readonly tool: Word },
): Promise<number> {
  const { runtime, target, tool } = asked;
  const folder = folderOf(runtime, target.name);
  const { value, findings } = runtime.registry.tool(folder, tool.text);
  if (value === undefined) {
    const broken = findings.find(({ severity }) => severity === 'error');
    if (broken !== undefined) throw findingError(broken);
    if (runtime.registry.server(folder).value === undefined)
      throw missingServer(context, runtime, { target, findings: [] });
    const [near] = nearest(tool.text, toolNames(runtime, target.name), 1);
    const elsewhere = serverWith(runtime, tool.text);
    throw unknownTool(
      target.name,
      tool.text,
      toolHint({ runtime, typed: context.typed, target, tool, near, elsewhere }),
    );
  }
  await printTool(context, { server: target.name, words: [target.name], tool: value });
  reportFindings(context, findings);
  return exitCodes.ok;
}

async function printTool(
  context: CommandContext,
  shown: {
    readonly server: string;
    readonly words: readonly string[];
    readonly tool: ToolDescriptor | JsonObject;
    readonly command?: readonly string[];
  },
): Promise<void> {
  const { output, typed } = context;
  if (output.json) await output.write(renderJson(shown.tool));
  else {
    const call = (name: string, pairs: readonly string[]): string =>
      commandLine(
        typed,
        'call',
        ...shown.words,
        name,
        ...pairs,
        ...(shown.command === undefined ? [] : ['--', ...shown.command]),
      );
    await output.lines(renderTool(shown.tool, output.style, call));
  }
}

async function showLive(
  context: CommandContext,
  asked: {
    readonly runtime: Runtime;
    readonly target: Extract<Target, { readonly kind: 'ad-hoc' }>;
    readonly tool: Word | undefined;
    readonly limits: RequestLimits;
  },
): Promise<number> {
  const { runtime, target, tool } = asked;
  const { output } = context;
  const { withProgress } = await import('../request.ts');
  const outcome = await withProgress(context, { target, limits: asked.limits }, (request) => runtime.inspect(request));
  if (!hasValue(outcome)) return printFailed(outcome, output);
  const inspection = outcome.value;
  if (tool !== undefined) {
    const found = inspection.tools.find((candidate) => candidate['name'] === tool.text);
    if (found === undefined) {
      const names = inspection.tools.map((candidate) => nameOf(candidate)).join(', ');
      throw unknownTool(target.definition.name, tool.text, `Its tools: ${names}.`);
    }
    const { transport } = target.definition;
    const reached =
      transport.kind === 'http'
        ? { words: [transport.url] }
        : { words: [], command: [transport.command, ...transport.args] };
    await printTool(context, { server: target.definition.name, ...reached, tool: found });
  } else if (output.json) await output.write(renderJson(inspection));
  else
    await output.lines(
      renderServer(describeInspection(inspection, target.definition.name), output.style, output.columns),
    );
  for (const problem of inspection.problems) output.note(problem);
  return exitCodes.ok;
}

function describeInspection(inspection: Inspection, name: string): ShownServer {
  const { info, tools, resources, resourceTemplates, prompts } = inspection;
  return {
    name: info.serverInfo?.name ?? name,
    description: info.serverInfo?.title ?? '',
    instructions: info.instructions ?? '',
    facts: [
      ['version', info.serverInfo?.version ?? ''],
      ['protocol', `${info.protocolVersion} (${info.era}) over ${info.link}`],
      ['capabilities', Object.keys(info.capabilities).join(', ')],
    ],
    tools: tools.map((tool) => ({
      name: nameOf(tool),
      description: typeof tool['description'] === 'string' ? tool['description'] : '',
    })),
    resources: resources.length,
    resourceTemplates: resourceTemplates.length,
    prompts: prompts.length,
  };
}

function missingServer(
  context: CommandContext,
  runtime: Runtime,
  facts: { readonly target: TypedName; readonly findings: readonly RegistryFinding[] },
): TrestleError {
  const { target } = facts;
  const broken = facts.findings.find(({ severity }) => severity === 'error');
  if (broken !== undefined) return findingError(broken);
  if (!knownServers(runtime).includes(target.name)) return unknownServer(runtime, context.typed, target);
  const waiting = waitingError(context, runtime, target.name);
  if (waiting !== undefined) return waiting;
  return usage(
    `${target.name} was never synced, so nothing is known of it.`,
    `Read it first: ${commandLine(context.typed, 'sync', target.name)}`,
  );
}

function unknownTool(server: string, tool: string, hint: string): TrestleError {
  return new TrestleError({
    code: 'unknown_tool',
    message: `${server} has no tool named ${JSON.stringify(tool)}.`,
    hint,
    server,
    execution: 'not-sent',
  });
}

function reportFindings(context: CommandContext, findings: readonly RegistryFinding[]): void {
  for (const finding of findings) context.output.error(`${renderFinding(finding, context.output.errorStyle)}\n`);
}
