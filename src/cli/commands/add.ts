/** `add`: a new server. */
import { type JsonObject } from '../../base/index.ts';
import { nameOfPackage } from '../../config/index.ts';
import { addServer, type NewServer } from '../add-server.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FlagTable, type FlagValues, requestFlags, usage, type Word } from '../flags.ts';
import { describesServer, entryFlags, newEntry } from '../new-entry.ts';
import { type NamedPaste, pastedServers } from '../pasted-servers.ts';
import { isUrl, refuseFurther } from '../target.ts';
import { commandLine, correctedCommand } from '../typed-command.ts';

const addFlags = {
  ...entryFlags,
  npx: {
    kind: 'text',
    value: 'PACKAGE',
    doc: 'The server is this npm package, run by npx; its arguments follow "--".',
  },
  uvx: {
    kind: 'text',
    value: 'PACKAGE',
    doc: 'The server is this PyPI package, run by uvx; its arguments follow "--".',
  },
  replace: { kind: 'switch', doc: 'Replace an entry of that name.' },
  force: { kind: 'switch', doc: 'As --replace; also overwrite a registry folder written by hand.' },
  'max-total': requestFlags['max-total'],
} as const satisfies FlagTable;

type AddFlags = FlagValues<typeof addFlags>;

export const add = defineCommand({
  name: 'add',
  summary: 'Adds a server to the configuration, connects to it and reads its tools into the registry.',
  usage: [
    'add <name> [flags] -- command args…',
    'add <name> [flags] --url URL',
    'add [<name>] --npx PACKAGE | --uvx PACKAGE [-- args…]',
    'add [<name>] URL | JSON | LINE | -',
  ],
  flags: addFlags,
  json: 'Print { edit, sync, notes }; after a failed sync { edit, error, kind, execution }.',
  details: [
    'If the server cannot be reached now, the entry stays and the exit code tells why.',
    'What a server\'s documentation offers can be pasted as it is, in quotes or on standard input ("-"): JSON, TOML or YAML\nas another tool has it in its file, lines such as "claude mcp add …" and "code --add-mcp …", the command that starts\nthe server, and links that install it. Members that have no equal here are named.',
  ],
  examples: [
    'add everything -- npx -y @modelcontextprotocol/server-everything',
    'add github --env GITHUB_TOKEN -- npx -y @modelcontextprotocol/server-github',
    "add docs --url https://example.com/mcp --header 'Authorization=Bearer ${DOCS_TOKEN}'",
    'add --npx @modelcontextprotocol/server-everything',
    "add 'claude mcp add sentry --transport http https://mcp.sentry.dev/mcp'",
  ],
  // A flag of the server's command, whose "--" was forgotten.
  guessFlag(typed, [, program]) {
    if (program === undefined || typed.argv.includes('--')) return undefined;
    return correctedCommand(typed, [{ at: program.at, words: ['--', program.text] }]);
  },
  async run(context, words) {
    const { flags } = words;
    const isPackage = flags.npx !== undefined || flags.uvx !== undefined;
    const pasted =
      isPackage || flags.url !== undefined ? undefined : await pastedServers(context, words.words, words.rest);
    if (pasted !== undefined) return addPasted(context, pasted, flags);
    if (isPackage) return addServer(context, packageServer(context, words.words, { flags, args: words.rest ?? [] }));
    const [name, ...others] = words.words;
    if (name === undefined)
      throw usage(
        "The new server's name is missing.",
        'For example: trestle add everything -- npx -y @modelcontextprotocol/server-everything',
      );
    refuseLoose(context, others, words.rest !== undefined || flags.url !== undefined);
    return addServer(context, withFlags(name.text, newEntry(flags, words.rest, context.surroundings.cwd), flags));
  },
});

function withFlags(name: string, entry: NewServer['entry'], flags: AddFlags): NewServer {
  return {
    name,
    entry,
    replace: flags.replace || flags.force,
    force: flags.force,
    limits: { timeout: flags.timeout, 'max-total': flags['max-total'] },
  };
}

/** The server that a package is, named after it where no name was given. */
function packageServer(
  { surroundings }: CommandContext,
  words: readonly Word[],
  { flags, args }: { readonly flags: AddFlags; readonly args: readonly string[] },
): NewServer {
  const { npx, uvx } = flags;
  if (npx !== undefined && uvx !== undefined) throw usage('A package is run by npx or by uvx, not by both.');
  if (flags.url !== undefined) throw usage('A server is a package or has a URL, not both.');
  const spec = npx ?? uvx ?? '';
  if (!/^[\w@][\w@./:+=~^<>,[\]-]*$/.test(spec)) throw usage(`"${spec}" is no name of a package.`);
  refuseFurther(words.slice(1), 'the name');
  const name = words[0]?.text ?? nameOfPackage(spec);
  if (name === undefined) throw usage('The new server has no name.', `Give one first: trestle add NAME --npx ${spec}`);
  const command = npx === undefined ? ['uvx', spec] : ['npx', '-y', spec];
  return withFlags(name, newEntry(flags, [...command, ...args], surroundings.cwd), flags);
}

/** Adds each; the exit code is that of the first that could not be read. */
async function addPasted(context: CommandContext, servers: readonly NamedPaste[], flags: AddFlags): Promise<number> {
  const { output, typed } = context;
  if (servers.length > 1 && output.json) throw usage('--json prints one server, and several were given.');
  const { timeout, description, ...others } = flags;
  if (describesServer({ ...others, timeout: undefined, description: undefined })) {
    throw usage('What was given describes the server already.', 'Beside it there may be --description and --timeout.');
  }
  let code: number = exitCodes.ok;
  for (const { name, entry, remarks, inputs } of servers) {
    for (const { field, why } of remarks) output.note(`${name}: ${field}: ${why}.`);
    for (const { secret } of inputs) {
      output.note(`${name} needs the secret ${secret}: ${commandLine(typed, 'secret', 'set', secret)}`);
    }
    const own: JsonObject = {
      ...entry,
      ...(timeout === undefined ? {} : { timeout: timeout / 1000 }),
      ...(description === undefined ? {} : { description }),
    };
    const added = await addServer(context, withFlags(name, own, flags));
    if (code === exitCodes.ok) code = added;
  }
  return code;
}

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
