/** Package launchers (npx, …) and whether what they start is already on the disk. */
import { basename, dirname, join } from 'node:path';
import { isObject, type JsonObject, listFolderSync, parseJson, readTextSync, statSync } from '../base/index.ts';
import type { StdioEndpoint } from './endpoint.ts';

/** `none`: the command is no launcher; `cached`: it starts what is there; `uncached`: it will download first. */
export type LauncherState = 'none' | 'cached' | 'uncached';

/** Looks at the launcher's cache without starting it; whatever cannot be decided is `uncached`. */
export function launcherState(endpoint: StdioEndpoint): LauncherState {
  const name = basename(endpoint.command.replaceAll('\\', '/')).replace(/\.(cmd|exe|bat|ps1)$/i, '');
  if (name === 'npx') return isNpxPackageHere(endpoint, endpoint.args) ? 'cached' : 'uncached';
  const [first = '', second = ''] = endpoint.args;
  if (name === 'npm' && /^(exec|x)$/.test(first)) {
    return isNpxPackageHere(endpoint, endpoint.args.slice(1)) ? 'cached' : 'uncached';
  }
  const isOther =
    /^(uvx|bunx|pnpx)$/.test(name) ||
    (/^(pnpm|yarn)$/.test(name) && first === 'dlx') ||
    (name === 'bun' && first === 'x') ||
    (name === 'pipx' && first === 'run') ||
    (name === 'uv' && first === 'tool' && second === 'run');
  return isOther ? 'uncached' : 'none';
}

/** What `npx` was asked for, e.g. `@scope/name@1.2.3`. */
interface PackageSpec {
  /** As written; the cache's folder is named after it. */
  readonly text: string;
  readonly name: string;
  /** Undefined when any version will do, or the tag `latest`. */
  readonly version: string | undefined;
  readonly isTagged: boolean;
}

function isNpxPackageHere(endpoint: StdioEndpoint, args: readonly string[]): boolean {
  const spec = readSpec(args);
  if (spec === undefined) return false;
  try {
    return isInProject(spec, endpoint.cwd) || isInCache(spec, npmCache(endpoint));
  } catch {
    // A cache that cannot be read is no cache.
    return false;
  }
}

/** The package among npx's arguments; undefined for switches and kinds of specs (ranges, URLs, git) this does not know. */
function readSpec(args: readonly string[]): PackageSpec | undefined {
  const text = args.find((argument) => !/^(-y|--yes|-q|--quiet|--)$/.test(argument));
  if (text === undefined) return undefined;
  const match = /^((?:@[\w.~-]+\/)?[\w.~][\w.~-]*)(?:@(latest|\d+\.\d+\.\d+[\w.+-]*))?$/.exec(text);
  const [, name, tag] = match ?? [];
  if (name === undefined) return undefined;
  return { text, name, version: tag === 'latest' ? undefined : tag, isTagged: tag !== undefined };
}

/**
 * npm's own cache of `npx`: one folder a set of specs, which says what it was made for (npm 11, libnpmexec). A lock in it
 * means that somebody is still writing.
 */
function isInCache(spec: PackageSpec, cache: string): boolean {
  const digest = process.getBuiltinModule('node:crypto').hash('sha512', spec.text, 'hex').slice(0, 16);
  const folder = join(cache, '_npx', digest);
  if (listFolderSync(folder).includes('concurrency.lock')) return false;
  const npx = readObject(join(folder, 'package.json'))?.['_npx'];
  const packages = isObject(npx) ? npx['packages'] : undefined;
  return Array.isArray(packages) && packages.length === 1 && packages[0] === spec.text && isInstalled(spec, folder);
}

/** A project's own package comes before the cache: any version for a bare name, the same one for an exact version. */
function isInProject(spec: PackageSpec, cwd: string): boolean {
  if (spec.isTagged && spec.version === undefined) return false;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const isRoot = ['package.json', 'node_modules'].some((name) => statSync(join(folder, name)) !== undefined);
    if (isRoot) return isInstalled(spec, folder);
    if (dirname(folder) === folder) return false;
  }
}

function isInstalled(spec: PackageSpec, folder: string): boolean {
  const manifest = readObject(join(folder, 'node_modules', spec.name, 'package.json'));
  if (manifest?.['name'] !== spec.name) return false;
  return spec.version === undefined || manifest['version'] === spec.version;
}

/** Where npm keeps its cache for a process with this environment. */
function npmCache({ env }: StdioEndpoint): string {
  const set = Object.entries(env).find(([name, value]) => name.toLowerCase() === 'npm_config_cache' && value !== '');
  if (set !== undefined) return set[1];
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const configured = /^\s*cache\s*=\s*(.+?)\s*$/m.exec(readTextSync(join(home, '.npmrc')) ?? '')?.[1];
  if (configured !== undefined) {
    return configured.replaceAll(/^~(?=\/)/g, home).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '');
  }
  const localData = Object.entries(env).find(([name]) => name.toUpperCase() === 'LOCALAPPDATA')?.[1];
  return localData === undefined ? join(home, '.npm') : join(localData, 'npm-cache');
}

function readObject(path: string): JsonObject | undefined {
  const text = readTextSync(path);
  const value = text === undefined ? undefined : parseJson(text);
  return isObject(value) ? value : undefined;
}
