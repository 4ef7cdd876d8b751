/** Which program an installed package starts, and how. */
import { basename, extname, join, sep } from 'node:path';
import { canonicalPathSync, isObject, readBytesSync, statSync } from '../../base/index.ts';
import type { CachedPackage } from './npx-cache.ts';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined for what only the launcher can start: no clear program, one outside its package, or none for this system. */
export function programOf(cached: CachedPackage, platform: string): Pick<Program, 'file' | 'args'> | undefined {
  const bin = binOf(cached);
  if (bin === undefined) return undefined;
  const file = join(cached.folder, bin);
  const real = canonicalPathSync(file);
  const folder = canonicalPathSync(cached.folder);
  // A package.json is a stranger's word: neither it nor a link leads out of the package, or the package out of the cache.
  const isInside = real.startsWith(folder + sep) && folder.startsWith(canonicalPathSync(cached.tree) + sep);
  if (!isInside || statSync(real)?.kind !== 'file') return undefined;
  if (isScriptForNode(real)) return isNode(process.execPath) ? { file: process.execPath, args: [file] } : undefined;
  return platform === 'win32' ? undefined : { file, args: [] };
}

/** As npx chooses: the only program, else the one that is named like the package. */
function binOf({ manifest, name }: CachedPackage): string | undefined {
  const bin = manifest['bin'];
  if (typeof bin === 'string') return bin;
  if (!isObject(bin)) return undefined;
  const files = new Set(Object.values(bin));
  const chosen = files.size === 1 ? [...files][0] : bin[name.replace(/^@[^/]+\//, '')];
  return typeof chosen === 'string' ? chosen : undefined;
}

function isScriptForNode(file: string): boolean {
  const head = readBytesSync(file)?.subarray(0, 128).toString('latin1') ?? '';
  const [line = ''] = head.split(/\r?\n/);
  if (line.startsWith('#!')) return /^#!\s*(\/usr\/bin\/env\s+node|\/\S*\/node)\s*$/.test(line);
  return ['.js', '.mjs', '.cjs'].includes(extname(file));
}

/** A host may be a program that has Node.js, or another engine, built in; it would start itself. */
const isNode = (file: string): boolean => /^node(js)?(\.exe)?$/i.test(basename(file));
