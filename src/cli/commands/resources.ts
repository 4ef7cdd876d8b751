/** `resources`: what a server offers to read. */
import type { ListedItem } from '../../registry/index.ts';
import { hasValue } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { requestFlags } from '../flags.ts';
import { cell } from '../render/cell.ts';
import { renderJson } from '../render/json.ts';
import { renderTable } from '../render/table.ts';
import { printFailed } from '../report.ts';
import { withProgress } from '../request.ts';
import { withSuggestion } from '../suggest.ts';
import { readTarget, refuseFurther } from '../target.ts';

export const resources = defineCommand({
  name: 'resources',
  summary: 'Lists the resources and resource templates of a server.',
  usage: ['resources <server>', 'resources <url>', 'resources -- command args…'],
  flags: requestFlags,
  words: ['server'],
  json: 'Print { resources, resourceTemplates, problems }.',
  examples: ['resources everything', 'resources everything --json'],
  async run(context, words) {
    const { target, words: after } = readTarget(words);
    refuseFurther(after, 'the server');
    const { output } = context;
    const runtime = context.runtime();
    const outcome = await withProgress(context, { target, limits: words.flags }, (request) =>
      runtime.listResources(request),
    );
    if (!hasValue(outcome))
      return printFailed(withSuggestion(outcome, { runtime, typed: context.typed, target }), output);

    const { resources, resourceTemplates, problems } = outcome.value;
    if (output.json) await output.write(renderJson({ resources, resourceTemplates, problems }));
    else {
      const rows = [
        ...resources.map((item) => row(item, 'uri')),
        ...resourceTemplates.map((item) => row(item, 'uriTemplate')),
      ];
      await output.lines(rows.length === 0 ? ['No resources.'] : renderTable(rows, output.columns));
      for (const problem of problems) output.note(problem);
    }
    for (const note of outcome.notes) output.note(note);
    return exitCodes.ok;
  },
});

function row(item: ListedItem, address: 'uri' | 'uriTemplate'): readonly string[] {
  return [cell(item[address]), cell(item['mimeType']), cell(item['title'] ?? item['name']), cell(item['description'])];
}
