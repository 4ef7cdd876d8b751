/** `status`: servers, tools, states. */
import { plural } from '../../base/index.ts';
import type { ServerStatus } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { cell } from '../render/cell.ts';
import { renderJson } from '../render/json.ts';
import { renderTable } from '../render/table.ts';
import { refuseFurther } from '../target.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'Shows every server, what is known of it, and what is wrong. Starts no server.',
  usage: ['status'],
  flags: {},
  json: 'Print { servers, tools, notices }.',
  examples: ['status', 'status --json'],
  async run(context, words) {
    refuseFurther(words.words, 'status');
    const { output } = context;
    const runtime = context.runtime();
    const status = await runtime.status();
    if (output.json) await output.write(renderJson(status));
    else {
      const { style } = output;
      await output.lines([
        // What is wrong is what the command is for, so that is never cut.
        ...renderTable(status.servers.map(row), Number.MAX_SAFE_INTEGER, (text, column) =>
          column === 0 ? style.bold(text) : text,
        ),
        `${plural(status.servers.length, 'server')}, ${plural(status.tools, 'tool')}. Registry: ${runtime.places.registryRoot}`,
      ]);
      for (const notice of status.notices) output.note(notice);
    }
    return exitCodes.ok;
  },
});

function row(server: ServerStatus): readonly string[] {
  return [
    cell(server.name),
    stateOf(server),
    server.transport ?? '',
    server.tools === undefined ? '' : plural(server.tools, 'tool'),
    server.syncedAt === undefined ? 'never synced' : `synced ${cell(server.syncedAt)}`,
    cell(server.problem, 1_000),
  ];
}

function stateOf({ known, enabled, entries }: ServerStatus): string {
  const [entry] = entries;
  if (entry !== undefined) return entry.state;
  if (known === 'broken') return 'broken';
  if (known === 'registry-only') return 'registry only';
  return enabled ? 'idle' : 'disabled';
}
