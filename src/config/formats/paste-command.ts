/** The command lines by which other tools add a server. */
import { isObject, type JsonObject, TrestleError } from '../../base/index.ts';
import type { Remark } from './field-rule.ts';
import { splitWords } from './split-words.ts';

export interface PastedCommand {
  readonly name: string | undefined;
  readonly entry: JsonObject;
  readonly remarks: readonly Remark[];
  /** The entry as JSON, where the line gives it so. */
  readonly json?: string;
}

/** What a tool's line may hold. */
interface LineForm {
  /** The words that it begins with. */
  readonly begins: readonly string[];
  /** Flags that have a value, and what it is. */
  readonly flags: Readonly<
    Record<string, 'env' | 'header' | 'transport' | 'url' | 'token-variable' | 'timeout' | 'nothing'>
  >;
  /** What stands after those words. */
  readonly rest: 'name and server' | 'name and json' | 'json';
}

const ofNoConcern = { '--scope': 'nothing', '-s': 'nothing' } as const;

/** Gemini CLI took its flags from Claude Code. */
const claudeFlags = {
  ...ofNoConcern,
  '--transport': 'transport',
  '-t': 'transport',
  '--env': 'env',
  '-e': 'env',
  '--header': 'header',
  '-H': 'header',
} as const;

const forms: readonly LineForm[] = [
  { begins: ['claude', 'mcp', 'add-json'], flags: ofNoConcern, rest: 'name and json' },
  { begins: ['claude', 'mcp', 'add'], flags: claudeFlags, rest: 'name and server' },
  { begins: ['code', '--add-mcp'], flags: {}, rest: 'json' },
  { begins: ['code-insiders', '--add-mcp'], flags: {}, rest: 'json' },
  {
    begins: ['codex', 'mcp', 'add'],
    flags: { '--env': 'env', '--url': 'url', '--bearer-token-env-var': 'token-variable' },
    rest: 'name and server',
  },
  {
    begins: ['gemini', 'mcp', 'add'],
    flags: { ...claudeFlags, '--timeout': 'timeout' },
    rest: 'name and server',
  },
];

/** Whether words begin like a line that is understood. */
export function beginsLikeLine(words: readonly string[]): boolean {
  return formOf(words) !== undefined;
}

/** Reads a line. Throws `usage`. */
export function readPastedCommand(line: string): PastedCommand {
  const words = splitWords(line);
  if (words === undefined) throw notUnderstood('a quote in it is not closed');
  const [first, ...others] = words;
  if (first !== undefined && others.length === 0 && /^https?:\/\//i.test(first)) {
    return { name: undefined, entry: { url: first }, remarks: [] };
  }
  const form = formOf(words);
  if (form === undefined) throw notUnderstood('it is no line of another tool that adds one');
  return readForm(form, words.slice(form.begins.length));
}

function formOf(words: readonly string[]): LineForm | undefined {
  return forms.find(({ begins }) => begins.every((word, index) => words[index] === word));
}

function readForm(form: LineForm, words: readonly string[]): PastedCommand {
  if (form.rest === 'json') return { name: undefined, entry: {}, remarks: [], json: words[0] ?? '' };
  const { given, plain, rest } = sortOut(form, words);
  const [name, ...others] = plain;
  if (name === undefined) throw notUnderstood('it names none');
  if (form.rest === 'name and json') return { name, entry: {}, remarks: [], json: others[0] ?? '' };
  const command = [...others, ...rest];
  return { name, ...entryOf(given, command) };
}

interface Given {
  readonly env: Record<string, string>;
  readonly headers: Record<string, string>;
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
  const given: Given = { env: {}, headers: {}, remarks: [] };
  const plain: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { given, plain, rest: words.slice(at + 1) };
    // The command's own flags are no flags of the tool.
    if (plain.length >= 2 && !/^https?:/i.test(plain[1] ?? '')) return { given, plain, rest: words.slice(at) };
    const [flag = '', ...inline] = word.split('=');
    const meaning = Object.hasOwn(form.flags, flag) ? form.flags[flag] : undefined;
    if (meaning === undefined) {
      if (word.startsWith('-')) given.remarks.push({ field: flag, why: 'is not known' });
      else plain.push(word);
      continue;
    }
    if (inline.length > 0) {
      take(given, { meaning, flag, value: inline.join('=') });
      continue;
    }
    const values = valuesBehind(words.slice(at + 1), meaning);
    for (const value of values) take(given, { meaning, flag, value });
    at += values.length;
  }
  return { given, plain, rest: [] };
}

/** The value of a flag; one flag may have several variables behind it. */
function valuesBehind([first = '', ...others]: readonly string[], meaning: string): readonly string[] {
  const more = meaning === 'env' ? others.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word)) : 0;
  return [first, ...others.slice(0, more < 0 ? others.length : more)];
}

function take(
  given: Given,
  { meaning, flag, value }: { readonly meaning: string; readonly flag: string; readonly value: string },
): void {
  if (meaning === 'env') {
    const [name = '', ...text] = value.split('=');
    given.env[name] = asWritten(text.join('='));
  } else if (meaning === 'header') {
    const [, name, text] = /^([^\s:=]+)\s*[:=]\s*(.*)$/s.exec(value) ?? [];
    if (name === undefined || text === undefined) throw notUnderstood(`${flag} has no name and value`);
    given.headers[name] = asWritten(text);
  } else if (meaning === 'transport') given.transport = value;
  else if (meaning === 'url') given.url = value;
  else if (meaning === 'token-variable') given.headers['Authorization'] = `Bearer \${${value}}`;
  else if (meaning === 'timeout') given.remarks.push({ field: flag, why: 'is not taken: give --timeout, in seconds' });
}

/** A shell would have replaced `$NAME`: here it becomes a reference. */
function asWritten(text: string): string {
  return text.replaceAll(/\$([A-Za-z_]\w*)/g, (_whole, name: string) => `\${${name}}`);
}

function entryOf(given: Given, command: readonly string[]): Pick<PastedCommand, 'entry' | 'remarks'> {
  const [program, ...args] = command;
  const url = given.url ?? (program !== undefined && isAddress(program, given) ? program : undefined);
  const { env, headers, remarks } = given;
  if (url !== undefined) {
    const transport = { sse: 'sse', http: 'streamable' }[given.transport ?? ''];
    return { entry: withoutEmpty({ url, ...(transport === undefined ? {} : { transport }), headers }), remarks };
  }
  if (program === undefined) throw notUnderstood('it has neither a command nor a URL');
  return { entry: withoutEmpty({ command: program, args, env }), remarks };
}

function isAddress(word: string, { transport }: Given): boolean {
  return /^https?:\/\//i.test(word) || transport === 'http' || transport === 'sse';
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
    hint: 'Understood are JSON with "mcpServers" or one entry, lines that begin with "claude mcp add", "codex mcp add", "gemini mcp add" or "code --add-mcp", and a URL.',
    execution: 'not-sent',
  });
}
