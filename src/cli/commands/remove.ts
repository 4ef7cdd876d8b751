/** `remove`: a server's entry, its registry folder, and sign-ins to it. */
import { TrestleError } from '../../base/index.ts';
import { definedIn, type Definition, type FileEdit, removeEntry } from '../../config/index.ts';
import { hasValue, type Runtime } from '../../runtime/index.ts';
import { defineCommand } from '../command.ts';
import { renderEdit } from '../add-server.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../flags.ts';
import { cell } from '../render/cell.ts';
import type { Output } from '../output.ts';
import { renderJson } from '../render/json.ts';
import { knownServers, readableConfig } from '../known-names.ts';
import { unknownServer } from '../suggest.ts';
import { refuseFurther } from '../target.ts';

export const remove = defineCommand({
  name: 'remove',
  summary: 'Removes a server: its connection, its registry folder, sign-ins to it and its entry in the configuration.',
  usage: ['remove <server> [--keep-config]', 'rm <server>', 'delete <server>'],
  flags: { 'keep-config': { kind: 'switch', doc: 'Leave the entry in the configuration.' } },
  words: ['server'],
  json: 'Print { server, edit, registry, signIns }: the change of the file (null: none), whether there was a registry folder, and the accounts that were forgotten.',
  details: [
    'Sign-ins are forgotten on this machine alone, and kept where another server has the same URL. To withdraw them at\nthe server as well, log out first: trestle logout <server>',
  ],
  examples: ['remove everything', 'remove everything --keep-config'],
  async run(context, words) {
    const [name, ...others] = words.words;
    if (name === undefined) throw usage("The server's name is missing.");
    refuseFurther(others, 'the server');
    const { output } = context;
    const runtime = context.runtime();
    if (!knownServers(runtime).includes(name.text)) {
      throw unknownServer(runtime, context.typed, { name: name.text, at: name.at });
    }
    const config = readableConfig(runtime);
    // What is in force, else what a project asks for.
    const definition = config?.servers.get(name.text) ?? config?.waiting.get(name.text)?.definition;
    const folder = definition?.registryName ?? name.text;
    const edit = words.flags['keep-config'] ? undefined : await removeFromFile(runtime, name.text, definition);
    const signIns = await forgottenSignIns(runtime, definition, output);
    const { registry } = await runtime.forget(folder);
    if (output.json) await output.write(renderJson({ server: name.text, edit: edit ?? null, registry, signIns }));
    else {
      await output.lines([
        ...(edit === undefined ? [] : renderEdit(edit, output.style)),
        registry ? `${runtime.registry.path(folder)}: removed` : `No registry folder of ${name.text}.`,
        ...signIns.map(
          (account) =>
            `Sign-in${account === 'default' ? '' : ` (${cell(account)})`}: forgotten here; its server was not told`,
        ),
      ]);
    }
    return exitCodes.ok;
  },
});

/** Takes the entry out of the file it stands in. */
async function removeFromFile(runtime: Runtime, name: string, definition: Definition | undefined): Promise<FileEdit> {
  // One that cannot be read is told as that.
  runtime.config();
  const source = definition?.source;
  if (source?.shape === 'environment') {
    throw new TrestleError({
      code: 'usage',
      message: `${name} stands in no file: the environment variable ${definedIn(source)} names it.`,
      hint: 'Unset the variable; --keep-config removes what is stored of the server.',
      server: name,
    });
  }
  return removeEntry(source?.file ?? runtime.places.serversFile, name);
}

/** Accounts whose sign-in is forgotten. Where that cannot be, the server is removed all the same. */
async function forgottenSignIns(
  runtime: Runtime,
  definition: Definition | undefined,
  output: Pick<Output, 'note'>,
): Promise<readonly string[]> {
  if (definition?.transport.kind !== 'http') return [];
  const outcome = await runtime.signOut({ server: definition, withdraw: false });
  if (hasValue(outcome)) return outcome.value.accounts.map(({ account }) => account);
  // What a project asks for and nobody has approved was never signed in to for it.
  const { code, message } = outcome.failure;
  if (code !== 'approval_needed') output.note(`A sign-in to ${definition.name} may be kept: ${message}`);
  return [];
}
