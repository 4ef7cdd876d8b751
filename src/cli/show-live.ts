/** `show` of a server that is given in place: it is started, and nothing is stored. */
import { writableName } from '../policy/index.ts';
import { hasValue, type Inspection, type Runtime } from '../runtime/index.ts';
import type { CommandContext } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { Word } from './flags.ts';
import { printTool } from './print-tool.ts';
import { nameOf } from './render/cell.ts';
import { renderServer, type ShownServer } from './render/descriptor.ts';
import { renderJson } from './render/json.ts';
import { printFailed } from './report.ts';
import { type RequestLimits, withProgress } from './request.ts';
import { unknownTool } from './suggest.ts';
import type { Target } from './target.ts';

/** Shows the server, or one of its tools. */
export async function showLive(
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
  const outcome = await withProgress(context, { target, limits: asked.limits }, (request) => runtime.inspect(request));
  if (!hasValue(outcome)) return printFailed(outcome, output);
  const inspection = outcome.value;
  if (tool !== undefined) {
    const named = inspection.tools.map((candidate) => ({
      candidate,
      written: writableName({ name: nameOf(candidate) }),
    }));
    const found =
      inspection.tools.find((candidate) => candidate['name'] === tool.text) ??
      named.find(({ written }) => written === tool.text)?.candidate;
    if (found === undefined) {
      const names = named.map(({ written }) => written).join(', ');
      throw unknownTool(target.definition.name, tool.text, `Its tools: ${names}.`);
    }
    const { transport } = target.definition;
    const reached =
      transport.kind === 'http'
        ? { words: [transport.url] }
        : { words: [], command: [transport.command, ...transport.args] };
    await printTool(context, { ...reached, tool: found });
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
