/** Package launchers (npx, …): whether what they start is already on the disk, and how to start that without them. */
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { canonicalPathSync, limits, statSync } from '../../base/index.ts';
import type { StdioEndpoint } from '../endpoint.ts';
import { type CachedPackage, findInCache, isInProject, type PackageSpec, readNpxArguments } from './npx-cache.ts';
import { type Program, programOf } from './package-program.ts';

/** `none`: the command is no launcher; `cached`: it starts what is there; `uncached`: it will download first. */
export type LauncherState = 'none' | 'cached' | 'uncached';

/** Looks at the launcher's cache without starting it; whatever cannot be decided is `uncached`. */
export function launcherState(endpoint: StdioEndpoint): LauncherState {
  const name = launcherName(endpoint.command);
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

/** When package launchers last ran, by the folder of their cache. Whoever hands it in keeps it between processes. */
export interface LauncherMemory {
  /** When the launcher of what is in `folder` last ran so far that the server answered, by Clock.now. */
  ranAtMs(folder: string): number | undefined;
  ran(folder: string, atMs: number): void;
}

/** What a decision about a launcher rests on beside the endpoint. */
export interface LaunchFacts {
  readonly nowMs: number;
  readonly platform: string;
  readonly memory: Pick<LauncherMemory, 'ranAtMs'>;
}

/** How an endpoint is to be started. */
export interface Launch {
  /** The package's own program, in place of the launcher, which would stay beside it. */
  readonly program?: Program;
  /** The cached folder for which the launcher runs, and so looks for a newer version: to be remembered once the server has answered. */
  readonly runsFor?: string;
}

/**
 * Finds the program of a package that `npx` has in its cache. Never looks for it in the working folder's project, where
 * whoever wrote the project would choose what runs. A package without exact version is believed for a day; then npx runs
 * once, since it is npx that looks for a newer one.
 */
export function resolveLaunch(endpoint: StdioEndpoint, facts: LaunchFacts): Launch {
  const call = isNpx(endpoint.command) ? readNpxArguments(endpoint.args) : undefined;
  if (call === undefined) return {};
  try {
    const cached = findInCache(call.spec, endpoint);
    if (cached === undefined) return {};
    // A project's own package is what npx would start: that run says nothing about the cache.
    if (isStale(call.spec, cached, facts)) {
      return isInProject(call.spec, endpoint.cwd) ? {} : { runsFor: cached.tree };
    }
    const program = programOf(cached, facts.platform);
    if (program === undefined) return {};
    const args = [...program.args, ...call.rest];
    return { program: { file: program.file, args, env: withBin(endpoint.env, cached.tree) } };
  } catch {
    // A cache that cannot be read is the launcher's affair.
    return {};
  }
}

/** npm leaves no trace of having looked and found nothing newer, so that the launcher's runs are remembered. */
function isStale(spec: PackageSpec, { tree }: CachedPackage, { nowMs, memory }: LaunchFacts): boolean {
  if (spec.version !== undefined) return false;
  const looksMs = [statSync(join(tree, 'node_modules', '.package-lock.json'))?.modifiedMs, memory.ranAtMs(tree)];
  // A time to come is no proof of a look in the last day.
  return !looksMs.some((atMs) => atMs !== undefined && Math.abs(nowMs - atMs) < limits.npxVersionMs);
}

/** As npx does, so that the program finds the programs of its dependencies. */
function withBin(env: Readonly<Record<string, string>>, tree: string): Record<string, string> {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [join(tree, 'node_modules', '.bin'), env[name] ?? ''];
  return { ...env, [name]: folders.filter((folder) => folder !== '').join(delimiter) };
}

/** The name alone, or the path of npm's own; another program that is called so is started as it is. */
function isNpx(command: string): boolean {
  if (/^npx(\.cmd)?$/i.test(command)) return true;
  if (launcherName(command) !== 'npx' || !isAbsolute(command)) return false;
  try {
    return basename(canonicalPathSync(command)) === 'npx-cli.js';
  } catch {
    return false;
  }
}

const launcherName = (command: string): string =>
  basename(command.replaceAll('\\', '/')).replace(/\.(cmd|exe|bat|ps1)$/i, '');

function isNpxPackageHere(endpoint: StdioEndpoint, args: readonly string[]): boolean {
  const spec = readNpxArguments(args)?.spec;
  if (spec === undefined) return false;
  try {
    return isInProject(spec, endpoint.cwd) || findInCache(spec, endpoint) !== undefined;
  } catch {
    // A cache that cannot be read is no cache.
    return false;
  }
}
