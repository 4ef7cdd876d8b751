/** `add`: a new server. */
import { addServer } from '../add-server.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { requestFlags, usage, type Word } from '../flags.ts';
import { entryFlags, newEntry } from '../new-entry.ts';
import { isUrl, refuseFurther } from '../target.ts';
import { correctedCommand } from '../typed-command.ts';

export const add = defineCommand({
  name: 'add',
  summary: 'Adds a server to servers.json, connects to it and reads its tools into the registry.',
  usage: ['add <name> [flags] -- command args…', 'add <name> [flags] --url URL'],
  flags: {
    ...entryFlags,
    replace: { kind: 'switch', doc: 'Replace an entry of that name.' },
    force: { kind: 'switch', doc: 'As --replace; also overwrite a registry folder written by hand.' },
    'max-total': requestFlags['max-total'],
  },
  json: 'Print { edit, sync, notes }; after a failed sync { edit, error, kind, execution }.',
  details: ['If the server cannot be reached now, the entry stays and the exit code tells why.'],
  examples: [
    'add everything -- npx -y @modelcontextprotocol/server-everything',
    'add github --env GITHUB_TOKEN -- npx -y @modelcontextprotocol/server-github',
    "add docs --url https://example.com/mcp --header 'Authorization=Bearer ${DOCS_TOKEN}'",
  ],
  // A flag of the server's command, whose "--" was forgotten.
  guessFlag(typed, [, program]) {
    if (program === undefined || typed.argv.includes('--')) return undefined;
    return correctedCommand(typed, [{ at: program.at, words: ['--', program.text] }]);
  },
  async run(context, words) {
    const [name, ...others] = words.words;
    if (name === undefined)
      throw usage(
        "The new server's name is missing.",
        'For example: add everything -- npx -y @modelcontextprotocol/server-everything',
      );
    const { flags } = words;
    refuseLoose(context, others, words.rest !== undefined || flags.url !== undefined);
    return addServer(context, {
      name: name.text,
      entry: newEntry(flags, words.rest, context.surroundings.cwd),
      replace: flags.replace || flags.force,
      force: flags.force,
      limits: { timeout: flags.timeout, 'max-total': flags['max-total'] },
    });
  },
});

/** A command without its `--`, or a URL without its flag, is the likeliest slip: it is given back put right. */
function refuseLoose(context: CommandContext, words: readonly Word[], isDescribed: boolean): void {
  const [first, ...others] = words;
  if (first === undefined) return;
  if (isDescribed || (isUrl(first.text) && others.length > 0)) refuseFurther(words, 'the name');
  const added = isUrl(first.text) ? ['--url', first.text] : ['--', ...words.map(({ text }) => text)];
  throw usage(
    isUrl(first.text) ? 'A URL is given with --url.' : 'A command is given after "--".',
    `Did you mean: ${correctedCommand(
      context.typed,
      words.map(({ at }) => ({ at, words: [] })),
      added,
    )}`,
  );
}
