/** `secret`: values that servers need and no file should hold. */
import { nearest, plural, secretNameProblem, TrestleError } from '../../base/index.ts';
import { referencedSecrets } from '../../config/index.ts';
import { ofSignIns, type SecretStore } from '../../secrets/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage, type Word } from '../flags.ts';
import { openSecrets } from '../open-secrets.ts';
import { cell } from '../render/cell.ts';
import { renderJson } from '../render/json.ts';
import { renderRows } from '../render/table.ts';
import { refuseFurther } from '../target.ts';
import { commandLine, correctedCommand } from '../typed-command.ts';
import { basename } from 'node:path';

const actions = { set, list, remove } as const;
const told = ['set', 'list', 'remove'] as const;

export const secret = defineCommand({
  name: 'secret',
  summary:
    "Keeps values that servers need, in the keychain or a private file, for ${keychain:name} in a server's entry.",
  usage: ['secret set <name>', 'secret list', 'secret remove <name>'],
  flags: {},
  words: [told, 'secret'],
  json: 'Print { name, kept, place, why? } of set, { name, removed } of remove, { kept, place, why?, secrets: [{ name, usedBy }] } of list; no value is ever printed.',
  details: [
    'The value comes from standard input, without its last line end, or is asked for at a terminal without being\nshown. It never stands among the arguments, where other users of the machine could see it.',
    "The system's keychain is used where the package @napi-rs/keyring is installed beside trestle, else a file that\nonly you can read.",
  ],
  examples: ['secret set github-token', 'secret set github-token < token.txt', 'secret list'],
  async run(context, words) {
    const [action, ...others] = words.words;
    if (action === undefined)
      throw usage(`Say what: ${told.join(', ')}.`, 'For example: trestle secret set github-token');
    if (!isAction(action.text)) throw unknownAction(context, action);
    return actions[action.text](context, others);
  },
});

/** What other tools call it. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['ls', 'list'],
  ['rm', 'remove'],
  ['delete', 'remove'],
  ['add', 'set'],
]);

function isAction(text: string): text is keyof typeof actions {
  return Object.hasOwn(actions, text);
}

function unknownAction({ typed }: CommandContext, { text, at }: Word): Error {
  const guess = otherNames.get(text) ?? nearest(text, told, 1)[0];
  return usage(
    `There is no "secret ${text}"; there are ${told.join(', ')}.`,
    guess === undefined ? undefined : `Did you mean: ${correctedCommand(typed, [{ at, words: [guess] }])}`,
  );
}

async function set(context: CommandContext, words: readonly Word[]): Promise<number> {
  const name = nameIn(words, 'set');
  const { output } = context;
  const store = await openSecrets(context);
  await store.set(name, await readValue(context, name));
  if (output.json) await output.write(renderJson({ name, ...whereOf(store) }));
  else {
    const file = basename(context.runtime().places.serversFile);
    await output.lines([`${name} is kept in ${placeText(store)}.`, `Use it in ${file}: \${keychain:${name}}`]);
  }
  return exitCodes.ok;
}

async function list(context: CommandContext, words: readonly Word[]): Promise<number> {
  refuseFurther(words, 'list');
  const { output } = context;
  const store = await openSecrets(context);
  const names = (await store.names()).filter((name) => !name.startsWith(ofSignIns));
  const secrets = names.map((name) => ({ name, usedBy: usersOf(context, name) }));
  if (output.json) await output.write(renderJson({ ...whereOf(store), secrets }));
  else {
    const rows = secrets.map(({ name, usedBy }) => [cell(name), cell(usedBy.join(', ') || 'not used')]);
    await output.lines(renderRows(rows, output, (text, column) => (column === 0 ? output.style.bold(text) : text)));
    await output.lines([`${plural(names.length, 'secret')} in ${placeText(store)}`]);
  }
  return exitCodes.ok;
}

async function remove(context: CommandContext, words: readonly Word[]): Promise<number> {
  const name = nameIn(words, 'remove');
  const { output } = context;
  const store = await openSecrets(context);
  if (!(await store.remove(name))) throw unknownSecret(context, name, store);
  const users = usersOf(context, name);
  if (output.json) await output.write(renderJson({ name, removed: true }));
  else await output.lines([`${name} is removed.`]);
  if (users.length > 0) output.note(`Still referred to by ${users.join(', ')}.`);
  return exitCodes.ok;
}

function whereOf({ kind, place, why }: SecretStore): object {
  return { kept: kind, place, ...(why === undefined ? {} : { why }) };
}

const placeText = ({ place, why }: SecretStore): string =>
  why === undefined ? place : `${place}, a file that only you can read (no keychain: ${why})`;

/** The one word there should be. More words are likely to be the value: it is not repeated. */
function nameIn([name, ...others]: readonly Word[], action: 'set' | 'remove'): string {
  if (name === undefined)
    throw usage('The name of the secret is missing.', `For example: trestle secret ${action} github-token`);
  if (others.length > 0) {
    throw usage(
      'Only the name of a secret is given as an argument, never its value: others could see it there.',
      `Give the value on standard input, or when asked: trestle secret set ${name.text}`,
    );
  }
  const { text } = name;
  const problem = secretNameProblem(text) ?? ownNameProblem(text);
  if (problem === undefined) return text;
  throw new TrestleError({
    code: 'invalid_name',
    message: `The name of a secret ${problem}.`,
    hint: `For example: trestle secret ${action} github-token`,
  });
}

/** A name that a reference can hold, and that belongs to nobody else. */
function ownNameProblem(name: string): string | undefined {
  if (name.startsWith(ofSignIns)) return `may not begin with "${ofSignIns}", which is for sign-ins`;
  return name.includes(':-') ? 'may not have ":-" in it, after which a default begins' : undefined;
}

async function readValue({ surroundings, output }: CommandContext, name: string): Promise<string> {
  if (surroundings.readHidden === undefined) {
    return new TextDecoder().decode(await surroundings.readInput()).replace(/\r?\n$/, '');
  }
  output.error(`Value of ${name} (not shown): `);
  try {
    return await surroundings.readHidden();
  } finally {
    output.error('\n');
  }
}

/** Servers whose entries refer to it. */
function usersOf(context: CommandContext, name: string): readonly string[] {
  const { servers } = context.runtime().config();
  return [...servers.values()]
    .filter((definition) => referencedSecrets(definition).includes(name))
    .map((definition) => definition.name)
    .sort();
}

function unknownSecret({ typed }: CommandContext, name: string, store: SecretStore): TrestleError {
  return new TrestleError({
    code: 'missing_secret',
    message: `There is no secret ${name} in ${store.place}.`,
    hint: `Those there are: ${commandLine(typed, 'secret', 'list')}`,
    details: { secret: name },
  });
}
