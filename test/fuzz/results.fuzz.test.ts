import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import {
  cleanLine,
  cleanText,
  createRedactor,
  guardBlocks,
  inspectText,
  promptBlocks,
  resourceBlocks,
  type ShownBlock,
  toBlocks,
  toJsonBlocks,
  type ToolResult,
} from '../../src/policy/index.ts';
import { rawDetails } from '../../src/toolsets/details.ts';
import { array, base64String, constantFrom, integer, oneof, record, tuple } from '../support/properties.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { assertPlain, holds, holdsLater } from './holds.ts';
import { jsonValue, shaped, text } from './hostile.ts';

const mimeType = constantFrom('image/png', 'IMAGE/PNG', 'image/svg+xml', 'audio/wav', '\u001b[2J', 'text/plain');
const data = oneof(base64String(), text, constantFrom('iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo', '===='));
const resource = shaped({ uri: text, mimeType, text, blob: data });
const block = shaped({
  type: constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'hologram'),
  text,
  data,
  mimeType,
  resource,
  uri: text,
  name: text,
  size: integer(),
});
const result = shaped({
  content: array(oneof({ weight: 4, arbitrary: block }, { weight: 1, arbitrary: jsonValue }), { maxLength: 4 }),
  structuredContent: jsonValue,
  isError: constantFrom(true, false),
});

function textsOf(blocks: readonly ShownBlock[]): readonly string[] {
  return blocks.flatMap((shown) => (shown.type === 'text' ? [shown.text] : []));
}

/** What may never reach a terminal or a model. */
const commanding = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u; // eslint-disable-line no-control-regex -- these are the subject

describe('a result', () => {
  it('B3: has blocks that can be shown, whatever it is', () => {
    holds(oneof(result, result, jsonValue), 200, (given) => {
      const asked = given as unknown as ToolResult;
      const content = (
        typeof given === 'object' && given !== null && 'content' in given ? given['content'] : given
      ) as never;
      // The session hands on results only, which are objects with a list.
      const usual: ToolResult = { ...(given as object), content: Array.isArray(content) ? content : [] };
      const forms = [toBlocks(usual), toJsonBlocks(usual), resourceBlocks(content), promptBlocks([{ content }])];
      if (typeof given === 'object' && given !== null) forms.push(toBlocks(asked));
      for (const blocks of forms) {
        expect(blocks.length).toBeGreaterThan(0);
        assertPlain(blocks);
        for (const shown of blocks) {
          if (shown.type === 'text') expect(shown.text).toBeTypeOf('string');
          else expect(shown.mimeType).toMatch(/^image\/(?:png|jpeg|gif|webp)$/);
        }
      }
    });
  });

  it('B5: is cut within its limits, is clean, and the whole is on disk as it came', async () => {
    const root = tempFolder();
    let turn = 0;
    const limitsOf = record({ maxBytes: integer({ min: 1, max: 3_000 }), maxLines: integer({ min: 1, max: 60 }) });
    await holdsLater(tuple(array(text, { minLength: 1, maxLength: 6 }), limitsOf), 150, async ([texts, most]) => {
      const spillFolder = join(root, String((turn += 1)));
      const blocks = texts.map((value): ShownBlock => ({ type: 'text', text: value }));
      const shown = await guardBlocks(blocks, {
        guard: { enabled: true, ...most },
        redactor: createRedactor(),
        spillFolder,
        scope: 'library',
        label: texts[0] ?? '',
        nowMs: 0,
      });
      const lines = textsOf(shown.blocks);
      for (const line of lines) expect(line).not.toMatch(commanding);
      if (shown.cut === undefined) {
        expect(lines).toEqual(texts.map(cleanText));
        return;
      }
      const head = lines.slice(0, -1).join('\n');
      // The sentence about the cut needs some room of its own.
      if (most.maxBytes > 2_000 && most.maxLines > 4) {
        expect(Buffer.byteLength(lines.join('\n'))).toBeLessThanOrEqual(most.maxBytes);
      }
      expect(Buffer.byteLength(head)).toBe(shown.cut.shownBytes);
      expect(shown.cut.shownBytes).toBeLessThanOrEqual(most.maxBytes);
      expect(shown.cut.shownLines).toBeLessThanOrEqual(most.maxLines);
      const own = join(spillFolder, 'library');
      const [file = ''] = readdirSync(own);
      expect(shown.cut.path).toBe(join(own, file));
      expect(readFileSync(join(own, file)).equals(Buffer.from(texts.join('\n')))).toBe(true);
    });
  });

  it('B5: is raw in the details while it is small, else told by its size', async () => {
    await holdsLater(tuple(jsonValue, integer({ min: 1, max: 500 })), 300, async ([raw, maxBytes]) => {
      const [whole, redact] = [async () => '/spill/a', (value: string): string => value];
      const details = await rawDetails({ member: 'result', raw, maxBytes, whole, redact });
      const written = JSON.stringify(details);
      expect(written.length).toBeLessThan(10 * maxBytes + 200);
      assertPlain(details);
    });
  });
});

describe('text of a server', () => {
  it('C5: is harmless when it was cleaned, and cleaning it once more changes nothing', () => {
    holds(text, 600, (given) => {
      const clean = cleanText(given);
      expect(clean).not.toMatch(commanding);
      expect(cleanText(clean)).toBe(clean);
      expect(clean.isWellFormed()).toBe(true);
      expect(inspectText(clean)).toEqual([]);
      const line = cleanLine(given, 80);
      expect(line).not.toMatch(/[\n\t\u2028\u2029]/);
      expect(line.length).toBeLessThanOrEqual(80);
    });
  });

  it('K4: holds no secret after it was redacted, wherever and however often it stands', () => {
    const secret = text.filter((value) => value.trim().length >= 8 && value.length < 100);
    holds(tuple(secret, text, text, text), 400, ([hidden, before, between, after]) => {
      const redactor = createRedactor();
      redactor.add(hidden);
      const plain = hidden.trim();
      const forms = [plain, JSON.stringify(plain).slice(1, -1), Buffer.from(plain).toString('base64')];
      for (const form of forms) {
        const shown = redactor.redact(before + form + between + form + after);
        expect(shown).toContain('[redacted]');
        // A text may hold the secret's characters around what stands for it.
        if (!'[redacted]'.includes(plain[0] ?? '') && !'[redacted]'.includes(plain.at(-1) ?? '')) {
          expect(shown).not.toContain(plain);
        }
      }
    });
  });

  it('C5, K4: takes linear time, whatever it is made of', () => {
    const seeds = [
      '\u001b]',
      '\u001b[',
      '\u001b[0;',
      '\u009d',
      '\u{1f468}\u200d',
      '\u{1f3f4}\u{e0061}',
      '\u200b',
      '\r',
      ' \t',
      'secret-secre',
    ];
    const redactor = createRedactor();
    redactor.add('secret-secret');
    for (const seed of seeds) {
      const whole = seed.repeat(200_000 / seed.length);
      holds(constantFrom(whole), 1, (given) => {
        expect(cleanText(given)).not.toMatch(commanding);
        expect(cleanLine(given, 100).length).toBeLessThanOrEqual(100);
        inspectText(given);
        redactor.redact(given);
      });
    }
  });

  it('B3: a result of any size is turned into blocks in linear time', () => {
    const wide = (count: number): JsonObject => ({
      content: Array.from({ length: count }, () => ({ type: 'text', text: '{"a":1}' })),
      structuredContent: { result: Array.from({ length: count }, () => ({ a: 1 })) },
    });
    for (const given of [
      wide(50_000),
      { content: [{ type: 'text', text: ' '.repeat(500_000) }], structuredContent: {} },
      { content: [{ type: 'image', data: '='.repeat(500_000), mimeType: 'image/png' }] },
      { content: [{ type: 'image', data: ' '.repeat(500_000), mimeType: 'image/png' }] },
      { content: [{ type: 'resource_link', uri: '\u001b['.repeat(250_000), name: '\n'.repeat(500_000) }] },
    ]) {
      holds(constantFrom(given as unknown as ToolResult), 1, (asked) => {
        expect(toBlocks(asked).length).toBeGreaterThan(0);
        expect(toJsonBlocks(asked).length).toBeGreaterThan(0);
      });
    }
  });
});
