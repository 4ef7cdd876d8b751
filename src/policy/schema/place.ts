/** What the parts of a check hand to one another. */
import type { JsonObject, JsonValue } from '../../base/index.ts';
import type { Dialect } from './dialect.ts';
import type { Finding, PathLink } from './finding.ts';
import type { Patterns } from './patterns.ts';

/** A value and where it stands. */
export interface Spot {
  readonly value: JsonValue;
  readonly path: PathLink | undefined;
}

/** A value beside the schema object that speaks of it. */
export interface Place extends Spot {
  readonly schema: JsonObject;
}

/** The state of one check. */
export interface Check {
  readonly root: JsonValue;
  readonly dialect: Dialect;
  /** Whether `$ref` may be resolved from the root: no `$id` below it moves the base. */
  readonly plainReferences: boolean;
  readonly patterns: Patterns;
  /** Checks a value against a subschema. */
  readonly visit: (schema: JsonValue, spot: Spot) => Finding;
  /** When the check is over, by the machine's monotonic clock; undefined before the first look at it. */
  endMs: number | undefined;
  /** Steps left; at 0 everything further is a doubt. */
  stepsLeft: number;
  depth: number;
}
