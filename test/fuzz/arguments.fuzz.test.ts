import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { containedPath, isObject, type JsonObject, type JsonValue, TrestleError } from '../../src/base/index.ts';
import { FrameReader } from '../../src/daemon/frames.ts';
import { readFrame, readHello, readProof } from '../../src/daemon/requests.ts';
import { checkArguments, checkOutput, sampleArguments, typeArgument } from '../../src/policy/index.ts';
import { downloadTarget, saveContents } from '../../src/toolsets/bridge/download.ts';
import { readAddress } from '../../src/toolsets/bridge/registry-address.ts';
import { array, constantFrom, integer, letrec, oneof, tuple } from '../support/properties.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { assertPlain, holds, holdsLater, valueOrError, valueOrErrorLater } from './holds.ts';
import { damaged, jsonText, jsonValue, odd, pieces, shaped, sizes, text } from './hostile.ts';

const type = constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'odd', [
  'string',
  'null',
]);
const pattern = constantFrom('^a+$', '(a+)+$', '(', '[', '\\p{L}', '^(?:a|a)*$', '\\', '(?<=a)b', '__proto__');
const reference = constantFrom('#', '#/', '#/properties/a', '#/$defs/__proto__', '#/%', '#x', 'http://x/y', '#/a/~2');

/** JSON Schemas: each keyword right or anything, references in circles among them. */
const schema = letrec<{ schema: JsonValue }>((tie) => {
  const named = array(tuple(oneof(odd, constantFrom('a', 'b')), tie('schema')), { maxLength: 3 }).map(
    (entries): JsonObject => Object.fromEntries(entries),
  );
  const several = array(tie('schema'), { maxLength: 3 });
  return {
    schema: oneof(
      { maxDepth: 3, depthSize: 'small' },
      constantFrom<JsonValue>(true, false, {}),
      shaped({ type, properties: named, required: array(odd, { maxLength: 2 }), additionalProperties: tie('schema') }),
      shaped({ type, items: tie('schema'), prefixItems: several, contains: tie('schema'), uniqueItems: jsonValue }),
      shaped({ anyOf: several, oneOf: several, allOf: several, not: tie('schema'), if: tie('schema') }),
      shaped({ $ref: reference, $defs: named, patternProperties: named, propertyNames: tie('schema') }),
      shaped({ enum: array(jsonValue, { maxLength: 3 }), const: jsonValue, default: jsonValue, format: text }),
      shaped({ type, pattern, minLength: integer(), maxLength: integer() }),
      shaped({ type, minimum: integer(), maximum: integer(), exclusiveMinimum: integer(), multipleOf: integer() }),
    ),
  };
}).schema;
const argument = array(tuple(oneof(odd, constantFrom('a', 'b')), jsonValue), { maxLength: 3 }).map(
  (entries): JsonObject => Object.fromEntries(entries),
);

describe('a schema of a server', () => {
  it('B1: arguments fit it, do not, or cannot be checked, and what is suggested instead fits', () => {
    holds(tuple(oneof(schema, schema, jsonValue), argument), 500, ([given, args]) => {
      const verdict = checkArguments(given, args);
      assertPlain(verdict);
      if (verdict.kind !== 'invalid') return;
      expect(verdict.problems.length).toBeGreaterThan(0);
      for (const { problem } of verdict.problems) expect(problem).not.toBe('');
    });
  });

  it('L5, L2: samples and typed words are made of any schema', () => {
    holds(tuple(oneof(schema, jsonValue), oneof(odd, constantFrom('a', 'b')), text), 400, ([given, name, word]) => {
      for (const sample of [sampleArguments(given), sampleArguments(given, 'required')]) {
        expect(isObject(sample)).toBe(true);
        assertPlain(sample);
      }
      assertPlain(typeArgument(given, name, word));
    });
  });

  it('S12: a result fits it, or a note says why not', async () => {
    await holdsLater(tuple(oneof(schema, jsonValue), jsonValue), 100, async ([given, value]) => {
      const note = await checkOutput(given, value);
      expect(['string', 'undefined']).toContain(typeof note);
    });
  });

  it('B1: a pattern that would take for ever ends the check', () => {
    const slow = { properties: { a: { pattern: '(a+)+$' }, b: { pattern: '^(a|a)*$' } } };
    const given = { a: `${'a'.repeat(3_000)}!`, b: `${'a'.repeat(3_000)}!` };
    holds(constantFrom(given), 1, (args) => expect(checkArguments(slow, args).kind).toBe('unchecked'));
  });
});

describe('paths and addresses', () => {
  const path = array(oneof(odd, text, constantFrom('in', 'out', 'deep', '.')), { maxLength: 4 }).map((parts) =>
    parts.join('/'),
  );

  it('B2: nothing is written outside of the folder, or over what is there', async () => {
    const root = tempFolder();
    const outside = join(root, 'outside');
    const inside = join(root, 'inside');
    for (const folder of [outside, join(inside, 'in')]) mkdirSync(folder, { recursive: true });
    symlinkSync(outside, join(inside, 'out'));
    await holdsLater(path, 300, async (given) => {
      const contained = valueOrError(() => containedPath(inside, given));
      if (!(contained instanceof TrestleError))
        expect(relative(inside, resolve(contained))).not.toMatch(/^\.\.(?:[\\/]|$)/);
      const target = valueOrError(() => downloadTarget(inside, given));
      if (target instanceof TrestleError) return;
      expect(relative(inside, target)).not.toMatch(/^\.\.(?:[\\/]|$)|^$/);
      const saved = await valueOrErrorLater(() => saveContents(target, [{ text: 'x' }], (value) => value));
      if (!(saved instanceof TrestleError)) expect(existsSync(target)).toBe(true);
      expect(readdirSync(outside)).toEqual([]);
      expect(readdirSync(root).sort()).toEqual(['inside', 'outside']);
    });
  });

  it('C7: an address of the registry is read or is unknown', () => {
    const uri = oneof(
      text,
      tuple(path, text).map(([place, rest]) => `registry://${place}${rest}`),
    );
    holds(uri, 400, (given) => assertPlain(valueOrError(() => readAddress(given))));
  });
});

describe('frames between a client and the daemon', () => {
  const frame = oneof(
    shaped({ hello: shaped({ protocol: integer(), version: text, nonce: text }) }),
    shaped({ proof: text, wants: constantFrom('serve', 'drain'), home: jsonValue }),
    shaped({
      id: integer(),
      method: oneof(constantFrom('call', 'about', 'reload'), odd),
      params: array(jsonValue, { maxLength: 2 }),
      caller: shaped({ env: shaped({ A: text }), cwd: constantFrom('/x') }),
      supplied: array(text, { maxLength: 2 }),
      listeners: array(odd, { maxLength: 2 }),
    }),
    shaped({ cancel: integer(), reason: text, ping: integer() }),
    jsonValue,
  );

  it('L7: are read or end the connection', () => {
    holds(frame, 500, (given) => {
      for (const read of [readHello, readProof, readFrame]) assertPlain(valueOrError(() => read(given)));
      const request = valueOrError(() => readFrame(given));
      if (!(request instanceof TrestleError) && 'method' in request) {
        expect(['__proto__', 'constructor', 'toString']).not.toContain(request.method);
      }
    });
  });

  it('L7: come the same however their bytes are cut, and never with more bytes than allowed', () => {
    const lines = array(oneof(jsonText, text), { maxLength: 4 }).map((all) => all.map((each) => `${each}\n`).join(''));
    const read = (chunks: readonly Buffer[]): readonly unknown[] => {
      const frames: unknown[] = [];
      const reader = new FrameReader(() => 5_000);
      const end = valueOrError(() => {
        for (const chunk of chunks) for (const each of reader.read(chunk)) frames.push(each);
      });
      return [frames, end instanceof TrestleError ? end.code : end];
    };
    holds(tuple(damaged(lines), sizes), 200, ([bytes, of]) => {
      const whole = read([bytes]);
      expect(read(pieces(bytes, of))).toEqual(whole);
      assertPlain(whole);
    });
  });
});
