/** `prompts`: what a server offers to be asked. */
import { isObject, type JsonValue } from '../../base/index.ts';
import type { ListedItem } from '../../registry/index.ts';
import { defineCommand } from '../command.ts';
import { requestFlags } from '../flags.ts';
import { cell, nameOf } from '../render/cell.ts';
import { renderRows } from '../render/table.ts';
import { printServerList } from '../server-list.ts';

export const prompts = defineCommand({
  name: 'prompts',
  summary: 'Lists the prompts of a server with their arguments; those in brackets may be left out.',
  usage: ['prompts <server>', 'prompts <url>', 'prompts -- command args…'],
  flags: requestFlags,
  words: ['server'],
  json: 'Print { prompts, problems }.',
  examples: ['prompts everything', 'prompts everything --json'],
  run: (context, words) =>
    printServerList(context, words, {
      ask: (runtime, request) => runtime.listPrompts(request),
      lines: ({ prompts }, output) =>
        prompts.length === 0
          ? ['No prompts.']
          : renderRows(prompts.map(row), output, (text, column) => (column === 0 ? output.style.bold(text) : text)),
    }),
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
