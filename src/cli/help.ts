/** Help, made from the tables. */
import type { Command } from './command.ts';
import { commandTable } from './commands.ts';
import { commonFlags, type Flag, type FlagTable, valueName } from './flags.ts';
import type { Style } from './render/style.ts';
import { renderTable } from './render/table.ts';
import { wrapped } from './render/wrap.ts';

/** The short overview: what there is, and where to read more. */
export function renderOverview(program: string, style: Style, columns: number): readonly string[] {
  const rows = commandTable.map((command) => [`  ${[command.name, ...command.aliases].join(', ')}`, command.brief]);
  return [
    'trestle: one bridge from AI agents to every MCP server.',
    '',
    `${style.bold('Usage:')} ${program} <command> [arguments] [flags]`,
    '',
    style.bold('Start here:'),
    `  ${program} add everything -- npx -y @modelcontextprotocol/server-everything`,
    `  ${program} call everything echo message=hello`,
    '',
    style.bold('Commands:'),
    ...renderTable(rows, columns, (cell, column) => (column === 0 ? style.bold(cell) : cell)),
    '',
    `${program} help <command> says more about one, ${program} --version says which this is.`,
    'Exit codes: 0 ok, 1 tool or protocol error, 2 usage, 3 unavailable, 4 denied, 5 timed out, 130 interrupted.',
  ];
}

/** The help of one command. */
export function renderHelp(
  command: Command,
  program: string,
  { style, columns }: { readonly style: Style; readonly columns: number },
): readonly string[] {
  const own = flagRows(command.flags);
  const common = flagRows({ ...commonFlags, json: { ...commonFlags.json, doc: command.json } });
  return [
    command.summary,
    '',
    style.bold('Usage:'),
    ...command.usage.map((form) => `  ${program} ${form}`),
    ...(command.details ?? []).flatMap((paragraph) => [
      '',
      ...wrapped(paragraph.replaceAll('\n', ' '), Math.max(30, columns)),
    ]),
    '',
    style.bold('Flags:'),
    ...renderFlags([...own, ...common], columns),
    '',
    style.bold('Examples:'),
    ...command.examples.map((example) => `  ${program} ${example}`),
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
