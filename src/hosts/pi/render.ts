/** How calls of the three tools look in Pi's own window: a row, and unfolded all there is to know. */
import { isObject, limits, plural, shorten } from '../../base/index.ts';
import { cleanLine, cleanText } from '../../policy/index.ts';
import type { HostModule } from './bridge.ts';
import { columnsOf, fitColumns, foldColumns } from './columns.ts';
import { component, paintedLine, type Part } from './component.ts';
import type { PiShownResult } from './pi.ts';

export const renderCall: HostModule['renderCall'] = (name, args, { theme, context }) => {
  const { server, what, rest } = describeArguments(args);
  const named: readonly Part[] = [
    { text: verbs[name] ?? name, color: 'toolTitle' },
    { text: ` ${server}`, color: 'accent' },
    ...(what === '' ? [] : [{ text: ` ${what}` }]),
  ];
  const short = rest === undefined ? '' : ` ${shownLine(shorten(jsonOf(rest), limits.renderedCharacters))}`;
  const row: readonly Part[] = [...named, { text: short, color: 'muted' }];
  return component((width) => {
    const fits = rest === undefined || columnsOf(row.map(({ text }) => text).join('')) <= width;
    const rows = context.expanded !== true || fits ? [row] : [named, ...wholeLines(jsonOf(rest, 2), width, 'muted')];
    return rows.map((parts) => paintedLine(parts, width, theme));
  });
};

export const renderResult: HostModule['renderResult'] = (result, { expanded, isPartial }, { theme, context }) =>
  component((width) => {
    if (isPartial) return [paintedLine([{ text: firstLine(result), color: 'muted' }], width, theme)];
    const failed = context.isError === true || result.isError === true;
    const lines = expanded ? unfolded(result, width) : [folded(result, { failed, width })];
    return lines.map((parts) => paintedLine(parts, width, theme));
  });

const verbs: Readonly<Record<string, string>> = {
  CallMcpTool: 'mcp',
  FetchMcpResource: 'mcp read',
  ListMcpResources: 'mcp list',
};

interface Described {
  readonly server: string;
  /** The tool or the resource. */
  readonly what: string;
  /** What goes there; undefined where nothing does. */
  readonly rest: unknown;
}

/** Arguments as the model gives them: perhaps not all of them yet, perhaps no object. */
function describeArguments(args: unknown): Described {
  const given = isObject(args) ? args : {};
  const { server, toolName, uri, arguments: own, downloadPath } = given;
  return {
    server: nameIn(server) || '…',
    what: nameIn(toolName) || nameIn(uri),
    rest: own ?? downloadPath ?? undefined,
  };
}

function nameIn(value: unknown): string {
  return typeof value === 'string' ? shownLine(value) : '';
}

function jsonOf(value: unknown, indent?: number): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, indent);
}

/** As much of the result as a row has room for; of what is longer, how many lines there are, and always how long it took. */
function folded(result: PiShownResult, { failed, width }: RowOptions): readonly Part[] {
  const { durationMs } = factsOf(result);
  const text = textOf(result);
  const row = rowOf(text);
  const span = durationMs === undefined ? '' : ` ${spanOf(durationMs)}`;
  const lines = text.split('\n').length;
  const isWhole = row.length < limits.renderedCharacters && columnsOf(row + span) <= width;
  const behind = isWhole || lines === 1 ? span : ` (${lines} lines)${span}`;
  return [
    { text: fitColumns(row, width - columnsOf(behind)), color: failed ? 'error' : 'toolOutput' },
    { text: behind, color: 'muted' },
  ];
}

interface RowOptions {
  readonly failed: boolean;
  readonly width: number;
}

/** The beginning of a text on one line; a page of JSON begins with a bracket and many blanks. */
function rowOf(text: string): string {
  const beginning = text.slice(0, 4 * limits.renderedCharacters).replaceAll(/\s+/g, ' ');
  return cleanLine(beginning, limits.renderedCharacters);
}

function unfolded(result: PiShownResult, width: number): readonly (readonly Part[])[] {
  const { durationMs, kind, execution, path } = factsOf(result);
  const facts = [
    ...(durationMs === undefined ? [] : [spanOf(durationMs)]),
    ...(kind === undefined ? [] : [kind]),
    ...(execution === undefined ? [] : [`execution: ${execution}`]),
  ].join(' · ');
  const about = [...(facts === '' ? [] : [facts]), ...(path === undefined ? [] : [`whole output: ${path}`])];
  return [
    ...about.flatMap((text) => painted(foldColumns(text, width), 'muted')),
    ...wholeLines(textOf(result), width, 'toolOutput'),
  ];
}

/** A text as it is, as far as it is drawn at all. */
function wholeLines(text: string, width: number, color: string): readonly (readonly Part[])[] {
  const rows: string[] = [];
  const lines = cleanText(text).replaceAll('\t', '    ').split('\n');
  for (const [at, line] of lines.entries()) {
    const room = limits.renderedLines - rows.length;
    const pieces = room > 0 ? foldColumns(line, width) : [];
    rows.push(...pieces.slice(0, room));
    if (room > 0 && pieces.length <= room) continue;
    const left = lines.length - at - (room > 0 ? 1 : 0);
    const more = [...(room > 0 ? ['more of this line'] : []), ...(left > 0 ? [plural(left, 'more line')] : [])];
    return [...painted(rows, color), ...painted([`… ${more.join(', ')}`], 'muted')];
  }
  return painted(rows, color);
}

function painted(lines: readonly string[], color: string): readonly (readonly Part[])[] {
  return lines.map((text) => [{ text, color }]);
}

interface Facts {
  readonly durationMs: number | undefined;
  readonly kind: string | undefined;
  readonly execution: string | undefined;
  /** Of what was not shown. */
  readonly path: string | undefined;
}

/** What `details` say; those of another version, or of another extension's making, say less. */
function factsOf({ details }: PiShownResult): Facts {
  const { durationMs, kind, execution, summary } = isObject(details) ? details : {};
  const { path } = isObject(summary) ? summary : {};
  const line = (value: unknown): string | undefined => (typeof value === 'string' ? shownLine(value) : undefined);
  return {
    durationMs: typeof durationMs === 'number' ? durationMs : undefined,
    kind: line(kind),
    execution: line(execution),
    path: line(path),
  };
}

/**
 * Texts of results were cleaned where they were made, but not by whoever else may have changed them since: a session's file may hold
 * anything, and what fails while it is drawn ends Pi.
 */
function textOf({ content }: PiShownResult): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.map(blockText).join('\n').replaceAll('\t', '    ');
}

function blockText(block: unknown): string {
  const { type, text, mimeType } = isObject(block) ? block : {};
  if (type === 'text' && typeof text === 'string') return cleanText(text);
  return `[${type === 'image' ? 'image' : 'something else'} ${nameIn(mimeType)}]`.replace(' ]', ']');
}

function firstLine(result: PiShownResult): string {
  return shownLine(textOf(result));
}

function shownLine(text: string): string {
  return cleanLine(text.split('\n', 1)[0] ?? '', limits.renderedCharacters);
}

function spanOf(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
