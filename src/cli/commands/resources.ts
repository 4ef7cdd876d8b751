/** `resources`: what a server offers to read. */
import type { ListedItem } from '../../registry/index.ts';
import { defineCommand } from '../command.ts';
import { requestFlags } from '../flags.ts';
import { cell } from '../render/cell.ts';
import { renderRows } from '../render/table.ts';
import { printServerList } from '../server-list.ts';

export const resources = defineCommand({
  name: 'resources',
  summary: 'Lists the resources and resource templates of a server.',
  usage: ['resources <server>', 'resources <url>', 'resources -- command args…'],
  flags: requestFlags,
  words: ['server'],
  json: 'Print { resources, resourceTemplates, problems }.',
  examples: ['resources everything', 'resources everything --json'],
  run: (context, words) =>
    printServerList(context, words, {
      ask: (runtime, request) => runtime.listResources(request),
      lines: ({ resources, resourceTemplates }, output) => {
        const rows = [
          ...resources.map((item) => row(item, 'uri')),
          ...resourceTemplates.map((item) => row(item, 'uriTemplate')),
        ];
        return rows.length === 0 ? ['No resources.'] : renderRows(rows, output);
      },
    }),
});

function row(item: ListedItem, address: 'uri' | 'uriTemplate'): readonly string[] {
  return [cell(item[address]), cell(item['mimeType']), cell(item['title'] ?? item['name']), cell(item['description'])];
}
