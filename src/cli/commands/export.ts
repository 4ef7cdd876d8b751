/** `export`: the servers in the words of other tools. */
import { resolve } from 'node:path';
import { writeNewFile } from '../../base/index.ts';
import { exportFormats, exportServers } from '../../config/index.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../flags.ts';
import { renderJson } from '../render/json.ts';
import { unknownServer } from '../suggest.ts';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Prints the configured servers as another tool would have them in its file. Secrets are never written out.',
  usage: ['export --format FORMAT [server…] [-o FILE]'],
  flags: {
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: exportFormats,
      doc: 'mcpServers is what Claude Code, Claude Desktop, Cursor and many others read.',
    },
    output: { kind: 'text', short: 'o', value: 'FILE', doc: 'Write to FILE; an existing file is refused.' },
  },
  words: ['server'],
  json: 'Print { format, text, remarks }; a remark is { server, field, why }.',
  details: [
    'What has no equal there is named on standard error. A token that stands in an entry, or in the secret store, becomes\na variable (for VS Code an input) that the other tool has to be given.',
  ],
  examples: ['export --format mcpServers', 'export --format codex -o servers.toml'],
  async run(context, words) {
    const { output, surroundings } = context;
    const format = exportFormats.find((one) => one === words.flags.format);
    if (format === undefined) throw usage('Say in which format.', `With --format, one of ${exportFormats.join(', ')}.`);
    const { servers } = context.runtime().config();
    const wanted = words.words.map(({ text, at }) => {
      const definition = servers.get(text);
      if (definition === undefined) throw unknownServer(context.runtime(), context.typed, { name: text, at });
      return definition;
    });
    const { text, remarks } = await exportServers(wanted.length === 0 ? [...servers.values()] : wanted, format);
    if (words.flags.output !== undefined) await writeNewFile(resolve(surroundings.cwd, words.flags.output), text);
    if (output.json) {
      await output.write(renderJson({ format, text, remarks }));
      return exitCodes.ok;
    }
    if (words.flags.output === undefined) await output.write(text);
    else output.note(`Written to ${resolve(surroundings.cwd, words.flags.output)}.`);
    for (const { server, field, why } of remarks) output.note(`${server}: ${field} ${why}.`);
    return exitCodes.ok;
  },
});
