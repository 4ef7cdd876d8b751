/** A descriptor in parts that a person can compare: each parameter is one, and every other member. Pure. */
import { canonicalJson, isObject, type JsonObject, type JsonValue, sha256Hex } from '../base/index.ts';
import { pinnedDescriptor } from './digests.ts';
import type { ToolDescriptor } from './records.ts';

/** A part that differs, with its text before and after: absent where the part was not there. */
export interface ChangedPart {
  /** `description`, `parameter path`, … */
  readonly part: string;
  readonly before?: string;
  readonly after?: string;
}

/** Length of a part's digest: enough to tell whether it is the same, not to pin it. */
const digestCharacters = 12;

/** What the digest of a descriptor covers, part by part. */
function partsOf(descriptor: JsonObject | ToolDescriptor): ReadonlyMap<string, JsonValue> {
  const { inputSchema, ...others } = pinnedDescriptor(descriptor);
  const parts = new Map(Object.entries(others));
  parts.delete('name');
  if (!isObject(inputSchema)) return inputSchema === undefined ? parts : parts.set('parameters', inputSchema);
  const { properties, required, ...rest } = inputSchema;
  const isRequired = new Set(Array.isArray(required) ? (required as readonly JsonValue[]) : []);
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    parts.set(`parameter ${name}`, isRequired.has(name) ? { required: true, schema } : schema);
  }
  return Object.keys(rest).length === 0 ? parts : parts.set('parameters', rest);
}

/** The parts that differ, by name. The order of members, `default`, `examples` and `_meta` are no difference. */
export function changedParts(before: JsonObject, after: JsonObject): readonly ChangedPart[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((part) => {
    const [was, is] = [textOf(old.get(part)), textOf(now.get(part))];
    if (was === is) return [];
    return [{ part, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }];
  });
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : canonicalJson(value);
}

/** A short digest of each part. */
export function partDigests(descriptor: JsonObject | ToolDescriptor): Readonly<Record<string, string>> {
  const parts = [...partsOf(descriptor)].map(([part, value]) => [
    part,
    sha256Hex(canonicalJson(value)).slice(0, digestCharacters),
  ]);
  return Object.fromEntries(parts) as Readonly<Record<string, string>>;
}

/** Names of the parts whose digests differ. */
export function partsThatDiffer(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((part) => ownText(before, part) !== ownText(after, part))
    .sort();
}

function ownText(digests: Readonly<Record<string, string>>, part: string): string | undefined {
  return Object.hasOwn(digests, part) ? digests[part] : undefined;
}
