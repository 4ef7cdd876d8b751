/** `search`: tools by what they do; from the files, no server is started. */
import { limits, plural } from '../../base/index.ts';
import { writableName } from '../../policy/index.ts';
import type { FoundTools } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FlagPlace, usage } from '../flags.ts';
import { cell } from '../render/cell.ts';
import { renderFinding } from '../render/finding.ts';
import { renderJson } from '../render/json.ts';
import { renderRows } from '../render/table.ts';
import { knownServers } from '../known-names.ts';
import { unknownServer } from '../suggest.ts';
import { commandLine, correctedCommand, type TypedCommand } from '../typed-command.ts';

const { usual, most } = limits.searchPageTools;

export const search = defineCommand({
  name: 'search',
  summary: 'Finds tools by what they do, best first. Starts no server.',
  usage: ['search <words…>'],
  flags: {
    server: { kind: 'text', value: 'SERVER', doc: 'Only tools of this server.' },
    limit: { kind: 'text', value: 'COUNT', doc: `Tools on a page, 1 to ${most}. Default ${usual}.` },
    cursor: { kind: 'text', value: 'CURSOR', doc: 'The page after one that gave this cursor.' },
  },
  json: 'Print { query, hits: [{ server, tool, key, title, description }], total, next, findings }; `next` is a cursor.',
  details: [
    'Searches names, titles, descriptions and parameters of every server that is configured and enabled.',
    'Words may stand in any order. Parts of names are words too; a word also finds its common synonyms,\nand a mistyped one what is near.',
  ],
  examples: ['search add two numbers', 'search environment variables --limit 3', 'search sum --json'],
  async run(context, words) {
    const { server, limit, cursor } = words.flags;
    const query = words.words.map(({ text }) => text).join(' ');
    if (query.trim() === '') {
      throw usage(
        'search needs words to look for.',
        `For example: ${commandLine(context.typed, 'search', 'read', 'file')}`,
      );
    }
    const runtime = context.runtime();
    if (server !== undefined && !knownServers(runtime).includes(server)) {
      const { at, inline } = words.flagPlaces.get('server') ?? { at: -1, inline: false };
      throw unknownServer(runtime, context.typed, { name: server, at, before: inline ? '--server=' : '' });
    }
    const found = await runtime.search({ query, server, limit: readLimit(limit), cursor });
    const place = words.flagPlaces.get('cursor');
    await print(context, { query, found, place });
    if (found.total === 0 && knownServers(runtime).length === 0)
      context.output.note(
        `No server is configured yet. Add one: ${commandLine(context.typed, 'add', 'NAME', '--', 'command', 'args')}`,
      );
    return exitCodes.ok;
  },
});

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw usage(`--limit needs a whole number from 1 to ${most}.`);
}

interface Printed {
  readonly query: string;
  readonly found: FoundTools;
  /** Where the cursor was typed. */
  readonly place: FlagPlace | undefined;
}

async function print({ output, typed }: CommandContext, { query, found, place }: Printed): Promise<void> {
  const { hits, total, next, findings } = found;
  if (output.json) {
    await output.write(renderJson({ query, ...found }));
    return;
  }
  const rows = hits.map(({ server, tool, description }) => [
    cell(server),
    writableName({ name: tool }),
    cell(description, output.columns),
  ]);
  await output.lines(
    rows.length === 0
      ? ['No tool matches.']
      : renderRows(rows, output, (text, column) => (column === 1 ? output.style.bold(text) : text)),
  );
  if (next !== undefined) output.note(`${plural(total, 'tool')} in all; the next: ${withCursor(typed, next, place)}`);
  for (const finding of findings) output.error(`${renderFinding(finding, output.errorStyle)}\n`);
}

/** The user's own command for the next page. */
function withCursor(typed: TypedCommand, next: string, place: FlagPlace | undefined): string {
  if (place === undefined) return correctedCommand(typed, [], ['--cursor', next]);
  return correctedCommand(typed, [{ at: place.at, words: [place.inline ? `--cursor=${next}` : next] }]);
}
