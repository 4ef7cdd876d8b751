/** Help, made from the tables. */
import { pasteable, type Program } from '../base/index.ts';
import type { Command } from './command.ts';
import { commandsOf } from './commands.ts';
import { commonFlagsOf, type Flag, type FlagTable, valueName } from './flags.ts';
import type { Style } from './render/style.ts';
import { renderTable } from './render/table.ts';
import { wrapped } from './render/wrap.ts';

/** What is written on. */
interface Page {
  readonly style: Style;
  readonly columns: number;
}

/** The short overview: what there is, and where to read more. */
export function renderOverview(program: Program, { style, columns }: Page): readonly string[] {
  const { name, inside } = program;
  const rows = commandsOf(program).map((command) => [
    `  ${[command.name, ...command.aliases].join(', ')}`,
    command.brief,
  ]);
  return [
    'trestle: one bridge from AI agents to every MCP server.',
    '',
    `${style.bold('Usage:')} ${name} <command> [arguments] [flags]`,
    '',
    style.bold('Start here:'),
    `  ${name} add everything -- npx -y @modelcontextprotocol/server-everything`,
    `  ${name} ${inside === undefined ? 'call everything echo message=hello' : 'list everything'}`,
    '',
    style.bold('Commands:'),
    ...renderTable(rows, columns, (cell, column) => (column === 0 ? style.bold(cell) : cell)),
    '',
    `${name} help <command> says more about one, ${name} --version says which this is.`,
    inside === undefined
      ? 'Exit codes: 0 ok, 1 tool or protocol error, 2 usage, 3 unavailable, 4 denied, 5 timed out, 130 interrupted.'
      : `Other commands are for a shell: ${inside.elsewhere} help`,
  ];
}

/** The help of one command. */
export function renderHelp(command: Command, program: Program, { style, columns }: Page): readonly string[] {
  const own = flagRows(command.flags);
  const { json, ...others } = commonFlagsOf(program);
  const common = flagRows({ json: { ...json, doc: command.json }, ...others });
  return [
    command.summary,
    '',
    style.bold('Usage:'),
    ...command.usage.map((form) => `  ${program.name} ${form}`),
    ...(command.details ?? []).flatMap((paragraph) => [
      '',
      ...wrapped(pasteable(paragraph.replaceAll('\n', ' '), program), Math.max(30, columns)),
    ]),
    '',
    style.bold('Flags:'),
    ...renderFlags([...own, ...common], columns),
    '',
    style.bold('Examples:'),
    ...command.examples.map((example) => `  ${program.name} ${example}`),
  ];
}

/** Flags beside what they do, which goes on below itself where it is too long. */
function renderFlags(rows: readonly (readonly [string, string])[], columns: number): readonly string[] {
  const indent = Math.max(...rows.map(([flag]) => flag.length)) + 2;
  const room = Math.max(30, columns - indent);
  return rows.flatMap(([flag, doc]) =>
    wrapped(doc, room).map((line, index) => (index === 0 ? flag : '').padEnd(indent) + line),
  );
}

function flagRows(table: FlagTable): readonly (readonly [string, string])[] {
  return Object.entries(table).map(([name, flag]) => [`  ${spelling(name, flag)}`, flag.doc]);
}

function spelling(name: string, flag: Flag): string {
  const value = valueName(flag);
  return `${flag.short === undefined ? '    ' : `-${flag.short}, `}--${name}${value === '' ? '' : ` ${value}`}`;
}
