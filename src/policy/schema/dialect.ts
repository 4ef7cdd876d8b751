/** Which revision of JSON Schema a schema is written in. */
import { isObject, type JsonValue } from '../../base/index.ts';

export type Draft = 4 | 6 | 7 | 2019 | 2020;

export interface Dialect {
  readonly draft: Draft;
  /** Whether the schema says so itself; MCP's default is 2020-12 where it does not. */
  readonly declared: boolean;
}

const metaSchema = /^https?:\/\/json-schema\.org\/(?:draft\/(2019|2020)-\d\d\/|draft-0([467])\/)?(?:hyper-)?schema#?$/;

/** The dialect of `schema`, or undefined when its `$schema` names one that is not known here. */
export function dialectOf(schema: JsonValue): Dialect | undefined {
  if (!isObject(schema) || !Object.hasOwn(schema, '$schema')) return { draft: 2020, declared: false };
  const name = schema['$schema'];
  const match = typeof name === 'string' ? metaSchema.exec(name) : null;
  if (match === null) return undefined;
  return { draft: Number(match[1] ?? match[2] ?? 2020) as Draft, declared: true };
}
