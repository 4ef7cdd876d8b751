import { describe, expect, it } from 'vitest';
import { checkForm } from './form-content.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 3 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    sure: { type: 'boolean', default: true },
    colour: { type: 'string', enum: ['red', 'blue'] },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    tags: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['a', 'b'] } },
  },
  required: ['name', 'sure'],
};

describe('checkForm', () => {
  it('S6: applies defaults and accepts what fits', () => {
    const content = { name: 'Ann', age: 3, colour: 'red', size: 'l', tags: ['a'] };
    expect(checkForm(schema, content)).toEqual({ ok: true, content: { ...content, sure: true } });
  });

  it.each([
    [{}, 'name is required'],
    [{ name: 'A' }, 'name must have at least 2'],
    [{ name: '😀😀😀😀' }, 'name must have at most 3'],
    [{ name: 7 }, 'name must be a text'],
    [{ name: 'Ann', age: 1.5 }, 'age must be a whole number'],
    [{ name: 'Ann', age: -1 }, 'age must be at least 0'],
    [{ name: 'Ann', age: 151 }, 'age must be at most 150'],
    [{ name: 'Ann', sure: 'yes' }, 'sure must be true or false'],
    [{ name: 'Ann', colour: 'green' }, 'colour must be one of red, blue'],
    [{ name: 'Ann', size: 'm' }, 'size must be one of s, l'],
    [{ name: 'Ann', tags: ['c'] }, 'tags may only hold a, b'],
    [{ name: 'Ann', tags: ['a', 'b', 'a'] }, 'tags must have at most 2'],
    [{ name: 'Ann', tags: 'a' }, 'tags must be a list'],
  ])('S6: %j does not fit: %s', (content, problem) => {
    const checked = checkForm(schema, content);
    expect(checked.ok ? '' : checked.problem).toContain(problem);
  });

  it('S6: three astral characters are three characters', () => {
    expect(checkForm(schema, { name: '😀😀😀' }).ok).toBe(true);
  });

  it('S6: a form without a usable schema takes what it is given', () => {
    expect(checkForm(undefined, { a: 1 })).toEqual({ ok: true, content: { a: 1 } });
    expect(checkForm({ properties: null, required: 'a' }, { a: 1 })).toEqual({ ok: true, content: { a: 1 } });
  });
});
