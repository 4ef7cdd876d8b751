import type { JsonObject } from '../base/index.ts';
import type { ToolDescriptor } from '../registry/index.ts';
import type { CommandContext } from './command.ts';
import { renderTool } from './render/descriptor.ts';
import { renderJson } from './render/json.ts';
import { commandLine } from './typed-command.ts';

/** Prints a tool with its arguments, and how it is called: `words` and `command` stand for its server on a command line. */
export async function printTool(
  context: CommandContext,
  shown: {
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
