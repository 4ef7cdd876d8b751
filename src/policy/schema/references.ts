/** `$ref` inside one schema. Nothing is ever fetched: a reference that leads outside is not resolved. */
import { isObject, type JsonValue } from '../../base/index.ts';

/** The subschema that `reference` names within `root`, or undefined when it cannot be found there. */
export function resolveReference(root: JsonValue, reference: string): JsonValue | undefined {
  const local = localPart(root, reference);
  if (local === undefined) return undefined;
  if (local === '') return root;
  if (local.startsWith('/')) return followPointer(root, local);
  return findAnchor(root, local);
}

/** What stands behind `#`, percent-decoded; undefined when the reference leads to another document. */
function localPart(root: JsonValue, reference: string): string | undefined {
  const [document, fragment] = split(reference);
  const ownId = isObject(root) && typeof root['$id'] === 'string' ? split(root['$id'])[0] : '';
  if (document !== '' && document !== ownId) return undefined;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function split(reference: string): readonly [string, string] {
  const at = reference.indexOf('#');
  return at < 0 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)];
}

function followPointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let here: JsonValue = root;
  for (const token of pointer.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, JsonValue>>)[name] as JsonValue;
  }
  return here;
}

/** The first subschema with `$anchor: name`, or the older `$id: "#name"`. The schema was measured: the walk is bounded. */
function findAnchor(root: JsonValue, name: string): JsonValue | undefined {
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value) && (value['$anchor'] === name || value['$id'] === `#${name}`)) return value;
    for (const member of Object.values(value)) open.push(member);
  }
  return undefined;
}
