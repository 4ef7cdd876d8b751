/** The blocks of a result for a model (B3). */
import {
  canonicalJson,
  formatBytes,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  parseJson,
  prettyJson,
  stringifyJson,
} from '../base/index.ts';
import { cleanLine } from './hygiene.ts';
import { decodedBytes, usableImage } from './images.ts';

/** A tool's or resource's result as the server sent it; members are unvalidated. */
export interface ToolResult {
  readonly content: readonly JsonValue[];
  readonly structuredContent?: JsonValue;
  readonly isError?: boolean;
  readonly _meta?: JsonValue;
}

export type ShownBlock =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** What stands for a result in which there is nothing to show. */
const nothing: ShownBlock = { type: 'text', text: '(no output)' };

/**
 * The blocks of a result for a model (B3): text and images native; audio, links, embedded resources and unknown blocks as a
 * readable line; structured content unless the text says the same; "(no output)" for nothing. Pure.
 */
export function toBlocks(result: ToolResult): readonly ShownBlock[] {
  const blocks = listed(result.content).flatMap(blocksOf);
  const structured = structuredValue(result);
  if (structured !== undefined && !isSaid(blocks, structured)) {
    blocks.push(text(structuredText(structured)));
  }
  return orNothing(blocks);
}

/** The blocks of a resource's contents for a model. Pure. */
export function resourceBlocks(contents: readonly JsonValue[]): readonly ShownBlock[] {
  const items = listed(contents);
  const [only] = items;
  // One text is the resource; several need to be told apart.
  if (items.length === 1 && isObject(only) && typeof only['text'] === 'string') return orNothing([text(only['text'])]);
  return orNothing(items.flatMap((item) => (isObject(item) ? embedded(item) : blocksOf(item))));
}

/** The messages of a prompt for a model or a person: each under a line with its role, apart from the one before. Pure. */
export function promptBlocks(messages: readonly JsonObject[]): readonly ShownBlock[] {
  const shown = messages.flatMap(({ role, content }, index) => [
    text(`${index === 0 ? '' : '\n'}${word(role) ?? 'message'}:`),
    ...orNothing(listed(content).flatMap(blocksOf)),
  ]);
  return orNothing(shown);
}

function text(value: string): ShownBlock {
  return { type: 'text', text: value };
}

/** Empty texts are left out: several model providers refuse them. */
function orNothing(blocks: readonly ShownBlock[]): readonly ShownBlock[] {
  const filled = blocks.filter((block) => block.type !== 'text' || block.text !== '');
  return filled.length === 0 ? [nothing] : filled;
}

/** Servers send a bare text or nothing where a list belongs. */
function listed(content: unknown): readonly JsonValue[] {
  if (Array.isArray(content)) return content as readonly JsonValue[];
  return content === undefined || content === null ? [] : [content as JsonValue];
}

function blocksOf(block: JsonValue): readonly ShownBlock[] {
  if (typeof block === 'string') return [text(block)];
  if (!isObject(block)) return [text(jsonText(block))];
  const { type } = block;
  if ((type === 'text' || type === undefined) && typeof block['text'] === 'string') return [text(block['text'])];
  if (type === 'image') return [image(block['data'], block['mimeType'])];
  if (type === 'audio') return [line('audio', [word(block['mimeType']), size(block['data'])])];
  if (type === 'resource_link') return [link(block)];
  if (type === 'resource' && isObject(block['resource'])) return embedded(block['resource']);
  return [unknown(block)];
}

/** `[kind: a, b]`, in which nothing a server says can end the line. */
function line(kind: string, parts: readonly (string | undefined)[]): ShownBlock {
  const said = parts.filter((part) => part !== undefined && part !== '');
  return text(`[${kind}${said.length === 0 ? '' : `: ${said.join(', ')}`}]`);
}

function word(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? cleanLine(value, limits.quotedCharacters) : undefined;
}

function size(data: JsonValue | undefined): string | undefined {
  return typeof data === 'string' ? formatBytes(decodedBytes(data)) : undefined;
}

function image(data: JsonValue | undefined, mimeType: JsonValue | undefined): ShownBlock {
  const usable = usableImage(data, mimeType);
  if (usable.kind === 'image') return { type: 'image', data: usable.data, mimeType: usable.mimeType };
  return line('image', [word(mimeType), size(data), `not shown: ${usable.reason}`]);
}

function link(block: JsonObject): ShownBlock {
  const { name, title, uri, mimeType, description } = block;
  const bytes = block['size'];
  return line('resource link', [
    word(name),
    title === name ? undefined : word(title),
    word(uri),
    word(mimeType),
    typeof bytes === 'number' && bytes >= 0 ? formatBytes(bytes) : undefined,
    word(description),
  ]);
}

function embedded(resource: JsonObject): readonly ShownBlock[] {
  const { uri, mimeType, text: body, blob } = resource;
  const about = [word(uri), word(mimeType)];
  if (typeof body === 'string') return [line('resource', about), text(body)];
  if (typeof blob !== 'string') return [unknown({ type: 'resource', resource })];
  if (typeof mimeType === 'string' && /^image\//i.test(mimeType))
    return [line('resource', about), image(blob, mimeType)];
  return [line('resource', [...about, `${size(blob) ?? ''} of binary data`])];
}

function unknown(block: JsonObject): ShownBlock {
  const { type, ...rest } = block;
  const kind =
    typeof type === 'string' ? `block of unknown type ${stringifyJson(cleanLine(type, 80))}` : 'block without a type';
  return line(kind, [cleanLine(jsonText(rest), limits.quotedCharacters)]);
}

/** Null means none: no tool has null as its whole answer, and several send it for nothing. */
function structuredValue(result: ToolResult): JsonValue | undefined {
  // `toolResult` is the form of the revision before the first published one; old servers still send it.
  const older = (result as { readonly toolResult?: JsonValue }).toolResult;
  return result.structuredContent ?? older ?? undefined;
}

/** Whether the text says the same as `structured`: the value, or that of its only member; in one block, or an item a block. */
function isSaid(blocks: readonly ShownBlock[], structured: JsonValue): boolean {
  return [structured, onlyMember(structured)].some((value) => {
    if (value === undefined) return false;
    const said = sayingOf(value);
    return blocks.some((block) => says(block, said)) || isSaidByItem(blocks, value);
  });
}

function isSaidByItem(blocks: readonly ShownBlock[], value: JsonValue): boolean {
  if (!Array.isArray(value) || value.length !== blocks.length) return false;
  const items: readonly JsonValue[] = value;
  return blocks.length > 0 && blocks.every((block, index) => says(block, sayingOf(items[index] ?? null)));
}

/** Structured content must be an object, so servers put a text or a list into one: `{"result": …}`, `{"content": …}`. */
function onlyMember(value: JsonValue): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  const [member, ...others] = Object.values(value);
  return others.length === 0 ? member : undefined;
}

/** A value that a text may say, and its canonical text, made once however many texts there are. */
interface Saying {
  readonly value: JsonValue;
  readonly canonical: () => string;
}

function sayingOf(value: JsonValue): Saying {
  let text: string | undefined;
  return { value, canonical: () => (text ??= canonicalJson(value)) };
}

function says(block: ShownBlock, { value, canonical }: Saying): boolean {
  if (block.type !== 'text') return false;
  if (block.text === value) return true;
  // Text that cannot be this value is not parsed: a parser's refusal of ordinary prose costs more than the rest of a call.
  if (firstCharacter(block.text) !== openingOf(value)) return false;
  try {
    return canonicalJson(parseJson(block.text)) === canonical();
  } catch {
    return false;
  }
}

/** The first character of a value's JSON text. */
function openingOf(value: JsonValue): string | undefined {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[' : '{';
  return typeof value === 'string' ? '"' : stringifyJson(value)[0];
}

/** The first character of a JSON text: what stands after white space and a byte order mark. */
function firstCharacter(text: string): string | undefined {
  return /^[\uFEFF\s]*(\S)/.exec(text)?.[1];
}

/** Beyond this length JSON is written over many lines, which can be read on from a saved file line by line. */
const compactCharacters = 4_096;
/** Deeper values stay on one line: indentation would multiply the size of the largest message by more than ten. */
const indentedLevels = 10;

function structuredText(value: JsonValue): string {
  const compact = jsonText(value);
  if (compact.length <= compactCharacters || !isWithinLevels(value, indentedLevels)) return compact;
  return prettyJson(value).trimEnd();
}

/** JSON as text, whatever its nesting: a parser takes more of it than a writer. */
export function jsonText(value: unknown): string {
  try {
    return stringifyJson(value);
  } catch (thrown) {
    if (thrown instanceof RangeError) return '[JSON that is nested too deeply to be shown]';
    throw thrown;
  }
}

function isWithinLevels(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return (
    levels > 0 &&
    Object.values<JsonValue>(value as Record<string, JsonValue>).every((member) => isWithinLevels(member, levels - 1))
  );
}
