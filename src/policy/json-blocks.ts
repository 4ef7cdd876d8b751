/** The blocks of a result for programs and models that read JSON (A3): text and images native, everything else as JSON. */
import { isObject, type JsonValue } from '../base/index.ts';
import { jsonText, type ShownBlock, toBlocks, type ToolResult } from './blocks.ts';

/** Structured content stands at the end, also where a text says the same; a result with nothing to show is shown as JSON itself. Pure. */
export function toJsonBlocks(result: ToolResult): readonly ShownBlock[] {
  const { content, structuredContent } = result;
  const blocks = content.flatMap(blocksOf);
  if (structuredContent !== undefined && structuredContent !== null) blocks.push(text(jsonText(structuredContent)));
  return blocks.length === 0 ? [text(jsonText(result))] : blocks;
}

function blocksOf(block: JsonValue): readonly ShownBlock[] {
  const type = isObject(block) ? block['type'] : undefined;
  // A broken image would cost the whole conversation; it becomes a line.
  if (type === 'image') return toBlocks({ content: [block] });
  if (type !== 'text' || !isObject(block) || typeof block['text'] !== 'string') return [text(jsonText(block))];
  return block['text'] === '' ? [] : [text(block['text'])];
}

function text(value: string): ShownBlock {
  return { type: 'text', text: value };
}
