/** Where tools keep what belongs to a user. */
import { posix, win32 } from 'node:path';
import type { Machine } from './format.ts';

/** Paths as the machine's system writes them. */
export function inHome({ platform, userHome }: Machine, ...names: readonly string[]): string {
  return pathsOf(platform).join(userHome, ...names);
}

/** A folder that a variable names; else one in the user's home, by its names. */
export interface NamedFolder {
  readonly variable: string;
  readonly usual: readonly string[];
}

/** A file in such a folder. */
export function inNamedFolder(machine: Machine, folder: NamedFolder, ...names: readonly string[]): string {
  const { variable, usual } = folder;
  return pathsOf(machine.platform).join(folderOf(machine, variable, ...usual), ...names);
}

/** The path that a variable names, with each of `names` behind it, if there are any; nothing where it names none. */
export function named({ platform, env }: Machine, variable: string, names: readonly string[]): readonly string[] {
  const paths = pathsOf(platform);
  const path = env[variable];
  if (path === undefined || !paths.isAbsolute(path)) return [];
  return names.length === 0 ? [path] : names.map((name) => paths.join(path, name));
}

/** The folder that a variable names, else one in the user's home. */
function folderOf(machine: Machine, variable: string, ...names: readonly string[]): string {
  return named(machine, variable, [])[0] ?? inHome(machine, ...names);
}

/** The folder of a program's data: `%APPDATA%`, `~/Library/Application Support`, or `$XDG_CONFIG_HOME`. */
export function dataFolder(machine: Machine, ...names: readonly string[]): string {
  if (machine.platform === 'win32') return win32.join(folderOf(machine, 'APPDATA', 'AppData', 'Roaming'), ...names);
  if (machine.platform === 'darwin') return inHome(machine, 'Library', 'Application Support', ...names);
  return configFolder(machine, ...names);
}

/** `$XDG_CONFIG_HOME`, else `~/.config`. */
export function configFolder(machine: Machine, ...names: readonly string[]): string {
  return pathsOf(machine.platform).join(folderOf(machine, 'XDG_CONFIG_HOME', '.config'), ...names);
}

export function pathsOf(platform: string): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
