/** Saving a resource as a file: only new ones, only inside the host's working folder, none that somebody would run or obey. */
import { basename, extname, join, relative } from 'node:path';
import {
  canonicalPathSync,
  containedPath,
  formatBytes,
  isObject,
  type JsonValue,
  statSync,
  TrestleError,
  writeNewFile,
} from '../../base/index.ts';
import { redactBytes } from '../../policy/index.ts';

/**
 * Names whose mere presence makes a program connect, run or obey something: MCP and agent configuration, instructions to agents,
 * what package managers, build tools and test runners load by themselves. Hidden names are refused anyway.
 */
const obeyedNames: ReadonlySet<string> = new Set([
  // MCP hosts and agents
  'servers.json',
  'settings.json',
  'mcp.json',
  'mcp-servers.json',
  'mcp-bridge.json',
  'mcp_config.json',
  'claude_desktop_config.json',
  'opencode.json',
  'opencode.jsonc',
  'agents.md',
  'agents.override.md',
  'claude.md',
  'gemini.md',
  'skill.md',
  // package managers, build tools and test runners
  'package.json',
  'deno.json',
  'deno.jsonc',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'conftest.py',
  'sitecustomize.py',
  'usercustomize.py',
  'noxfile.py',
  'tox.ini',
  'cargo.toml',
  'build.rs',
  'gemfile',
  'rakefile',
  'gulpfile.js',
  'gruntfile.js',
  'build.gradle',
  'build.gradle.kts',
  'cmakelists.txt',
  'jenkinsfile',
  'makefile',
  'gnumakefile',
  'justfile',
  'dockerfile',
  'compose.yml',
  'compose.yaml',
  'docker-compose.yml',
  'docker-compose.yaml',
]);

/** `vite.config.js`, `vitest.config.ts` and their like are run by the tool of that name. */
const obeyedPattern = /\.config\.[cm]?[jt]s$/;

/** Folders whose contents are loaded as code. */
const obeyedFolders: ReadonlySet<string> = new Set(['node_modules']);

/** The absolute path that a download may be written to. Throws `invalid_path`, `exists`. */
export function downloadTarget(root: string | undefined, wanted: string): string {
  if (root === undefined) {
    throw new TrestleError({
      code: 'invalid_path',
      message: 'Nothing can be downloaded here: the files would be on another machine than yours.',
      hint: 'Leave downloadPath out to see the contents.',
    });
  }
  const target = containedPath(root, wanted);
  // Once as written, once with links resolved: a link may lead into a hidden folder that lies inside.
  const canonical = relative(canonicalPathSync(root), canonicalPathSync(target));
  const problem = pathProblem(wanted) ?? pathProblem(canonical);
  if (problem !== undefined) throw refused(wanted, problem);
  if (statSync(target) !== undefined) throw taken(wanted);
  return target;
}

function pathProblem(path: string): string | undefined {
  // Windows ignores dots and spaces at the end of a name.
  const segments = path
    .split(/[/\\]/)
    .filter((segment) => segment !== '' && segment !== '.')
    .map((segment) => segment.toLowerCase().replace(/[. ]+$/, ''));
  // Some file systems ignore them, so that a name passes for another one; and nobody sees what was written where.
  if (/[\p{Cc}\p{Cf}]/u.test(path)) return 'it has a character that nobody sees';
  const name = segments.at(-1);
  if (name === undefined || /[/\\]$/.test(path)) return 'it names no file';
  const hidden = segments.find((segment) => segment.startsWith('.'));
  if (hidden !== undefined) return `${hidden} is hidden`;
  const folder = segments.find((segment) => obeyedFolders.has(segment));
  if (folder !== undefined) return `${folder} holds code that programs load`;
  const obeyed = obeyedNames.has(name) || obeyedPattern.test(name);
  return obeyed ? 'programs or agents act upon a file of this name by themselves' : undefined;
}

/** One saved file. */
export interface Saved {
  readonly path: string;
  readonly bytes: number;
  readonly mimeType: string | undefined;
}

/**
 * Writes the contents of a resource; a second and further part goes beside the first as `name-2.ext`. `redact` is applied to
 * texts, also those that come as base64. Throws `exists`, `file_error`, `broken_reply`.
 */
export async function saveContents(
  target: string,
  contents: readonly JsonValue[],
  redact: (text: string) => string,
): Promise<readonly Saved[]> {
  const parts = contents.map((content) => toPart(content, redact));
  if (parts.length === 0) throw unsavable('it has no contents');
  const saved: Saved[] = [];
  for (const [index, { bytes, mimeType }] of parts.entries()) {
    const path = index === 0 ? target : numbered(target, index + 1);
    await writeNewFile(path, bytes);
    saved.push({ path, bytes: bytes.length, mimeType });
  }
  return saved;
}

/** `Saved 12.3 KiB (image/png) to /…/logo.png`, one line a file. */
export function describeSaved(saved: readonly Saved[]): string {
  return saved
    .map(({ path, bytes, mimeType }) => {
      const type = mimeType === undefined ? '' : ` (${mimeType})`;
      return `Saved ${formatBytes(bytes)}${type} to ${path}`;
    })
    .join('\n');
}

function toPart(
  content: JsonValue,
  redact: (text: string) => string,
): { readonly bytes: Uint8Array; readonly mimeType: string | undefined } {
  if (!isObject(content)) throw unsavable('a part of it is no object');
  const { text, blob, mimeType } = content;
  const type = typeof mimeType === 'string' ? mimeType : undefined;
  if (typeof text === 'string') return { bytes: Buffer.from(redact(text), 'utf8'), mimeType: type };
  if (typeof blob !== 'string' || !/^[A-Za-z0-9+/_\-\s]*={0,2}\s*$/.test(blob)) {
    throw unsavable('a part of it is neither text nor base64');
  }
  return { bytes: redactBytes(Buffer.from(blob, 'base64'), redact), mimeType: type };
}

function numbered(path: string, number: number): string {
  const extension = extname(path);
  return join(path, '..', `${basename(path, extension)}-${number}${extension}`);
}

function refused(path: string, why: string): TrestleError {
  return new TrestleError({
    code: 'invalid_path',
    message: `${JSON.stringify(path)} cannot be written: ${why}.`,
    hint: 'Choose another name for downloadPath, for example "downloads/resource.txt".',
  });
}

function taken(path: string): TrestleError {
  return new TrestleError({
    code: 'exists',
    message: `${JSON.stringify(path)} exists already.`,
    hint: 'Choose a new name for downloadPath; downloads never replace a file.',
  });
}

function unsavable(why: string): TrestleError {
  return new TrestleError({
    code: 'broken_reply',
    message: `The resource cannot be saved: ${why}.`,
    hint: 'Leave downloadPath out to see what the server sent.',
    execution: 'done',
  });
}
