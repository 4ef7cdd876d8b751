/** The command lines by which other tools add a server, and those by which one is started. */
import { isObject, type JsonObject, type JsonValue, TrestleError } from '../../base/index.ts';
import { withHandedOn } from './container-variables.ts';
import type { Remark } from './field-rule.ts';
import { type FlagMeaning, type LineForm, lineForms } from './paste-forms.ts';
import { splitCommands, splitWords } from './split-words.ts';

export interface PastedCommand {
  readonly name: string | undefined;
  readonly entry: JsonObject;
  readonly remarks: readonly Remark[];
  /** The entry as JSON, where the line gives it so. */
  readonly json?: string;
}

/** Whether words begin like a line by which another tool adds a server. */
export function beginsLikeLine(words: readonly string[]): boolean {
  return formOf(words) !== undefined;
}

/** Programs that run what a package, an image or a file holds. */
const runners: readonly (readonly string[])[] = [
  ['npx'],
  ['bunx'],
  ['pnpx'],
  ['pnpm', 'dlx'],
  ['yarn', 'dlx'],
  ['bun'],
  ['deno', 'run'],
  ['node'],
  ['uvx'],
  ['uv'],
  ['pipx', 'run'],
  ['python'],
  ['python3'],
  ['docker', 'run'],
  ['podman', 'run'],
];

/** Whether words are the command of a server, perhaps behind variables: `TOKEN=abc npx -y some-server`. */
export function startsServer(words: readonly string[]): boolean {
  const command = words.slice(assignments(words));
  return runners.some((runner) => {
    const next = command[runner.length];
    return next !== undefined && next !== '--' && startsWith(command, runner);
  });
}

/** Reads lines, each a server. Throws `usage`. */
export function readPastedCommands(text: string): readonly PastedCommand[] {
  const commands = splitCommands(text);
  if (commands === undefined) throw notUnderstood('a quote in it is not closed');
  if (commands.length === 0) throw notUnderstood('there is nothing in it');
  return commands.map((words, index) => readCommand(words, commands.length > 1 ? `command ${index + 1} of it` : 'it'));
}

function readCommand(words: readonly string[], which: string): PastedCommand {
  const [first = '', ...others] = words;
  if (others.length === 0 && /^https?:\/\//i.test(first))
    return { name: undefined, entry: { url: first }, remarks: [] };
  const form = formOf(words);
  if (form !== undefined) return readForm(form, words.slice(form.begins.length));
  if (startsServer(words)) return readStart(words);
  throw notUnderstood(`${which} is no line of another tool that adds one, and none that starts one`);
}

function readStart(words: readonly string[]): PastedCommand {
  const count = assignments(words);
  if (words.slice(count).some((word) => /^(?:@[\w-]+\/)?(?:add|install)-mcp(?:@|$)|^install$/.test(word))) {
    throw notUnderstood('it is the line of an installer; what that would write into the file of a tool can be pasted');
  }
  const given: Given = { env: {}, headers: {}, members: {}, remarks: [] };
  for (const value of words.slice(0, count)) take(given, { meaning: 'env', flag: value, value });
  return { name: undefined, ...entryOf(given, words.slice(count)) };
}

const assignment = /^[A-Za-z_]\w*=/;

/** How many variables stand in front of a command. */
function assignments(words: readonly string[]): number {
  const first = words.findIndex((word) => !assignment.test(word));
  return first < 0 ? words.length : first;
}

function formOf(words: readonly string[]): LineForm | undefined {
  return lineForms.find(({ begins }) => startsWith(words, begins));
}

function startsWith(words: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((word, index) => words[index] !== undefined && (word === '*' || words[index] === word));
}

function readForm(form: LineForm, words: readonly string[]): PastedCommand {
  if (form.rest === 'json') return { name: undefined, entry: {}, remarks: [], json: jsonIn(words[0]) };
  const { given, plain, rest } = sortOut(form, words);
  const [name, ...others] = plain;
  if (name === undefined) throw notUnderstood('it names none');
  if (form.rest === 'name and json') return { name, entry: {}, remarks: given.remarks, json: jsonIn(others[0]) };
  const command = form.rest === 'name and line' && others.length === 1 ? splitWords(others[0] ?? '') : others;
  return { name, ...entryOf(given, [...(command ?? []), ...rest]) };
}

/** For PowerShell quotes are written three times. */
const jsonIn = (word = ''): string => word.replaceAll('"""', '"');

/** What the flags of a line have said. */
interface Given {
  readonly env: Record<string, string>;
  readonly headers: Record<string, string>;
  /** Members of the entry that stand for themselves. */
  readonly members: Record<string, JsonValue>;
  readonly remarks: Remark[];
  transport?: string;
  url?: string;
}

interface SortedOut {
  readonly given: Given;
  readonly plain: readonly string[];
  readonly rest: readonly string[];
}

/** Flags may stand before and after the name, until the server's own command begins. */
function sortOut(form: LineForm, words: readonly string[]): SortedOut {
  const given: Given = { env: {}, headers: {}, members: {}, remarks: [] };
  const plain: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { given, plain, rest: words.slice(at + 1) };
    // The command's own flags are no flags of the tool.
    if (form.rest === 'name and server' && plain.length >= 2 && !isUrl(plain[1])) {
      return { given, plain, rest: words.slice(at) };
    }
    if (!word.startsWith('-')) {
      plain.push(word);
      continue;
    }
    const [flag = '', ...inline] = word.split('=');
    const meaning = Object.hasOwn(form.flags, flag) ? form.flags[flag] : undefined;
    // Whether a value follows it is not known, and what would be taken for the name.
    if (meaning === undefined) throw notUnderstood(`"${form.begins.join(' ')}" has no ${flag} that is known here`);
    const values = inline.length > 0 ? [inline.join('=')] : valuesBehind(words.slice(at + 1), meaning);
    for (const value of values) take(given, { meaning, flag, value });
    if (inline.length === 0) at += isSwitch(meaning) ? 0 : values.length;
  }
  return { given, plain, rest: [] };
}

const isUrl = (word: string | undefined): boolean => /^https?:/i.test(word ?? '');

const isSwitch = (meaning: FlagMeaning): boolean => typeof meaning === 'object' && meaning.switch;

/** The value of a flag, which may have several variables behind it. */
function valuesBehind([first = '', ...others]: readonly string[], meaning: FlagMeaning): readonly string[] {
  const more = meaning === 'env' ? assignments(others) : 0;
  return [first, ...others.slice(0, more)];
}

interface GivenFlag {
  readonly meaning: FlagMeaning;
  readonly flag: string;
  readonly value: string;
}

function take(given: Given, { meaning, flag, value }: GivenFlag): void {
  const { env, headers, members, remarks } = given;
  if (typeof meaning === 'object') {
    if (meaning.why !== undefined) remarks.push({ field: flag, why: meaning.why });
    Object.assign(members, meaning.sets);
    return;
  }
  switch (meaning) {
    case 'env': {
      if (!assignment.test(value)) throw notUnderstood(`${flag} has no name and value`);
      const [name = '', ...text] = value.split('=');
      env[name] = asWritten(text.join('='));
      return;
    }
    case 'header': {
      const [, name, text] = /^([^\s:=]+)\s*[:=]\s*(.*)$/s.exec(value) ?? [];
      if (name === undefined || text === undefined) throw notUnderstood(`${flag} has no name and value`);
      headers[name] = asWritten(text);
      return;
    }
    case 'token-variable':
      headers['Authorization'] = `Bearer \${${value}}`;
      return;
    case 'transport':
    case 'url':
      given[meaning] = asWritten(value);
      return;
    case 'client-id':
      members['auth'] = withMember(members['auth'] ?? { type: 'oauth' }, 'clientId', asWritten(value));
      return;
    case 'redirect-port':
      members['auth'] = withMember(members['auth'] ?? { type: 'oauth' }, 'redirectPort', numberIn(flag, value));
      return;
    case 'milliseconds':
      members['timeout'] = numberIn(flag, value) / 1_000;
      return;
    case 'description':
      members['description'] = value;
      return;
    case 'allow':
    case 'deny':
      members['tools'] = withMember(
        members['tools'] ?? {},
        meaning,
        value.split(',').map((name) => name.trim()),
      );
  }
}

function numberIn(flag: string, value: string): number {
  if (!/^\d+$/.test(value)) throw notUnderstood(`${flag} has no number`);
  return Number(value);
}

function withMember(value: JsonValue, name: string, member: JsonValue): JsonObject {
  return { ...(isObject(value) ? value : {}), [name]: member };
}

/** A shell would have replaced `$NAME`, and OpenCode `{env:NAME}`: here it becomes a reference. */
function asWritten(text: string): string {
  const [command] = /\$\(|`/.exec(text) ?? [];
  if (command !== undefined) throw notUnderstood('it has $(…) or `…`, which only a shell replaces');
  return text
    .replaceAll(/\$([A-Za-z_]\w*)/g, (_whole, name: string) => `\${${name}}`)
    .replaceAll(/(?<!\$)\{env:(\w+)\}/g, (_whole, name: string) => `\${${name}}`);
}

function entryOf(given: Given, words: readonly string[]): Pick<PastedCommand, 'entry' | 'remarks'> {
  const [program, ...args] = words.map(asWritten);
  const url = given.url ?? (program !== undefined && isAddress(program, given) ? program : undefined);
  const { env, headers, members, remarks } = given;
  if (url !== undefined) {
    const transport = { sse: 'sse', http: 'streamable', 'streamable-http': 'streamable' }[given.transport ?? ''];
    return {
      entry: withoutEmpty({ url, ...(transport === undefined ? {} : { transport }), headers, ...members }),
      remarks,
    };
  }
  if (program === undefined) throw notUnderstood('it has neither a command nor a URL');
  return { entry: withHandedOn(withoutEmpty({ command: program, args, env, ...members })), remarks };
}

function isAddress(word: string, { transport }: Given): boolean {
  return isUrl(word) || (transport !== undefined && transport !== 'stdio');
}

function withoutEmpty(entry: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).filter(([, value]) => !isObject(value) || Object.keys(value).length > 0),
  );
}

/** The refusal of a paste; `why` is a clause. */
export function notUnderstood(why: string): TrestleError {
  return new TrestleError({
    code: 'usage',
    message: `What was given is no server: ${why}.`,
    hint: 'Understood are JSON, TOML and YAML as other tools have it in their files, lines such as "claude mcp add …", links that install a server, a command that starts one, and a URL.',
    execution: 'not-sent',
  });
}
