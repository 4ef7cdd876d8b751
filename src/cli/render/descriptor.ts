/** A server and a tool as a person reads them. */
import { isObject, type JsonValue, limits, plural, prettyJson, shorten, stringifyJson } from '../../base/index.ts';
import { cleanText, sampleArguments, writableName } from '../../policy/index.ts';
import { pairText } from '../pair-text.ts';
import { cell, nameOf } from './cell.ts';
import type { Style } from './style.ts';
import { renderTable } from './table.ts';

export interface ShownServer {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  /** Names and values, in order; empty values are left out. */
  readonly facts: readonly (readonly [string, string])[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
}

export function renderServer(server: ShownServer, style: Style, columns: number): readonly string[] {
  const facts = server.facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [`  ${name}`, cell(value, 1_000)]);
  const tools = server.tools.map(({ name, description }) => [
    `  ${writableName({ name })}`,
    cell(description, columns),
  ]);
  const others = [
    [server.resources, 'resource'],
    [server.resourceTemplates, 'resource template'],
    [server.prompts, 'prompt'],
  ] as const;
  return [
    style.bold(cell(server.name)),
    ...paragraph(server.description),
    ...renderTable(facts, Number.MAX_SAFE_INTEGER),
    ...titled('Instructions:', paragraph(shorten(server.instructions, limits.instructionsCharacters)), style),
    '',
    style.bold(`${plural(server.tools.length, 'tool')}:`),
    ...renderTable(tools, columns),
    ...others.filter(([count]) => count > 0).map(([count, noun]) => plural(count, noun)),
  ];
}

/** Name, description, arguments, and a call that works as pasted. `call` makes its command from the name and the pairs. */
export function renderTool(
  tool: Readonly<Record<string, JsonValue | undefined>>,
  style: Style,
  call: (name: string, pairs: readonly string[]) => string,
): readonly string[] {
  const name = nameOf(tool);
  const schema = tool['inputSchema'] ?? true;
  const pairs = Object.entries(sampleArguments(schema, 'required')).map(([key, value]) => pairText(schema, key, value));
  const annotations = tool['annotations'];
  const hints = isObject(annotations)
    ? Object.entries(annotations).map(([key, value]) => `${cell(key)}: ${cell(stringifyJson(value))}`)
    : [];
  return [
    style.bold(cell(name)) + (typeof tool['title'] === 'string' ? `  ${cell(tool['title'])}` : ''),
    ...paragraph(tool['description']),
    ...titled('Arguments:', renderArguments(schema), style),
    ...titled('Input schema:', indented(prettyJson(schema)), style),
    ...(tool['outputSchema'] === undefined
      ? []
      : titled('Output schema:', indented(prettyJson(tool['outputSchema'])), style)),
    ...titled(
      'The server says of it:',
      hints.map((hint) => `  ${hint}`),
      style,
    ),
    ...titled('Call it:', [`  ${cell(call(writableName({ name }), pairs), 4_000)}`], style),
  ];
}

function renderArguments(schema: JsonValue): readonly string[] {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(schema) || !isObject(properties)) return [];
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as JsonValue[]) : []);
  const rows = Object.entries(properties).map(([name, property]) => [
    `  ${cell(name)}`,
    typeName(property),
    required.has(name) ? 'required' : '',
    isObject(property) ? cell(property['description'], 1_000) : '',
  ]);
  return renderTable(rows, Number.MAX_SAFE_INTEGER);
}

function typeName(property: JsonValue): string {
  if (!isObject(property)) return '';
  const type = property['type'];
  const options = property['enum'];
  if (Array.isArray(options))
    return cell(
      (options as JsonValue[]).map((option) => (typeof option === 'string' ? option : stringifyJson(option))).join('|'),
      80,
    );
  return Array.isArray(type)
    ? cell(
        (type as JsonValue[]).map((option) => (typeof option === 'string' ? option : stringifyJson(option))).join('|'),
      )
    : cell(type);
}

function titled(title: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), ...lines];
}

function paragraph(text: unknown): readonly string[] {
  return typeof text === 'string' && text.trim() !== '' ? indented(text.trim()) : [];
}

function indented(text: string): readonly string[] {
  return cleanText(text)
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`));
}
