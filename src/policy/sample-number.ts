/** A sample of a number within its bounds; exact where a bound is an integer that a double cannot keep. */
import type { JsonObject } from '../base/index.ts';
import { numberOf } from './schema/keywords.ts';

interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
}

/** A number as `schema` bounds it, `whole` or not: the least allowed, else 42 or what is near to it. */
export function sampleNumber(schema: JsonObject, whole: boolean): number | bigint {
  const unit = numberOf(schema, 'multipleOf') ?? 0;
  const least = boundOf(schema, 'minimum', 'exclusiveMinimum');
  const most = boundOf(schema, 'maximum', 'exclusiveMaximum');
  if (typeof least?.value === 'bigint') return sampleFrom(least.value, unit, least.exclusive);
  if (typeof most?.value === 'bigint' && most.value < 42) return -sampleFrom(-most.value, unit, most.exclusive);
  const step = unit > 0 ? Number(unit) : 1;
  const from = least?.value;
  const to = most && Number(most.value);
  let value = from ?? Math.min(42, to ?? 42);
  if (unit > 0 || whole) value = (from === undefined ? Math.floor : Math.ceil)(value / step) * step;
  if (least?.exclusive === true && value <= least.value) value += step;
  else if (most?.exclusive === true && value >= most.value) value -= step;
  // Between two close bounds there may be no step; their middle is the best guess.
  if (!whole && from !== undefined && to !== undefined && (value > to || (most?.exclusive === true && value === to))) {
    return (from + to) / 2;
  }
  return value;
}

/** The least multiple of `unit` that is no less than `bound`, or is more than it. */
function sampleFrom(bound: bigint, unit: number | bigint, exclusive: boolean): bigint {
  const least = bound + BigInt(exclusive);
  const step = unit > 0 && Number(unit) % 1 === 0 ? BigInt(unit) : 1n;
  return least + (((-least % step) + step) % step);
}

function boundOf(schema: JsonObject, plain: string, exclusive: string): Bound | undefined {
  const strict = numberOf(schema, exclusive);
  if (strict !== undefined) return { value: strict, exclusive: true };
  const value = numberOf(schema, plain);
  return value === undefined ? undefined : { value, exclusive: schema[exclusive] === true };
}
