/** A sample of a number within its bounds; exact where a bound is an integer that a double cannot keep. */
import type { JsonObject } from '../base/index.ts';
import { numberOf } from './schema/keywords.ts';

interface Bound<T> {
  readonly value: T;
  readonly exclusive: boolean;
}

interface Range<T> {
  readonly least: Bound<T> | undefined;
  readonly most: Bound<T> | undefined;
  /** The number is a multiple of this. */
  readonly unit: T | undefined;
}

/** A number as `schema` bounds it, `whole` or not: the least allowed, else 42 or what is near to it. */
export function sampleNumber(schema: JsonObject, whole: boolean): number | bigint {
  const unit = numberOf(schema, 'multipleOf');
  const range: Range<number | bigint> = {
    least: boundOf(schema, 'minimum', 'exclusiveMinimum'),
    most: boundOf(schema, 'maximum', 'exclusiveMaximum'),
    unit: unit !== undefined && unit > 0 ? unit : undefined,
  };
  const given = [range.least?.value, range.most?.value, range.unit].filter((value) => value !== undefined);
  const isExact = given.some((value) => typeof value === 'bigint') && given.every(isInteger);
  return isExact ? sampleInteger(mapRange(range, BigInt)) : sampleDouble(mapRange(range, Number), whole);
}

function boundOf(schema: JsonObject, plain: string, exclusive: string): Bound<number | bigint> | undefined {
  const strict = numberOf(schema, exclusive);
  if (strict !== undefined) return { value: strict, exclusive: true };
  const value = numberOf(schema, plain);
  return value === undefined ? undefined : { value, exclusive: schema[exclusive] === true };
}

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function mapRange<T>({ least, most, unit }: Range<number | bigint>, make: (value: number | bigint) => T): Range<T> {
  return {
    least: least && { ...least, value: make(least.value) },
    most: most && { ...most, value: make(most.value) },
    unit: unit === undefined ? undefined : make(unit),
  };
}

function sampleDouble({ least, most, unit }: Range<number>, whole: boolean): number {
  const step = unit ?? 1;
  let value = least?.value ?? Math.min(42, most?.value ?? 42);
  if (unit !== undefined || whole) value = (least === undefined ? Math.floor : Math.ceil)(value / step) * step;
  if (least?.exclusive === true && value <= least.value) value += step;
  else if (most?.exclusive === true && value >= most.value) value -= step;
  // Between two close bounds there may be no step; their middle is the best guess.
  if (!whole && least && most && (value > most.value || (most.exclusive && value === most.value))) {
    return (least.value + most.value) / 2;
  }
  return value;
}

function sampleInteger({ least, most, unit }: Range<bigint>): number | bigint {
  const step = unit ?? 1n;
  const start = least?.value ?? (most !== undefined && most.value < 42n ? most.value : 42n);
  const beyond = ((start % step) + step) % step;
  let value = start - beyond;
  if (least !== undefined && beyond > 0n) value += step;
  if (least?.exclusive === true && value <= least.value) value += step;
  else if (most?.exclusive === true && value >= most.value) value -= step;
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}
