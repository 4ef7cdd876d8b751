/** What is wrong with a file of the registry by its published shape. Loaded by `validate` only. */
import { registrySchemas } from './schemas.ts';

export interface SchemaProblem {
  /** JSON Pointer. */
  readonly field: string;
  readonly problem: string;
}

/** What is wrong with `value` as the file `name`. */
export function schemaProblems(name: keyof typeof registrySchemas, value: unknown): readonly SchemaProblem[] {
  const parsed = registrySchemas[name].safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({
    field: pointer(path),
    problem: isMissing(value, path) ? 'is missing' : clause(message),
  }));
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return false;
    if (!Object.hasOwn(at, part)) return true;
    at = (at as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return false;
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const clause = (message: string): string => `is wrong: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
