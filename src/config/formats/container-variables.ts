/** Variables that `docker run -e NAME` hands on from its own environment. */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';

/**
 * The entry with those variables in its `env`, each as `${NAME}`: a process gets few variables that nobody names, while other tools give
 * it all of theirs.
 */
export function withHandedOn(entry: JsonObject): JsonObject {
  const { command, args, env } = entry;
  const items: readonly JsonValue[] = Array.isArray(args) ? args : [];
  if (typeof command !== 'string' || !/(?:^|[/\\])(?:docker|podman)(?:\.exe)?$/.test(command) || items[0] !== 'run') {
    return entry;
  }
  const given = isObject(env) ? env : {};
  const names = items.flatMap((item, at) => nameAt(item, items[at - 1])).filter((name) => !Object.hasOwn(given, name));
  if (names.length === 0) return entry;
  return { ...entry, env: { ...given, ...Object.fromEntries(names.map((name) => [name, `\${${name}}`])) } };
}

function nameAt(item: JsonValue, before: JsonValue | undefined): readonly string[] {
  if (typeof item !== 'string') return [];
  const text = before === '-e' || before === '--env' ? item : /^--env=(.*)$/s.exec(item)?.[1];
  return text !== undefined && /^[A-Za-z_]\w*$/.test(text) ? [text] : [];
}
