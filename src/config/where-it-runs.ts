/** Which program a definition starts, and in which folder. */
import type { SecretStore } from '../secrets/index.ts';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Definition } from './definition.ts';

/** What a resolution may read. */
export interface ResolveContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The user's home folder: working folder of user definitions, and `~`. */
  readonly userHome: string;
  /** Working folder for ad hoc definitions. */
  readonly cwd: string;
  /** Where `${keychain:name}` is looked for; without it there are no secrets. */
  readonly secrets?: Pick<SecretStore, 'get' | 'place'> | undefined;
}

/** Windows knows variables whatever their case. */
export function lookUp({ env, platform }: ResolveContext, name: string): string | undefined {
  if (Object.hasOwn(env, name)) return env[name];
  if (platform !== 'win32') return undefined;
  const found = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : env[found];
}

/** The configured folder (relative to the file that defines it), else the user's home, the project, or the caller's folder. */
export function workingFolder(
  written: string | undefined,
  { definition, context }: { readonly definition: Definition; readonly context: ResolveContext },
): string {
  const { file, scope, shape } = definition.source;
  // An empty variable configures nothing.
  if (written === undefined || written === '') {
    if (scope === 'ad-hoc') return context.cwd;
    return scope === 'user' || file === undefined || shape === 'registry' ? context.userHome : projectFolder(file);
  }
  return resolve(file === undefined ? context.cwd : dirname(file), expandHome(written, context.userHome));
}

/** A project's file stands in its root, or in a dot folder there. */
function projectFolder(file: string): string {
  const folder = dirname(file);
  return basename(folder).startsWith('.') ? dirname(folder) : folder;
}

function expandHome(path: string, userHome: string): string {
  if (path === '~') return userHome;
  return /^~[/\\]/.test(path) ? join(userHome, path.slice(2)) : path;
}

/** A bare name is searched in PATH; a path is one from the working folder. */
export function program(
  command: string,
  { cwd, context }: { readonly cwd: string; readonly context: ResolveContext },
): string {
  const expanded = expandHome(command, context.userHome);
  const isPath = expanded.includes('/') || (context.platform === 'win32' && expanded.includes('\\'));
  // A whole command line is left as it is: whoever starts it says what is wrong with it.
  return isPath && !isAbsolute(expanded) && /^\.{1,2}[/\\]|^\S+$/.test(expanded) ? resolve(cwd, expanded) : expanded;
}
