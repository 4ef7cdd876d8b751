/** Help, made from the tables. */
import { pasteable, type Program } from '../base/index.ts';
import type { Command } from './command.ts';
import { type CommandEntry, commandsOf } from './commands.ts';
import { commonFlagsOf, type Flag, type FlagTable, valueName } from './flags.ts';
import type { Style } from './render/style.ts';
import { wrapped } from './render/wrap.ts';

/** What is written on. */
interface Page {
  readonly style: Style;
  readonly columns: number;
}

/** The commands in the order in which somebody comes to need them. */
const chapters: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Set up servers', ['add', 'import', 'list', 'remove', 'login', 'logout', 'secret', 'approve', 'revoke']],
  ['Use them', ['search', 'show', 'call', 'resources', 'read', 'prompts', 'prompt']],
  ['Look after them', ['status', 'doctor', 'sync', 'reload', 'validate', 'probe', 'daemon']],
  ['For models, other tools and shells', ['context', 'tool', 'export', 'install', 'completion']],
];

/** A first column that is wider stands on a line of its own. */
const widestFirst = 26;
/** Columns without which there is no reading. */
const fewestColumns = 30;
/** How far a meaning that stands below its name is moved in. */
const below = 6;

/** The short overview: what there is, and where to read more. */
export function renderOverview(program: Program, { style, columns }: Page): readonly string[] {
  const { name, inside } = program;
  const told = (text: string): readonly string[] => wrapped(text, Math.max(fewestColumns, columns));
  return [
    ...told('trestle: one bridge from AI agents to every MCP server.'),
    '',
    `${style.bold('Usage:')} ${name} <command> [arguments] [flags]`,
    '',
    style.bold('Start here:'),
    `  ${name} add everything -- npx -y @modelcontextprotocol/server-everything`,
    `  ${name} ${inside === undefined ? 'call everything echo message=hello' : 'list everything'}`,
    ...renderChapters(program, { style, columns }),
    '',
    ...told(`${name} help <command> says more about one, ${name} --version says which this is.`),
    ...told(
      inside === undefined
        ? 'Exit codes: 0 ok, 1 tool or protocol error, 2 usage, 3 unavailable, 4 denied, 5 timed out, 130 interrupted.'
        : `Other commands are for a shell: ${inside.elsewhere} help`,
    ),
  ];
}

function renderChapters(program: Program, { style, columns }: Page): readonly string[] {
  const commands = new Map(commandsOf(program).map((command) => [command.name, command]));
  const rows = chapters.map(([title, names]) => ({
    title,
    commands: names.flatMap((name) => commands.get(name) ?? []),
  }));
  const all = rows.flatMap(({ commands: some }) => some.map(commandRow));
  return rows
    .filter(({ commands: some }) => some.length > 0)
    .flatMap(({ title, commands: some }) => [
      '',
      style.bold(`${title}:`),
      ...renderPairs(some.map(commandRow), {
        columns,
        indent: indentOf(all, columns),
        paint: (text) => style.bold(text),
      }),
    ]);
}

function commandRow({ name, aliases, brief }: CommandEntry): readonly [string, string] {
  return [`  ${[name, ...aliases].join(', ')}`, brief];
}

/** The help of one command. */
export function renderHelp(command: Command, program: Program, { style, columns }: Page): readonly string[] {
  const own = flagRows(command.flags);
  const { json, ...others } = commonFlagsOf(program);
  const flags = [...own, ...flagRows({ json: { ...json, doc: command.json }, ...others })];
  const told = (text: string): readonly string[] => wrapped(text, Math.max(fewestColumns, columns));
  return [
    ...told(command.summary),
    '',
    style.bold('Usage:'),
    ...command.usage.map((form) => `  ${program.name} ${form}`),
    ...(command.details ?? []).flatMap((paragraph) => [
      '',
      ...told(pasteable(paragraph.replaceAll('\n', ' '), program)),
    ]),
    '',
    style.bold('Flags:'),
    ...renderPairs(flags, { columns, indent: indentOf(flags, columns) }),
    '',
    style.bold('Examples:'),
    ...command.examples.map((example) => `  ${program.name} ${example}`),
  ];
}

interface Pairs {
  readonly columns: number;
  readonly indent: number;
  readonly paint?: (text: string) => string;
}

/** Names beside what they mean, which goes on below itself where it is too long. */
function renderPairs(
  rows: readonly (readonly [name: string, meaning: string])[],
  { columns, indent, paint = (text) => text }: Pairs,
): readonly string[] {
  const room = Math.max(fewestColumns, columns - indent);
  return rows.flatMap(([name, meaning]) => {
    const lines = wrapped(meaning, room).map((line) => ' '.repeat(indent) + line);
    if (name.length + 2 > indent) return [paint(name), ...lines];
    const [first = '', ...others] = lines;
    return [paint(name) + first.slice(name.length), ...others];
  });
}

/** Where meanings begin: behind the names, or below them where little room is left behind. */
function indentOf(rows: readonly (readonly [string, string])[], columns: number): number {
  const behind = Math.max(...rows.map(([name]) => name.length).filter((width) => width <= widestFirst)) + 2;
  return columns - behind < fewestColumns ? below : behind;
}

function flagRows(table: FlagTable): readonly (readonly [string, string])[] {
  return Object.entries(table).map(([name, flag]) => [`  ${spelling(name, flag)}`, flag.doc]);
}

function spelling(name: string, flag: Flag): string {
  const value = valueName(flag);
  return `${flag.short === undefined ? '    ' : `-${flag.short}, `}--${name}${value === '' ? '' : ` ${value}`}`;
}
