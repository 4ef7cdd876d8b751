/**
 * How a server's program is started: item by item, without a shell, and with errors that name what is wrong. Windows starts
 * scripts (`.cmd`, `.bat`: npx and most package programs) only through its command interpreter, whose quoting is done here.
 */
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path';
import { canonicalPathSync, limits, shorten, statSync, TrestleError } from '../../base/index.ts';
import type { StdioEndpoint } from '../endpoint.ts';
import type { Program } from './package-program.ts';

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Arguments are quoted already and go to Windows as they are. */
  readonly verbatim: boolean;
}

/** What to hand to spawn. Throws `cwd_not_found`; on Windows also `command_not_found` and `spawn_failed`. */
export function prepareCommand(endpoint: StdioEndpoint, server: string, platform: string): Invocation {
  requireFolder(endpoint.cwd, server);
  const { args, env } = endpoint;
  // Relative to the server's folder on every system; a bare name is looked up in PATH.
  const file = hasSeparator(endpoint.command, platform) ? resolve(endpoint.cwd, endpoint.command) : endpoint.command;
  if (platform !== 'win32') return { file, args, env, verbatim: false };
  const found = findOnWindows(file, endpoint);
  if (found === undefined) throw commandNotFound(endpoint, server, undefined);
  if (!isScript(found)) return { file: found, args, env, verbatim: false };
  return {
    file: variable(endpoint.env, 'COMSPEC') ?? 'cmd.exe',
    args: ['/d', '/s', '/v:off', '/c', `"${scriptLine(found, args, server)}"`],
    env,
    verbatim: true,
  };
}

/** The same for a program that is started in place of the configured command. Throws `cwd_not_found`. */
export function prepareProgram(program: Program, endpoint: StdioEndpoint, server: string): Invocation {
  requireFolder(endpoint.cwd, server);
  return { ...program, verbatim: false };
}

/** The error for what the system said when the program could not be started. */
export function spawnError(thrown: unknown, endpoint: StdioEndpoint, server: string): TrestleError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
  if (code === 'ENOENT' && !commandIs('file', endpoint)) return commandNotFound(endpoint, server, thrown);
  // The system reports a folder as a file that may not be run.
  const isFolder = code === 'EACCES' && !commandIs('file', endpoint) && commandIs('folder', endpoint);
  const said = spawnReasons[code] ?? (thrown instanceof Error ? thrown.message : String(thrown));
  const reason = isFolder ? 'it is a folder' : said;
  return new TrestleError({
    code: 'spawn_failed',
    message: `The command "${shorten(endpoint.command, 200)}" of server "${server}" could not be started: ${reason}.`,
    hint: code === 'EACCES' ? (isFolder ? folderHint : permissionHint) : undefined,
    server,
    details: { command: endpoint.command, reason: code },
    cause: thrown,
  });
}

const permissionHint = 'Make it executable (chmod +x), or name its interpreter in "command".';
const folderHint = 'Name the program in it.';

const spawnReasons: Readonly<Record<string, string>> = {
  EACCES: 'it is not executable',
  EPERM: 'the system does not permit it',
  ENOENT: 'the interpreter named in its first line was not found',
  ENOEXEC: 'it is no program for this system',
  E2BIG: 'its arguments and environment are too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  EAGAIN: 'too many processes are running',
  ENOMEM: 'there is not enough memory',
  EINVAL: 'an argument or an environment variable has a NUL character',
  ERR_INVALID_ARG_VALUE: 'an argument or an environment variable has a NUL character',
};

function requireFolder(cwd: string, server: string): void {
  const stamp = isAbsolute(cwd) ? statSync(canonicalPathSync(cwd)) : undefined;
  if (stamp?.kind === 'folder') return;
  throw new TrestleError({
    code: 'cwd_not_found',
    message: `The working folder of server "${server}" ${stamp === undefined ? 'does not exist' : 'is no folder'}: ${cwd}.`,
    hint: 'Make the folder, or change "cwd" in the definition.',
    server,
    details: { cwd },
  });
}

function commandNotFound(endpoint: StdioEndpoint, server: string, cause: unknown): TrestleError {
  const { command } = endpoint;
  const [first = '', ...rest] = command.trim().split(/\s+/);
  const path = variable(endpoint.env, 'PATH') ?? '';
  const where = hasSeparator(first, process.platform)
    ? 'there is no such file'
    : `PATH is ${path === '' ? 'empty' : shorten(path, limits.shownPathCharacters)}`;
  return new TrestleError({
    code: 'command_not_found',
    message: `The command "${shorten(command, 200)}" of server "${server}" was not found; ${where}.`,
    hint:
      rest.length > 0
        ? `"command" is the program alone: write "command": ${JSON.stringify(first)}, "args": ${shorten(JSON.stringify(rest), 200)}.`
        : 'Install the program, or give its full path in "command".',
    server,
    details: { command, path },
    cause,
  });
}

const hasSeparator = (command: string, platform: string): boolean =>
  command.includes('/') || (platform === 'win32' && command.includes('\\'));

/** Whether the command names such a thing; tells a missing program from one whose interpreter is missing, which the system reports alike. */
function commandIs(kind: 'file' | 'folder', endpoint: StdioEndpoint): boolean {
  const { command, cwd, env } = endpoint;
  const folders = hasSeparator(command, process.platform) ? [cwd] : (env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isOfKind(kind, resolve(cwd, folder, command)));
}

function isOfKind(kind: 'file' | 'folder', path: string): boolean {
  try {
    return statSync(canonicalPathSync(path))?.kind === kind;
  } catch {
    // A folder of PATH that may not be read holds nothing that can be started.
    return false;
  }
}

function findOnWindows(file: string, endpoint: StdioEndpoint): string | undefined {
  const extensions = (variable(endpoint.env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((item) => item !== '');
  const folders = isAbsolute(file)
    ? ['']
    : (variable(endpoint.env, 'PATH') ?? '').split(';').filter((item) => item !== '');
  const names =
    extname(file) === ''
      ? extensions.map((extension) => file + extension)
      : [file, ...extensions.map((extension) => file + extension)];
  for (const folder of folders) {
    const found = names
      .map((name) => (folder === '' ? name : join(folder, name)))
      .find((path) => isOfKind('file', path));
    if (found !== undefined) return found;
  }
  return undefined;
}

const isScript = (file: string): boolean => /\.(cmd|bat)$/i.test(file);

/**
 * Everything in double quotes, where the interpreter takes `& | < > ^ ( )` literally. Nothing makes `"`, `%` and line ends
 * safe in every script (its own arguments are read once more when it passes them on), so they are refused.
 */
function scriptLine(file: string, args: readonly string[], server: string): string {
  const unsafe = [file, ...args].find((item) => /["%\r\n\0]/.test(item));
  if (unsafe !== undefined) {
    throw new TrestleError({
      code: 'spawn_failed',
      message: `An argument of server "${server}" has a character (", %, line end) that cannot be passed to the script ${file} safely.`,
      hint: 'Start the program behind the script directly, e.g. "command": "node" with the path of its file in "args".',
      server,
      details: { command: file },
    });
  }
  // A backslash before a closing quote would escape it in the program that the script calls.
  return [file, ...args].map((item) => `"${item.replace(/\\+$/, '$&$&')}"`).join(' ');
}

/** A variable whose name is compared without case, as Windows does. */
function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return env[name] ?? Object.entries(env).find(([other]) => other.toUpperCase() === name)?.[1];
}
