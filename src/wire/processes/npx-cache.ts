/** What `npx` keeps on the disk: which folder of npm's cache holds a package, and whether it is whole. */
import { dirname, isAbsolute, join } from 'node:path';
import { isObject, type JsonObject, listFolderSync, parseJson, readTextSync, statSync } from '../../base/index.ts';
import type { StdioEndpoint } from '../endpoint.ts';

/** What `npx` was asked for, e.g. `@scope/name@1.2.3`. */
export interface PackageSpec {
  /** As written; the cache's folder is named after it. */
  readonly text: string;
  readonly name: string;
  /** Undefined when any version will do, or the tag `latest`. */
  readonly version: string | undefined;
  readonly isTagged: boolean;
}

export interface NpxCall {
  readonly spec: PackageSpec;
  /** What follows the package; npx hands it on unread. */
  readonly rest: readonly string[];
}

/** Reads npx's arguments; undefined for switches and kinds of specs (ranges, URLs, git, files) this does not know. */
export function readNpxArguments(args: readonly string[]): NpxCall | undefined {
  const index = args.findIndex((argument) => !/^(-y|--yes|-q|--quiet|--)$/.test(argument));
  const text = args[index] ?? '';
  const match = /^((?:@[\w-][\w.~-]*\/)?[a-zA-Z0-9][\w.~-]*)(?:@(latest|\d+\.\d+\.\d+[\w.+-]*))?$/.exec(text);
  const [, name, tag] = match ?? [];
  if (name === undefined || /\.(tgz|tar|tar\.gz)$/i.test(text)) return undefined;
  const version = tag === 'latest' ? undefined : tag;
  return { spec: { text, name, version, isTagged: tag !== undefined }, rest: args.slice(index + 1) };
}

export interface CachedPackage {
  readonly name: string;
  /** The folder of npm's cache with `node_modules` in it. */
  readonly tree: string;
  /** The package's own folder. */
  readonly folder: string;
  readonly manifest: JsonObject;
}

/**
 * Looks into npm's own cache of `npx`: one folder a set of specs, which says what it was made for (npm 11, libnpmexec). A lock
 * in it means that somebody is still writing.
 */
export function findInCache(spec: PackageSpec, endpoint: StdioEndpoint): CachedPackage | undefined {
  const digest = process.getBuiltinModule('node:crypto').hash('sha512', spec.text, 'hex').slice(0, 16);
  const tree = join(npmCache(endpoint), '_npx', digest);
  // A relative one lies wherever the launcher is started.
  if (!isAbsolute(tree) || listFolderSync(tree).includes('concurrency.lock')) return undefined;
  const npx = readObject(join(tree, 'package.json'))?.['_npx'];
  const packages = isObject(npx) ? npx['packages'] : undefined;
  if (!Array.isArray(packages) || packages.length !== 1 || packages[0] !== spec.text) return undefined;
  const manifest = readManifest(spec, tree);
  return manifest && { name: spec.name, tree, folder: join(tree, 'node_modules', spec.name), manifest };
}

/** For npx a project's own package comes before the cache: any version for a bare name, the same one for an exact version. */
export function isInProject(spec: PackageSpec, cwd: string): boolean {
  if (spec.isTagged && spec.version === undefined) return false;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const isRoot = ['package.json', 'node_modules'].some((name) => statSync(join(folder, name)) !== undefined);
    if (isRoot) return readManifest(spec, folder) !== undefined;
    if (dirname(folder) === folder) return false;
  }
}

/** The package.json of an installed package, when it says that it is the one asked for. */
function readManifest(spec: PackageSpec, folder: string): JsonObject | undefined {
  const manifest = readObject(join(folder, 'node_modules', spec.name, 'package.json'));
  if (manifest?.['name'] !== spec.name) return undefined;
  return spec.version === undefined || manifest['version'] === spec.version ? manifest : undefined;
}

/** Where npm keeps its cache for a process with this environment; a project's .npmrc has no say in it. */
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
