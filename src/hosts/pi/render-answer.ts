/** How an answer of `/mcp-bridge` looks in Pi's own window. */
import { isObject, limits } from '../../base/index.ts';
import { cleanLine, cleanText } from '../../policy/index.ts';
import type { HostModule } from './bridge.ts';
import { component, type Part, paintedLine } from './component.ts';
import { columnsOf, foldColumns } from './columns.ts';

/** Entries of an older session, or of somebody else's making, may hold anything. */
export const renderAnswer: HostModule['renderAnswer'] = (data, theme) => {
  const { command, text } = isObject(data) ? data : {};
  const name = typeof command === 'string' ? cleanLine(command, limits.renderedCharacters) : '';
  const lines = typeof text === 'string' ? cleanText(text).replaceAll('\t', '    ').split('\n') : [];
  return component((width) =>
    [
      [{ text: `/mcp-bridge ${name}`.trim(), color: 'muted' }],
      ...lines.flatMap((line) => {
        const color = colorOf(line);
        return foldLine(line, width).map((piece): readonly Part[] => [
          color === undefined ? { text: piece } : { text: piece, color },
        ]);
      }),
    ].map((parts) => paintedLine(parts, width, theme)),
  );
};

/** What a line goes on with stands below its beginning. */
function foldLine(line: string, width: number): readonly string[] {
  if (columnsOf(line) <= width) return [line];
  const text = line.trimStart();
  const indent = ' '.repeat(Math.min(line.length - text.length, Math.floor(width / 3)));
  return foldColumns(text, width - indent.length).map((piece) => indent + piece);
}

/** As at a terminal, by how our own lines begin. */
const colors: readonly (readonly [begins: RegExp, color: string])[] = [
  [/^error\[/, 'error'],
  [/^hint:/, 'warning'],
  [/^note:/, 'muted'],
  [/^\+/, 'toolDiffAdded'],
  [/^-/, 'toolDiffRemoved'],
];

function colorOf(line: string): string | undefined {
  return colors.find(([begins]) => begins.test(line))?.[1];
}
