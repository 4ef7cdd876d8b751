/** `probe`: a close look at a server; nothing is stored, and without `--call` nothing of it is run. */
import { isObject, type JsonObject, plural, stringifyJson } from '../../base/index.ts';
import { cleanLine, sampleArguments, toBlocks, writableName } from '../../policy/index.ts';
import { type CallValue, hasValue, type Inspection, mapText, type Outcome, type Runtime } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { requestFlags } from '../flags.ts';
import type { Output } from '../output.ts';
import { cell, nameOf } from '../render/cell.ts';
import { failureJson } from '../render/failure.ts';
import { renderJson } from '../render/json.ts';
import { wholeText } from '../render/result.ts';
import { renderTable } from '../render/table.ts';
import { printFailed } from '../report.ts';
import { type RequestLimits, withProgress } from '../request.ts';
import { withSuggestion } from '../suggest.ts';
import { readTarget, refuseFurther, type Target } from '../target.ts';

/** Tools called with --call: enough to see whether calls work. */
const toolsCalled = 3;
const descriptionCharacters = 60;
const resultCharacters = 200;

export const probe = defineCommand({
  name: 'probe',
  summary:
    'Connects to a server and shows what it says of itself. Nothing is stored; no tool is called without --call.',
  usage: ['probe -- command args…', 'probe <url>', 'probe <server>'],
  flags: {
    call: {
      kind: 'switch',
      doc: 'Call the first three tools with sample arguments. They really run: a tool may change or delete things.',
    },
    ...requestFlags,
  },
  words: ['server'],
  json: 'Print { info, tools, resources, resourceTemplates, prompts, problems, calls, statistics }.',
  examples: [
    'probe -- npx -y @modelcontextprotocol/server-everything',
    'probe https://example.com/mcp',
    'probe everything --call',
  ],
  async run(context, words) {
    const { target, words: after } = readTarget(words);
    refuseFurther(after, 'the server');
    const { output } = context;
    const runtime = context.runtime();
    const outcome = await withProgress(context, { target, limits: words.flags }, (request) => runtime.inspect(request));
    if (!hasValue(outcome))
      return printFailed(withSuggestion(outcome, { runtime, typed: context.typed, target }), output);

    if (!output.json) await output.lines(renderInspection(outcome.value, context));
    const calls = words.flags.call
      ? await callSamples(context, { runtime, target, inspection: outcome.value, limits: words.flags })
      : [];
    const statistics = statisticsOf(outcome.value, calls.length);
    if (output.json)
      await output.write(
        renderJson({ ...outcome.value, calls: calls.map((call) => callJson(call, runtime, output)), statistics }),
      );
    else await output.lines(renderStatistics(statistics, context));
    for (const problem of outcome.value.problems) output.note(problem);
    return exitCodes.ok;
  },
});

function renderInspection(inspection: Inspection, context: CommandContext): readonly string[] {
  const { style, columns } = context.output;
  const { info, tools } = inspection;
  const facts = [
    ['pid', info.pid === undefined ? '' : String(info.pid)],
    ['handshake', `${info.era}, protocol ${cell(info.protocolVersion)}, over ${info.link}`],
    ['name', cell(info.serverInfo?.name)],
    ['version', cell(info.serverInfo?.version)],
    ['capabilities', cell(stringifyJson(info.capabilities), 1_000)],
  ];
  const rows = tools.map((tool) => [
    `  ${writableName({ name: nameOf(tool) })}`,
    cell(tool['description'], descriptionCharacters),
  ]);
  return [
    ...renderTable(
      facts.filter(([, value]) => value !== ''),
      Number.MAX_SAFE_INTEGER,
      (text, column) => (column === 0 ? style.bold(text) : text),
    ),
    style.bold(`${plural(tools.length, 'tool')}:`),
    ...renderTable(rows, columns),
  ];
}

interface SampleCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly outcome: Outcome<CallValue>;
}

/** Calls one after the other; a failure is shown and the rest goes on, unless the person interrupts. */
async function callSamples(
  context: CommandContext,
  about: {
    readonly runtime: Runtime;
    readonly target: Target;
    readonly inspection: Inspection;
    readonly limits: RequestLimits;
  },
): Promise<readonly SampleCall[]> {
  const { output } = context;
  const calls: SampleCall[] = [];
  for (const tool of about.inspection.tools.slice(0, toolsCalled)) {
    if (context.signal.aborted) break;
    const name = nameOf(tool);
    const args = sampleArguments(tool['inputSchema'] ?? true);
    if (!output.json) await output.lines(['', `${output.style.bold(cell(name))} ${cell(stringifyJson(args), 1_000)}`]);
    const outcome = await withProgress(context, about, (request) =>
      about.runtime.call({ ...request, tool: name, arguments: args, present: false }),
    );
    if (!output.json) await output.lines([`  ${resultLine(outcome, { context, runtime: about.runtime })}`]);
    calls.push({ tool: name, arguments: args, outcome });
  }
  return calls;
}

function resultLine(
  outcome: Outcome<CallValue>,
  { context, runtime }: { readonly context: CommandContext; readonly runtime: Runtime },
): string {
  const { style } = context.output;
  if (!hasValue(outcome))
    return `${style.red(outcome.failure.code)}: ${cleanLine(outcome.failure.message, resultCharacters)}`;
  const text = cleanLine(runtime.redact(wholeText(toBlocks(outcome.value.result))), resultCharacters);
  return outcome.kind === 'tool-error' ? `${style.yellow('isError')}: ${text}` : text;
}

function callJson({ tool, arguments: args, outcome }: SampleCall, runtime: Runtime, output: Output): unknown {
  const told = hasValue(outcome)
    ? { result: mapText(outcome.value.result, (text) => runtime.redact(text)) }
    : failureJson(outcome, output);
  return { tool, arguments: args, ...told };
}

interface Statistics {
  readonly requestsSent: number;
  readonly capabilities: readonly string[];
  readonly tools: number;
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
}

function statisticsOf(inspection: Inspection, callsMade: number): Statistics {
  const { counters, info, tools, resources, resourceTemplates, prompts } = inspection;
  return {
    requestsSent: counters.requestsSent + callsMade,
    capabilities: Object.keys(info.capabilities).filter((name) => isObject(info.capabilities[name])),
    tools: tools.length,
    resources: resources.length,
    resourceTemplates: resourceTemplates.length,
    prompts: prompts.length,
  };
}

function renderStatistics(statistics: Statistics, context: CommandContext): readonly string[] {
  const { requestsSent, capabilities, resources, resourceTemplates, prompts } = statistics;
  const listed = [plural(resources, 'resource'), plural(resourceTemplates, 'template'), plural(prompts, 'prompt')].join(
    ', ',
  );
  return [
    '',
    `${context.output.style.bold('statistics:')} ${plural(requestsSent, 'request')} sent, ${plural(capabilities.length, 'capability', 'capabilities')} declared, ${listed}`,
  ];
}
