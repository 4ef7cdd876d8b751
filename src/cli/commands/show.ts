/** `show`: a server, or one tool with its arguments; from the registry, unless the server is given in place. */
import { nearest, type TrestleError } from '../../base/index.ts';
import { findingError, type RegistryFinding, type ServerMeta } from '../../registry/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { requestFlags, usage, type Word } from '../flags.ts';
import { folderOf, serverWith, typedToolNames } from '../known-names.ts';
import { printTool } from '../print-tool.ts';
import { refuseUnnameable } from '../refuse-unnameable.ts';
import { renderFinding } from '../render/finding.ts';
import { renderJson } from '../render/json.ts';
import { renderServer, type ShownServer } from '../render/descriptor.ts';
import { shortTime } from '../render/time.ts';
import type { TypedName } from '../suggest.ts';
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
    if (target.kind === 'ad-hoc') {
      const { showLive } = await import('../show-live.ts');
      return showLive(context, { runtime, target, tool, limits: words.flags });
    }
    await refuseUnnameable(runtime, context.typed, { ...target, orTool: tool === undefined });
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
    throw await missingServer(context, runtime, {
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
      throw await missingServer(context, runtime, { target, findings: [] });
    const { toolHint, unknownTool } = await import('../suggest.ts');
    const [near] = nearest(tool.text, typedToolNames(runtime, target.name), 1);
    const elsewhere = serverWith(runtime, tool.text);
    const hint = toolHint({ runtime, typed: context.typed, target, tool, near, elsewhere });
    throw unknownTool(target.name, tool.text, hint);
  }
  await printTool(context, { words: [target.name], tool: value });
  reportFindings(context, findings);
  return exitCodes.ok;
}

/** Why nothing is shown of it. */
async function missingServer(
  { typed }: CommandContext,
  runtime: Runtime,
  { target, findings }: { readonly target: TypedName; readonly findings: readonly RegistryFinding[] },
): Promise<TrestleError> {
  const broken = findings.find(({ severity }) => severity === 'error');
  if (broken !== undefined) return findingError(broken);
  const refusal = (await import('../suggest.ts')).nothingToTell(runtime, typed, target);
  if (refusal !== undefined) return refusal;
  return usage(
    `${target.name} was never synced, so nothing is known of it.`,
    `Read it first: ${commandLine(typed, 'sync', target.name)}`,
  );
}

function reportFindings(context: CommandContext, findings: readonly RegistryFinding[]): void {
  for (const finding of findings) context.output.error(`${renderFinding(finding, context.output.errorStyle)}\n`);
}
