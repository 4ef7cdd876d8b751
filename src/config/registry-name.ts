/** The name of a server's folder in the registry. */
import { limits, nameDigest } from '../base/index.ts';
import type { Definition } from './definition.ts';

/**
 * The server's own name; of a project's `<name>.<mark of its file>`: what one project's server says of itself must not pass for what
 * another's, or the user's own of that name, says.
 */
export function registryNameOf({ name, source }: Pick<Definition, 'name' | 'source'>): string {
  return source.scope === 'project' && source.file !== undefined ? projectRegistryName(name, source.file) : name;
}

/** The name for a server that the file of a project asks for. */
export function projectRegistryName(name: string, file: string): string {
  const room = limits.serverNameCharacters - limits.projectMarkDigits - 1;
  // Where the name is cut the mark has to tell as well which name it was.
  const marked = name.length > room ? JSON.stringify([file, name]) : file;
  return `${name.slice(0, room)}.${nameDigest(marked).slice(0, limits.projectMarkDigits)}`;
}
