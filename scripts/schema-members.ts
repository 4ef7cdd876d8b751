/** The members that a JSON Schema speaks of, at every depth. */
import { isObject, type JsonObject, type JsonValue } from '../src/base/index.ts';

export interface SchemaMember {
  /** `tools.allow`; `[]` stands for the items of a list and `<name>` for names that whoever writes the file chooses. */
  readonly path: string;
  /** What is said of it, once for each form that it has. */
  readonly says: readonly JsonObject[];
  /** Whether it may not be left out, in any of its forms. */
  readonly isNeeded: boolean;
}

/** In the order in which they stand there. */
export function schemaMembers(schema: JsonValue | undefined): readonly SchemaMember[] {
  const members = new Map<string, SchemaMember>();
  collect(schema, '', members);
  return [...members.values()];
}

function collect(schema: JsonValue | undefined, at: string, members: Map<string, SchemaMember>): void {
  for (const form of formsOf(schema)) {
    const { properties, required, additionalProperties, items } = form;
    for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) {
      if (!isObject(member)) continue;
      const path = at === '' ? name : `${at}.${name}`;
      const isNeeded = Array.isArray(required) && required.includes(name);
      const known = members.get(path);
      members.set(path, {
        path,
        says: [...(known?.says ?? []), member],
        isNeeded: isNeeded && known?.isNeeded !== false,
      });
      collect(member, path, members);
    }
    collect(additionalProperties, `${at}.<name>`, members);
    collect(items, `${at}[]`, members);
  }
}

/** The forms that a value may have. */
export function formsOf(schema: JsonValue | undefined): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const forms = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(forms) ? (forms as readonly JsonValue[]).flatMap(formsOf) : [schema];
}
