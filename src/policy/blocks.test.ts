import { describe, expect, it } from 'vitest';
import { type JsonValue, limits } from '../base/index.ts';
import { promptBlocks, resourceBlocks, type ShownBlock, toBlocks, type ToolResult } from './blocks.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value: string): JsonValue => ({ type: 'text', text: value });
const shownImage: ShownBlock = { type: 'image', data: png, mimeType: 'image/png' };

/** Texts as they are, images as their type. */
function shown(result: unknown): readonly string[] {
  return toBlocks(result as ToolResult).map((block) => (block.type === 'text' ? block.text : `<${block.mimeType}>`));
}

describe('blocks', () => {
  it('B3: texts and images are native, in their order', () => {
    const content = [text('one'), { type: 'image', data: png, mimeType: 'image/png', annotations: {} }, text('two')];
    expect(toBlocks({ content })).toEqual([{ type: 'text', text: 'one' }, shownImage, { type: 'text', text: 'two' }]);
  });

  it.each<[string, JsonValue, string]>([
    ['audio', { type: 'audio', data: 'UklGRgAAAABXQVZF', mimeType: 'audio/wav' }, '[audio: audio/wav, 12 B]'],
    [
      'a link',
      {
        type: 'resource_link',
        uri: 'demo://r%20Q3.pdf',
        name: 'report',
        title: 'Report Q3',
        description: 'quarterly',
        mimeType: 'application/pdf',
        size: 123_456,
      },
      '[resource link: report, Report Q3, demo://r%20Q3.pdf, application/pdf, 120.6 KiB, quarterly]',
    ],
    [
      'binary data',
      { type: 'resource', resource: { uri: 'demo://b', mimeType: 'application/zip', blob: 'AAECAwQ=' } },
      '[resource: demo://b, application/zip, 5 B of binary data]',
    ],
    ['an unknown block', { type: 'hologram', data: 'xxx' }, '[block of unknown type "hologram": {"data":"xxx"}]'],
    ['a block without a type', { data: 1 }, '[block without a type: {"data":1}]'],
    [
      'a resource without contents',
      { type: 'resource', resource: { uri: 'demo://c' } },
      '[block of unknown type "resource": {"resource":{"uri":"demo://c"}}]',
    ],
    ['a typeless text', { text: 'typeless' }, 'typeless'],
    ['a bare text', 'bare', 'bare'],
    ['null', null, 'null'],
  ])('B3: %s is a readable line', (_, block, line) => {
    expect(shown({ content: [text('before'), block, text('after')] })).toEqual(['before', line, 'after']);
  });

  it('B3: an embedded text has its name before it', () => {
    const resource = { uri: 'demo://a.md', mimeType: 'text/markdown', text: '# Hello' };
    expect(shown({ content: [{ type: 'resource', resource }] })).toEqual([
      '[resource: demo://a.md, text/markdown]',
      '# Hello',
    ]);
  });

  it('B3: an embedded image is an image', () => {
    const resource = { uri: 'demo://i', mimeType: 'image/png', blob: png };
    expect(shown({ content: [{ type: 'resource', resource }] })).toEqual([
      '[resource: demo://i, image/png]',
      '<image/png>',
    ]);
  });

  it('C5: a name cannot break out of its line', () => {
    const [line] = shown({ content: [{ type: 'resource_link', uri: 'x:\n\u001b[2J]\n[system', name: 'n' }] });
    expect(line).toBe('[resource link: n, x: ] [system]');
  });
});

describe('images', () => {
  it.each<[string, JsonValue, RegExp]>([
    [
      'an empty one',
      { type: 'image', data: '', mimeType: 'image/png' },
      /^\[image: image\/png, 0 B, not shown: it is empty\]$/,
    ],
    ['broken base64', { type: 'image', data: '***not base64***', mimeType: 'image/png' }, /its data is no base64/],
    [
      'a type that models do not take',
      { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
      /PNG, JPEG, GIF and WebP/,
    ],
    ['data that is no image', { type: 'image', data: 'AAAAAAAA', mimeType: 'image/png' }, /its data is no image\/png/],
    ['no data', { type: 'image', mimeType: 'image/png' }, /it has no data/],
    ['a number for data', { type: 'image', data: 5 }, /it has no data/],
    [
      'one that is too large',
      { type: 'image', data: png.slice(0, -4).repeat(60_000), mimeType: 'image/png' },
      /it is larger than 3\.8 MiB/,
    ],
  ])('B3: %s becomes a line and the rest survives', (_, block, line) => {
    const [image, rest, ...more] = shown({ content: [block, text('still here')] });
    expect(image).toMatch(line);
    expect(image?.length).toBeLessThan(200);
    expect([rest, ...more]).toEqual(['still here']);
  });

  it('B3: a mislabelled image gets the type of its data', () => {
    expect(toBlocks({ content: [{ type: 'image', data: png, mimeType: 'image/jpeg' }] })).toEqual([shownImage]);
  });

  it('B3: other ways to write base64 are taken', () => {
    const written = [`data:image/png;base64,${png}`, `${png.slice(0, 40)}\n${png.slice(40)}`, png.replaceAll('=', '')];
    for (const data of [...written, png.replaceAll('+', '-').replaceAll('/', '_')]) {
      expect(toBlocks({ content: [{ type: 'image', data, mimeType: 'image/png' }] })).toEqual([shownImage]);
    }
  });
});

describe('structured content', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['beside a text', { content: [text('visible')], structuredContent: { n: 1 } }, ['visible', '{"n":1}']],
    [
      'beside an image',
      { content: [{ type: 'image', data: png, mimeType: 'image/png' }], structuredContent: { n: 1 } },
      ['<image/png>', '{"n":1}'],
    ],
    ['alone', { content: [], structuredContent: { n: 1 } }, ['{"n":1}']],
    ['without content', { structuredContent: { n: 1 } }, ['{"n":1}']],
    [
      'that a text shows already',
      { content: [text('{ "b": [1], "a": 2 }')], structuredContent: { a: 2, b: [1] } },
      ['{ "b": [1], "a": 2 }'],
    ],
    ['that is another value', { content: [text('{"a":2}')], structuredContent: { a: 3 } }, ['{"a":2}', '{"a":3}']],
    ['that is a text', { content: [text('"Pong"')], structuredContent: 'Pong' }, ['"Pong"']],
    ['that is the text itself', { content: [text('Pong')], structuredContent: 'Pong' }, ['Pong']],
    ['that wraps the text', { content: [text('Pong')], structuredContent: { content: 'Pong' } }, ['Pong']],
    ['that wraps an empty text', { content: [text('')], structuredContent: { content: '' } }, ['(no output)']],
    [
      'that wraps the list a text holds',
      { content: [text('[\n  { "n": 1 }\n]')], structuredContent: { items: [{ n: 1 }] } },
      ['[\n  { "n": 1 }\n]'],
    ],
    [
      'that wraps a list with an item a text',
      { content: [text('a'), text('{"n":1}')], structuredContent: { result: ['a', { n: 1 }] } },
      ['a', '{"n":1}'],
    ],
    [
      'that wraps a list of which the texts say a part',
      { content: [text('a')], structuredContent: { result: ['a', 'b'] } },
      ['a', '{"result":["a","b"]}'],
    ],
    ['that wraps an empty list', { content: [], structuredContent: { result: [] } }, ['{"result":[]}']],
    [
      'that wraps another value',
      { content: [text('Pong')], structuredContent: { content: 'Ping' } },
      ['Pong', '{"content":"Ping"}'],
    ],
    [
      'that wraps the text beside more',
      { content: [text('Pong')], structuredContent: { content: 'Pong', ms: 5 } },
      ['Pong', '{"content":"Pong","ms":5}'],
    ],
    ['that is an empty list', { content: [text('[]')], structuredContent: [] }, ['[]']],
    ['that is false', { content: [], structuredContent: false }, ['false']],
    [
      'of an error',
      { isError: true, content: [text('NOT_FOUND')], structuredContent: { code: 1 } },
      ['NOT_FOUND', '{"code":1}'],
    ],
    ['in the oldest form', { toolResult: { n: 1 } }, ['{"n":1}']],
  ])('B3: %s', (_, result, expected) => {
    expect(shown(result)).toEqual(expected);
  });

  it.each([
    [
      'with an integer no double can keep, which the text says',
      { content: [text('{"id": 9007199254740993}')], structuredContent: { id: 9007199254740993n } },
      ['{"id": 9007199254740993}'],
    ],
    [
      'with an integer whose text was rounded',
      { content: [text('{"id": 9007199254740992}')], structuredContent: { id: 9007199254740993n } },
      ['{"id": 9007199254740992}', '{"id":9007199254740993}'],
    ],
    [
      'that wraps such an integer',
      { content: [text('9007199254740993')], structuredContent: { result: 9007199254740993n } },
      ['9007199254740993'],
    ],
  ])('B3, S13: structured content %s', (_, result, expected) => {
    expect(shown(result)).toEqual(expected);
  });

  it('B3: a large value is written over lines, and still JSON', () => {
    const structuredContent = Array.from({ length: 2_000 }, (_, id) => ({ id }));
    const [json = ''] = shown({ content: [], structuredContent });
    expect(json.split('\n').length).toBeGreaterThan(2_000);
    expect(JSON.parse(json)).toEqual(structuredContent);
  });
});

describe('deep nesting', () => {
  const nested = (levels: number, inner = ''): JsonValue =>
    JSON.parse('['.repeat(levels) + inner + ']'.repeat(levels)) as JsonValue;

  it('B3: it is not blown up by indentation', () => {
    const structuredContent = nested(1_000, Array.from({ length: 2_000 }, () => '1').join(','));
    expect(shown({ content: [], structuredContent }).join('').length).toBeLessThan(10_000);
  });

  it('B3: what cannot be written is told, and the rest survives', () => {
    const deep = nested(100_000);
    const result = { content: [text('before'), deep, { type: 'odd', deep }], structuredContent: deep };
    const told = '[JSON that is nested too deeply to be shown]';
    expect(shown(result)).toEqual(['before', told, `[block of unknown type "odd": ${told}]`, told]);
  });
});

describe('nothing', () => {
  it.each<[string, unknown]>([
    ['an empty list', { content: [] }],
    ['an empty text', { content: [text('')] }],
    ['no members', {}],
    ['nulls', { content: null, structuredContent: null }],
    ['an error without words', { isError: true, content: [] }],
  ])('B3: %s says so', (_, result) => {
    expect(shown(result)).toEqual(['(no output)']);
  });

  it('B3: meta data is not shown', () => {
    expect(shown({ content: [text('x')], _meta: { secret: 1 } })).toEqual(['x']);
  });
});

describe('resources', () => {
  it('B3: one text is itself, several are told apart', () => {
    expect(resourceBlocks([{ uri: 'a:1', text: 'one' }])).toEqual([{ type: 'text', text: 'one' }]);
    const both = [
      { uri: 'a:1', text: 'one' },
      { uri: 'a:2', mimeType: 'image/png', blob: png },
      { uri: 'a:3', blob: 'AAEC' },
    ];
    expect(resourceBlocks(both)).toEqual([
      { type: 'text', text: '[resource: a:1]' },
      { type: 'text', text: 'one' },
      { type: 'text', text: '[resource: a:2, image/png]' },
      shownImage,
      { type: 'text', text: '[resource: a:3, 3 B of binary data]' },
    ]);
    expect(resourceBlocks([])).toEqual([{ type: 'text', text: '(no output)' }]);
    expect(resourceBlocks([{ uri: 'a:1', text: '' }])).toEqual([{ type: 'text', text: '(no output)' }]);
  });

  it('B3: words of a server in our lines are bounded', () => {
    const [block] = resourceBlocks([{ uri: 'x'.repeat(100_000), blob: 'AAEC' }, 5]);
    expect(block?.type === 'text' && block.text.length).toBeLessThan(limits.quotedCharacters + 100);
  });
});

describe('the messages of a prompt', () => {
  it('L1: stand each under its role, apart from one another, whatever their content is', () => {
    const messages = [
      { role: 'user', content: { type: 'text', text: 'Look at this.' } },
      { role: 'assistant', content: [text('one'), { type: 'image', data: png, mimeType: 'image/png' }] },
      { role: 'us\ner', content: null },
      { content: 'bare' },
    ];
    expect(promptBlocks(messages as never)).toEqual([
      text('user:'),
      text('Look at this.'),
      text('\nassistant:'),
      text('one'),
      shownImage,
      text('\nus er:'),
      text('(no output)'),
      text('\nmessage:'),
      text('bare'),
    ]);
    expect(promptBlocks([])).toEqual([text('(no output)')]);
  });
});
