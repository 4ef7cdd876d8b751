import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type JsonObject, type JsonValue, limits } from '../base/index.ts';
import { checkOutput } from './output.ts';

const schema: JsonValue = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

describe('output schemas', () => {
  it('S12: what fits has no note', async () => {
    expect(await checkOutput(schema, { n: 1 })).toBeUndefined();
    expect(await checkOutput(true, 'anything')).toBeUndefined();
    expect(await checkOutput({ type: 'string', format: 'email' }, 'no mail address')).toBeUndefined();
  });

  it('S12: what does not fit has a note naming the field', async () => {
    expect(await checkOutput(schema, { n: 'one' })).toBe(
      "The structured content does not fit the tool's output schema: n must be integer.",
    );
    expect(await checkOutput({ items: { properties: { 'a/b': { type: 'null' } } } }, [{ 'a/b': 1 }])).toContain(
      '[0]["a/b"] must be null',
    );
    expect(await checkOutput(schema, 5)).toContain('it must be object');
  });

  it('S12: a missing value has a note', async () => {
    expect(await checkOutput(schema, undefined)).toBe('The tool has an output schema but sent no structured content.');
  });

  it.each([
    ['draft-06', 'http://json-schema.org/draft-06/schema#'],
    ['draft-07', 'http://json-schema.org/draft-07/schema#'],
    ['2019-09', 'https://json-schema.org/draft/2019-09/schema'],
    ['2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ])('S12: %s is understood', async (_, $schema) => {
    expect(await checkOutput({ ...schema, $schema }, { n: 1 })).toBeUndefined();
    expect(await checkOutput({ ...schema, $schema }, { n: 'x' })).toContain('n must be integer');
  });

  it('S12: a tuple is read as its draft writes it', async () => {
    const older = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
    expect(await checkOutput(older, [1])).toContain('[0] must be string');
    expect(await checkOutput({ prefixItems: [{ type: 'string' }] }, [1])).toContain('[0] must be string');
  });

  it.each<[string, JsonValue, RegExp]>([
    ['null', null, /no JSON Schema/],
    ['a text', 'object', /no JSON Schema/],
    ['a reference to the network', { $ref: 'https://example.com/x' }, /cannot be used/],
    ['an unknown type', { type: 'any' }, /cannot be used/],
    ['a pattern of another language', { pattern: '(?P<x>a)' }, /cannot be used/],
    ['an unknown dialect', { $schema: 'https://example.com/dialect' }, /not known here/],
    ['a schema beyond the limits', { description: 'x'.repeat(limits.schemaBytes) }, /larger than/],
    ['deep nesting', Array.from({ length: 100 }).reduce<JsonValue>((inner) => ({ not: inner }), {}), /deeper than/],
  ])('S12: %s is a note, never an error', async (_, unusable, reason) => {
    expect(await checkOutput(unusable, 'value')).toMatch(reason);
  });

  it('S12: an endless pattern is stopped', async () => {
    const startedMs = performance.now();
    const note = await checkOutput({ pattern: '^(a+)+$' }, `${'a'.repeat(60)}b`);
    expect(note).toContain('took longer than');
    expect(performance.now() - startedMs).toBeLessThan(20 * limits.outputCheckMs);
  });

  it('S12: quadratic work over a large value is stopped', async () => {
    const value = Array.from({ length: 20_000 }, (_, id) => ({ id }));
    expect(await checkOutput({ uniqueItems: true, items: true, unevaluatedItems: false }, value)).toContain(
      'took longer than',
    );
  });

  it('S12: a value nested beyond the stack is a note', async () => {
    const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as JsonValue;
    const tree: JsonValue = { type: 'array', items: { $ref: '#' } };
    expect(await checkOutput(tree, deep)).toSatisfy((note: unknown) => note === undefined || typeof note === 'string');
  });

  describe('integers that a double cannot keep', () => {
    const at = (id: JsonValue, further: JsonObject = {}): JsonValue => ({ properties: { id }, ...further });
    /** Beyond our own check, so that the validator is asked. */
    const asksValidator: JsonObject = { unevaluatedProperties: false };

    it.each<[schema: JsonValue, id: JsonValue]>([
      [{ type: 'integer' }, 9007199254740993n],
      [{ type: 'number', maximum: 9223372036854775807n }, 9223372036854775807n],
      [{ exclusiveMaximum: 9223372036854775807n }, 9223372036854775806n],
      [{ enum: [1, 9007199254740993n] }, 9007199254740993n],
      [{ type: 'integer', maximum: 9223372036854775807n }, 5],
    ])('S12, S13: %o is fitted by %s, and nothing is said', async (schema, id) => {
      for (let round = 0; round < 2; round += 1) expect(await checkOutput(at(schema), { id })).toBeUndefined();
    });

    it.each<[schema: JsonValue, id: JsonValue, problem: string]>([
      [{ type: 'string' }, 9007199254740993n, 'must be text, got 9007199254740993'],
      [{ maximum: 9223372036854775806n }, 9223372036854775807n, 'must be at most 9223372036854775806'],
      [{ const: 9007199254740992n }, 9007199254740993n, 'must be 9007199254740992, got 9007199254740993'],
      [{ type: 'integer', maximum: 9223372036854775807n }, 'x', 'must be a whole number, got text "x"'],
    ])('S12, S13: %o is not fitted by %s, to the last digit', async (schema, id, problem) => {
      expect(await checkOutput(at(schema), { id })).toContain(`output schema: id ${problem}`);
    });

    it('S12, S13: what only a validator of doubles could decide is decided where no number is compared, else left open', async () => {
      const value = { id: 9007199254740993n };
      expect(await checkOutput(at({ type: 'integer' }, asksValidator), value)).toBeUndefined();
      expect(await checkOutput(at({ type: 'integer' }, asksValidator), { ...value, more: 1 })).toContain(
        'must NOT have unevaluated properties',
      );
      const compared = at({ exclusiveMaximum: 9007199254740994n }, asksValidator);
      expect(await checkOutput(compared, value)).toBe(
        'The structured content was not checked: it has integers too large for the validator to compare.',
      );
      expect(await checkOutput(at({ type: 'integer' }, asksValidator), { id: 10n ** 400n })).toBeUndefined();
    });
  });

  it('S12: two servers with one $id keep their own schemas, and a schema is compiled once', async () => {
    const one = { $id: 'https://example.com/out', type: 'string' };
    const other = { $id: 'https://example.com/out', type: 'number' };
    for (let round = 0; round < 2; round += 1) {
      expect(await checkOutput(one, 'x')).toBeUndefined();
      expect(await checkOutput(other, 5)).toBeUndefined();
      expect(await checkOutput(other, 'x')).toContain('must be number');
    }
  });

  it('S12: more schemas than are kept still work', async () => {
    for (let round = 0; round < limits.compiledSchemas + 5; round += 1) {
      expect(await checkOutput({ const: round }, round)).toBeUndefined();
    }
    expect(await checkOutput({ const: 0 }, 1)).toContain('must be equal to constant');
  });

  it.each([
    ['a value that surely fits', '{ n: 1 }', []],
    ['a value that does not', '{ n: "one" }', [expect.stringMatching(/ajv/)]],
  ])('L8, S12: %s loads a schema library only where it is needed', (_, value, expected) => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { checkOutput } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'output.ts')))});
      await checkOutput(${JSON.stringify(schema)}, ${value});
      console.log(JSON.stringify(loaded.filter((url) => url.endsWith('/ajv/dist/2020.js'))));
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual(expected);
  });
});
