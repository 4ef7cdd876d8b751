/** Results of tools and resources: for a person, and whole. */
import { formatBytes, isObject, type JsonValue, plural } from '../../base/index.ts';
import { cleanText, type Cut, type Presented, type ShownBlock } from '../../policy/index.ts';

/** What stands on standard output for a guarded result. */
export function renderPresented(shown: Presented): string {
  const images = shown.blocks.filter(({ type }) => type === 'image').length;
  return renderBlocks(shown.blocks, images === 1 ? 'save it with -o FILE' : 'its data is in --json');
}

/** Blocks as text, clean; `where` says how to get at an image. */
export function renderBlocks(blocks: readonly ShownBlock[], where: string): string {
  return withNewline(blocks.map((block) => cleanText(blockText(block, where))).join('\n'));
}

/** The whole text of a result, as the server sent it. */
export function wholeText(blocks: readonly ShownBlock[]): string {
  return blocks.map((block) => blockText(block)).join('\n');
}

/** Where the rest of a cut result is, one line. */
export function describeCut(cut: Cut): string {
  const shown = `Shown: ${formatBytes(cut.shownBytes)} of ${formatBytes(cut.totalBytes)}, ${plural(cut.shownLines, 'line')} of ${cut.totalLines}.`;
  return cut.path === undefined
    ? `${shown} The whole could not be kept: ${cut.reason ?? 'the reason is unknown.'} --full or -o FILE would give all of it, but a tool runs again for that.`
    : `${shown} The whole: ${cut.path}`;
}

/** The bytes of a result that is nothing but one image, sound or file; undefined when it is something else. */
export function soleBinary(content: readonly JsonValue[]): Uint8Array | undefined {
  const [only, ...others] = content;
  return others.length > 0 ? undefined : binaryOf(only);
}

/** The bytes of the only image, sound or file among the parts of a result, and the other parts; undefined when it is not one. */
export function onlyBinary(
  content: readonly JsonValue[],
): { readonly bytes: Uint8Array; readonly besides: readonly JsonValue[] } | undefined {
  const found = content.flatMap((part, at) => {
    const bytes = binaryOf(part);
    return bytes === undefined ? [] : [{ bytes, at }];
  });
  const [first] = found;
  if (first === undefined || found.length > 1) return undefined;
  return { bytes: first.bytes, besides: content.toSpliced(first.at, 1) };
}

function binaryOf(part: JsonValue | undefined): Uint8Array | undefined {
  if (!isObject(part)) return undefined;
  const embedded = part['resource'];
  const holder = part['type'] === 'resource' && isObject(embedded) ? embedded : part;
  const encoded = holder['blob'] ?? holder['data'];
  if (typeof encoded !== 'string' || typeof holder['text'] === 'string') return undefined;
  return decodeBase64(encoded);
}

function decodeBase64(encoded: string): Uint8Array | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  // Buffer skips what is no base64; bytes that are not all there must not pass for the file.
  const significant = encoded.replace(/[\s=]/g, '').length;
  return Math.floor((significant * 3) / 4) === bytes.length ? bytes : undefined;
}

function blockText(block: ShownBlock, where?: string): string {
  if (block.type === 'text') return block.text;
  const size = formatBytes(Math.floor((block.data.length * 3) / 4));
  return `[image ${block.mimeType}, ${size}${where === undefined ? '' : `; ${where}`}]`;
}

function withNewline(text: string): string {
  return text.endsWith('\n') || text === '' ? text : `${text}\n`;
}
