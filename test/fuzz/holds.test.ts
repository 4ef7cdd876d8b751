import { expect, it } from 'vitest';
import { TrestleError } from '../../src/base/index.ts';
import { array, constant, integer } from '../support/properties.ts';
import { assertPlain, holds, holdsLater, valueOrError } from './holds.ts';

it('a claim that does not hold is told with what breaks it, made small, and how to repeat it', () => {
  const claim = (given: readonly number[]): void => expect(given.length).toBeLessThan(3);
  expect(() => holds(array(integer()), 100, claim)).toThrow(/TRESTLE_FUZZ_SEED=\d+.*\n\[ 0, 0, 0 \]/s);
});

it('a prototype that is changed is noticed', async () => {
  const pollute = (): void =>
    void Reflect.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true });
  try {
    expect(() => holds(constant(1), 1, pollute)).toThrow(/prototype/);
    await expect(holdsLater(constant(1), 1, async () => pollute())).rejects.toThrow(/prototype/);
  } finally {
    Reflect.deleteProperty(Object.prototype, 'polluted');
  }
});

it('an object that inherits from data is noticed, also inside of others', () => {
  const assigned: Record<string, unknown> = {};
  assigned['__proto__'] = { admin: true };
  expect(() => assertPlain(new Map([['a', [undefined, assigned]]]))).toThrow(/inherits/);
  assertPlain(JSON.parse('{"__proto__": {"constructor": 1}}'));
});

it('what is thrown must be an error of ours that says something', () => {
  const crash = (): never => {
    throw new TypeError('x is not a function');
  };
  expect(() => valueOrError(crash)).toThrow(TypeError);
  const internal = new TrestleError({ code: 'internal', message: 'x' });
  expect(() => valueOrError(() => raise(internal))).toThrow(internal);
  const told = new TrestleError({ code: 'usage', message: 'Say what.' });
  expect(valueOrError(() => raise(told))).toBe(told);
});

function raise(error: Error): never {
  throw error;
}
