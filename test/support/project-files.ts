import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. */
export const projectRoot = join(import.meta.dirname, '../..');

/** Text of every file of the project that matches, by path relative to the project with forward slashes, sorted. */
export function readProjectFiles(...patterns: readonly string[]): ReadonlyMap<string, string> {
  const paths = globSync([...patterns], { cwd: projectRoot }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(projectRoot, path), 'utf8')]));
}
