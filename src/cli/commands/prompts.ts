/** `prompts`: what a server offers to be asked. */
import { isObject, type JsonValue } from '../../base/index.ts';
import type { ListedItem } from '../../registry/index.ts';
import { hasValue } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { requestFlags } from '../flags.ts';
import { cell, nameOf } from '../render/cell.ts';
import { renderJson } from '../render/json.ts';
import { renderTable } from '../render/table.ts';
import { printFailed } from '../report.ts';
import { withProgress } from '../request.ts';
import { withSuggestion } from '../suggest.ts';
import { readTarget, refuseFurther } from '../target.ts';

export const prompts = defineCommand({
  name: 'prompts',
  summary: 'Lists the prompts of a server with their arguments; those in brackets may be left out.',
  usage: ['prompts <server>', 'prompts <url>', 'prompts -- command args…'],
  flags: requestFlags,
  words: ['server'],
  json: 'Print { prompts, problems }.',
  examples: ['prompts everything', 'prompts everything --json'],
  async run(context, words) {
    const { target, words: after } = readTarget(words);
    refuseFurther(after, 'the server');
    const { output } = context;
    const runtime = context.runtime();
    const outcome = await withProgress(context, { target, limits: words.flags }, (request) =>
      runtime.listPrompts(request),
    );
    if (!hasValue(outcome))
      return printFailed(withSuggestion(outcome, { runtime, typed: context.typed, target }), output);

    const { prompts, problems } = outcome.value;
    if (output.json) await output.write(renderJson({ prompts, problems }));
    else {
      const rows = prompts.map(row);
      await output.lines(
        rows.length === 0
          ? ['No prompts.']
          : renderTable(rows, output.columns, (text, column) => (column === 0 ? output.style.bold(text) : text)),
      );
      for (const problem of problems) output.note(problem);
    }
    for (const note of outcome.notes) output.note(note);
    return exitCodes.ok;
  },
});

function row(prompt: ListedItem): readonly string[] {
  const given = prompt['arguments'];
  const names = Array.isArray(given) ? (given as readonly JsonValue[]).filter(isObject).map(argumentText) : [];
  return [cell(nameOf(prompt)), names.join(' '), cell(prompt['description'] ?? prompt['title'])];
}

function argumentText(argument: ListedItem): string {
  const name = cell(nameOf(argument));
  return argument['required'] === true ? `${name}=…` : `[${name}=…]`;
}
