/** How calls of the three tools look in Pi's own window: a row, and unfolded all there is to know. */
import { isObject, limits, shorten } from '../../base/index.ts';
import { cleanLine, cleanText } from '../../policy/index.ts';
import type { HostModule } from './bridge.ts';
import { foldColumns } from './columns.ts';
import { component, paintedLine, type Part } from './component.ts';
import type { PiShownResult } from './pi.ts';

export const renderCall: HostModule['renderCall'] = (name, args, theme) => {
  const { server, what, rest } = describeArguments(args);
  const parts: readonly Part[] = [
    { text: verbs[name] ?? name, color: 'toolTitle' },
    { text: ` ${server}`, color: 'accent' },
    ...(what === '' ? [] : [{ text: ` ${what}` }]),
    ...(rest === '' ? [] : [{ text: ` ${rest}`, color: 'muted' }]),
  ];
  return component((width) => [paintedLine(parts, width, theme)]);
};

export const renderResult: HostModule['renderResult'] = (result, { expanded, isPartial }, { theme, context }) =>
  component((width) => {
    if (isPartial) return [paintedLine([{ text: firstLine(result), color: 'muted' }], width, theme)];
    const failed = context.isError === true || result.isError === true;
    const lines = expanded ? unfolded(result, context.args, width) : [folded(result, failed)];
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
  readonly rest: string;
}

/** Arguments as the model gives them: perhaps not all of them yet, perhaps no object. */
function describeArguments(args: unknown): Described {
  const given = isObject(args) ? args : {};
  const { server, toolName, uri, arguments: own, downloadPath } = given;
  const rest = own ?? downloadPath;
  return {
    server: nameIn(server) || '…',
    what: nameIn(toolName) || nameIn(uri),
    rest: rest === undefined || rest === null ? '' : shownLine(jsonOf(rest)),
  };
}

function nameIn(value: unknown): string {
  return typeof value === 'string' ? shownLine(value) : '';
}

function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : shorten(JSON.stringify(value), limits.renderedCharacters);
}

function folded(result: PiShownResult, failed: boolean): readonly Part[] {
  const { durationMs } = factsOf(result);
  const lines = textOf(result).split('\n');
  const more = lines.length > 1 ? ` (+${lines.length - 1} lines)` : '';
  return [
    { text: firstLine(result), color: failed ? 'error' : 'toolOutput' },
    { text: `${more}${durationMs === undefined ? '' : ` ${spanOf(durationMs)}`}`, color: 'muted' },
  ];
}

function unfolded(result: PiShownResult, args: unknown, width: number): readonly (readonly Part[])[] {
  const { server, what } = describeArguments(args);
  const { durationMs, kind, execution, path } = factsOf(result);
  const facts = [
    `${server} ${what}`.trim(),
    ...(durationMs === undefined ? [] : [spanOf(durationMs)]),
    ...(kind === undefined ? [] : [kind]),
    ...(execution === undefined ? [] : [`execution: ${execution}`]),
  ].join(' · ');
  const about = [facts, ...(path === undefined ? [] : [`whole output: ${path}`])];
  const lines = textOf(result).split('\n');
  const hidden = lines.length - limits.renderedLines;
  return [
    ...about.flatMap((text) => painted(foldColumns(text, width), 'muted')),
    ...lines.slice(0, limits.renderedLines).flatMap((text) => painted(foldColumns(text, width), 'toolOutput')),
    ...(hidden > 0 ? painted([`… ${hidden} more lines`], 'muted') : []),
  ];
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

/** Texts of results were cleaned where they were made, but not by whoever else may have changed them since. */
function textOf({ content }: PiShownResult): string {
  return content
    .map((block) => (block.type === 'text' ? cleanText(block.text) : `[image ${shownLine(block.mimeType)}]`))
    .join('\n')
    .replaceAll('\t', '    ');
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
