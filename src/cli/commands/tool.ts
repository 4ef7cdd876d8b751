/** `tool`: a tool object of either toolset by its name, as a model would use it. */
import { resolve } from 'node:path';
import { type ErrorCode, isObject, type JsonValue, nearest, TrestleError } from '../../base/index.ts';
import { createAdapter, createBridge, type ToolObject, type ToolOutput } from '../../toolsets/index.ts';
import { argumentsText, parseJsonWord } from '../call-arguments.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodeOf, exitCodes } from '../exit-codes.ts';
import type { Word } from '../flags.ts';
import { showProgress } from '../progress.ts';
import { renderJson } from '../render/json.ts';
import { renderBlocks } from '../render/result.ts';
import { renderRows } from '../render/table.ts';
import { refuseFurther } from '../target.ts';
import { commandLine, correctedCommand } from '../typed-command.ts';

export const tool = defineCommand({
  name: 'tool',
  summary: 'Uses a tool object of the toolsets by its name, as a model would; without a name it lists them.',
  usage: ['tool', "tool <name> ['{…}' | @FILE | -]"],
  flags: {},
  json: 'Print { content, isError, details } of the output; without a name { tools }.',
  details: [
    'The arguments are the JSON that a model would give: itself, from a file, or from standard input; {} when left out.\nStandard output is what the model would see, failures too. Paths are relative to the working folder.',
  ],
  examples: [
    'tool',
    'tool CallMcpTool \'{"server": "everything", "toolName": "echo", "arguments": {"message": "hi"}}\'',
    'tool mcp_list \'{"configPath": ".mcp.json"}\'',
    'tool mcp_call @call.json --json',
  ],
  async run(context, words) {
    const [name, given, ...others] = words.words;
    refuseFurther(others, 'the arguments');
    const { cwd } = context.surroundings;
    const runtime = context.runtime();
    const tools = [...createBridge(runtime, { downloadRoot: cwd }), ...createAdapter(runtime, { cwd })];
    if (name === undefined) return listTools(context, tools);
    const chosen = tools.find((candidate) => candidate.name === name.text) ?? unknownTool(context, tools, name);
    const args = given === undefined ? {} : await readArguments(context, given.text);
    const output = await execute(context, chosen, args);
    await deliver(context, output);
    return exitCodeOfOutput(output);
  },
});

async function listTools({ output }: CommandContext, tools: readonly ToolObject[]): Promise<number> {
  if (output.json) {
    const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    await output.write(renderJson({ tools: listed }));
  } else {
    const rows = tools.map(({ name, description }) => [name, description.split(/(?<=\.)\s/, 1)[0] ?? '']);
    const paint = (text: string, column: number): string => (column === 0 ? output.style.bold(text) : text);
    await output.lines(renderRows(rows, output, paint));
  }
  return exitCodes.ok;
}

function unknownTool({ typed }: CommandContext, tools: readonly ToolObject[], { text, at }: Word): never {
  const names = tools.map(({ name }) => name);
  const [guess] = nearest(text, names, 1);
  throw new TrestleError({
    code: 'unknown_tool',
    message: `There is no tool object named ${JSON.stringify(text)}.`,
    hint:
      guess === undefined
        ? `There are ${names.join(', ')}. A tool of a server is called with: ${commandLine(typed, 'help', 'call')}`
        : `Did you mean: ${correctedCommand(typed, [{ at, words: [guess] }])}`,
    execution: 'not-sent',
  });
}

async function readArguments({ surroundings }: CommandContext, given: string): Promise<JsonValue> {
  const text = await argumentsText(given, {
    path: (name) => resolve(surroundings.cwd, name),
    input: () => surroundings.readInput(),
  });
  return parseJsonWord(text, {
    given,
    named: 'What follows the name',
    example: '\'{"key": "value"}\', or give @FILE or -.',
  });
}

async function execute(context: CommandContext, chosen: ToolObject, args: JsonValue): Promise<ToolOutput> {
  using progress = showProgress(context.output);
  const { onStep, onProgress } = progress.for(chosen.name);
  return await chosen.execute(args, { signal: context.signal, onStep, onProgress });
}

async function deliver({ output }: CommandContext, { content, isError, details }: ToolOutput): Promise<void> {
  if (output.json) await output.write(renderJson({ content, isError, details }));
  else await output.write(renderBlocks(content, 'its data is in --json'));
}

function exitCodeOfOutput({ isError, details }: ToolOutput): number {
  const failure = details['failure'];
  if (isObject(failure)) return exitCodeOf(failure['code'] as ErrorCode);
  return isError ? exitCodes.failed : exitCodes.ok;
}
