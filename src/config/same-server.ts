/** Whether two definitions reach one server: what a person said yes to holds for that, whatever file it stands in. */
import { canonicalJson, type JsonValue } from '../base/index.ts';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Definition } from './definition.ts';

/**
 * Whether both start the same program in the same way, or go to the same URL in the same way; time limits, descriptions and the
 * like do not count. References are compared as written. A program given by a relative path is another one in each file.
 */
export function isSameServer(one: Definition, other: Definition): boolean {
  return canonicalJson(identityOf(one)) === canonicalJson(identityOf(other));
}

function identityOf({ transport, source }: Definition): JsonValue {
  if (transport.kind === 'http') return transport;
  const { command, cwd, ...rest } = transport;
  const folder = source.file === undefined ? undefined : dirname(source.file);
  return {
    ...rest,
    command,
    cwd: cwd === undefined ? null : isRelative(cwd) && folder !== undefined ? resolve(folder, cwd) : cwd,
    ...(isRelative(command) && /[/\\]/.test(command) ? { file: source.file ?? null } : {}),
  };
}

/** `~` and references stand for absolute paths, or for what only their resolution can tell. */
function isRelative(path: string): boolean {
  return !isAbsolute(path) && !/^[~$]/.test(path);
}
