/** Where tools keep what belongs to a user. */
import { posix, win32 } from 'node:path';
import type { Machine } from './format.ts';

/** Paths as the machine's system writes them. */
export function inHome({ platform, userHome }: Machine, ...names: readonly string[]): string {
  return pathsOf(platform).join(userHome, ...names);
}

/** The folder that a variable names, else one in the user's home. */
export function folderOf(machine: Machine, variable: string, ...names: readonly string[]): string {
  const named = machine.env[variable];
  return named !== undefined && pathsOf(machine.platform).isAbsolute(named) ? named : inHome(machine, ...names);
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
