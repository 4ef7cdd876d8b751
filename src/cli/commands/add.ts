/** `add`: a new server. */
import { addServer } from '../add-server.ts';
import { defineCommand } from '../command.ts';
import { requestFlags, usage } from '../flags.ts';
import { entryFlags, newEntry } from '../new-entry.ts';
import { refuseFurther } from '../target.ts';

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
  async run(context, words) {
    const [name, ...others] = words.words;
    if (name === undefined)
      throw usage(
        "The new server's name is missing.",
        'For example: add everything -- npx -y @modelcontextprotocol/server-everything',
      );
    refuseFurther(others, 'the name; a command is given after "--"');
    const { flags } = words;
    return addServer(context, {
      name: name.text,
      entry: newEntry(flags, words.rest, context.surroundings.cwd),
      replace: flags.replace || flags.force,
      force: flags.force,
      limits: { timeout: flags.timeout, 'max-total': flags['max-total'] },
    });
  },
});
