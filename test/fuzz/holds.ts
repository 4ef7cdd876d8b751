/**
 * The runner that all fuzz tests share. A test makes hostile input, hands it to the code and says what must hold; for each input it is
 * also held that nothing hangs and that no prototype was changed.
 */
import { inspect } from 'node:util';
import { Script, createContext } from 'node:vm';
import { expect } from 'vitest';
import { TrestleError } from '../../src/base/index.ts';
import { type Arbitrary, asyncProperty, check, property, repeat, type RunDetails } from '../support/properties.ts';

/** One input takes milliseconds, the largest some hundred; a machine that is busy with other things may take a hundred times as long. */
const hangMs = 30_000;

/** Holds `claim` against many values. `runs` of an ordinary test run: some hundred where nothing touches the disk. */
export function holds<T>(arbitrary: Arbitrary<T>, runs: number, claim: (value: T) => void): void {
  const work = property(arbitrary, (value) => {
    interrupted(() => claim(value));
    assertPrototypes();
  });
  report(check(work, { numRuns: runs }));
}

/** {@link holds} for what waits. */
export async function holdsLater<T>(
  arbitrary: Arbitrary<T>,
  runs: number,
  claim: (value: T) => Promise<void>,
): Promise<void> {
  const work = asyncProperty(arbitrary, async (value) => {
    await claim(value);
    assertPrototypes();
  });
  report(await check(work, { numRuns: runs, timeout: hangMs }));
}

/** fast-check's own report has the whole of a value, which may be of any size and depth. */
function report<T>({ failed, counterexample, errorInstance, ...details }: RunDetails<[T]>): void {
  if (!failed) return;
  const { numRuns, counterexamplePath } = details;
  const value = inspect(counterexample?.[0], { depth: 8, maxStringLength: 600, maxArrayLength: 600 });
  const where = `after ${numRuns} runs (${repeat}, path ${counterexamplePath})`;
  throw new Error(`${where}: ${String(errorInstance)}\n${value}`, { cause: errorInstance });
}

const arena = { work: (): void => {} };
const context = createContext(arena);
const script = new Script('work()');

/** Runs synchronous work and throws when it does not end: the one way to stop a loop, or a regular expression, in one thread. */
function interrupted(work: () => void): void {
  arena.work = work;
  script.runInContext(context, { timeout: hangMs });
}

type Members = Readonly<Record<string, unknown>>;

const prototypes: readonly object[] = [Object, Array, String, Number, Function, Map, Set, Promise, Error].map(
  ({ prototype }) => prototype as object,
);
const members = (object: object): string => Reflect.ownKeys(object).map(String).join();
const untouched = prototypes.map(members);

function assertPrototypes(): void {
  for (const [at, prototype] of prototypes.entries()) {
    if (members(prototype) !== untouched[at]) throw new Error(`a prototype was changed: ${members(prototype)}`);
  }
}

/** The value of `work`, or the TrestleError it throws. Whatever else it throws is a fault, and so is an error of code `internal`. */
export function valueOrError<T>(work: () => T): T | TrestleError {
  try {
    return work();
  } catch (thrown) {
    return asTold(thrown);
  }
}

/** {@link valueOrError} for what waits. */
export async function valueOrErrorLater<T>(work: () => Promise<T>): Promise<T | TrestleError> {
  try {
    return await work();
  } catch (thrown) {
    return asTold(thrown);
  }
}

function asTold(thrown: unknown): TrestleError {
  if (!(thrown instanceof TrestleError) || thrown.code === 'internal') throw thrown;
  expect(thrown.message).not.toBe('');
  return thrown;
}

/**
 * Holds that nothing in `value` inherits from data: a member called `__proto__` that was assigned, not defined, would give an object
 * whatever members its author likes.
 */
export function assertPlain(value: unknown): void {
  const open: unknown[] = [value];
  const seen = new Set<unknown>();
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const prototype: unknown = Object.getPrototypeOf(next);
    if (prototype !== null && !isClass(prototype)) throw new Error('an object inherits from data');
    const inside: Iterable<unknown> = next instanceof Map ? [...next].flat() : Object.values<unknown>(next as Members);
    if (!ArrayBuffer.isView(next)) for (const member of inside) open.push(member);
  }
}

function isClass(prototype: unknown): boolean {
  if (typeof prototype !== 'object' || prototype === null || !Object.hasOwn(prototype, 'constructor')) return false;
  const made: unknown = prototype.constructor;
  return typeof made === 'function' && made.prototype === prototype;
}
