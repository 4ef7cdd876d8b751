import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/index.ts';
import type { ToolResult } from './blocks.ts';
import { toJsonBlocks } from './json-blocks.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const textsOf = (result: ToolResult): readonly string[] =>
  toJsonBlocks(result).map((block) => (block.type === 'text' ? block.text : block.mimeType));

describe('a result as JSON', () => {
  it('A3: texts and images are native, every other block is its JSON, structured content stands at the end', () => {
    const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
    const link = { type: 'resource_link', uri: 'a://b', name: 'b' };
    const resource = { type: 'resource', resource: { uri: 'a://c', text: 'c' } };
    const image = { type: 'image', data: png, mimeType: 'image/png' };
    const content = [{ type: 'text', text: '{"n":1}' }, image, audio, link, resource, { type: 'new' }, 'bare', 5];
    const others = [audio, link, resource, { type: 'new' }, 'bare', 5, { n: 1 }];
    expect(toJsonBlocks({ content, structuredContent: { n: 1 } })).toEqual([
      { type: 'text', text: '{"n":1}' },
      image,
      ...others.map((value) => ({ type: 'text', text: JSON.stringify(value) })),
    ]);
  });

  it.each([[[]], [0], [''], [false]])('A3: structured content may be any value: %j', (structuredContent) => {
    expect(textsOf({ content: [], structuredContent })).toEqual([JSON.stringify(structuredContent)]);
  });

  it('A3: an image that no model takes becomes a line', () => {
    const content = [{ type: 'image', mimeType: 'image/png' }];
    expect(textsOf({ content })).toEqual([expect.stringMatching(/^\[image: .*not shown/)]);
  });

  it('A3: a result with nothing to show is its own JSON', () => {
    const result = { content: [{ type: 'text', text: '' }], structuredContent: null, isError: false };
    expect(textsOf(result)).toEqual([JSON.stringify(result)]);
  });

  it('B6: JSON nested without end is said to be so, not a crash', () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(textsOf({ content: [deep], structuredContent: deep })).toEqual([
      expect.stringMatching(/nested too deeply/),
      expect.stringMatching(/nested too deeply/),
    ]);
  });
});
