import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectRoot } from './project-files.ts';
import { type AtEnd, tempFolder } from './temp-folder.ts';

/** The built command. */
export const cliPath = join(projectRoot, 'dist', 'cli.js');

export interface CliRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stdoutBytes: Buffer;
  readonly stderr: string;
}

/** The command over a home of its own, as a shell would run it. */
export interface Cli {
  readonly home: string;
  /** The user's working folder, empty. */
  readonly cwd: string;
  run(
    args: readonly string[],
    options?: { readonly env?: Readonly<Record<string, string>>; readonly input?: string },
  ): Promise<CliRun>;
  /** Starts it and leaves the streams to the test. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
}

/** A home and a working folder that are gone when the running test ends, with the commands; `atEnd` as for {@link tempFolder}. */
export function createCli(atEnd: AtEnd = onTestFinished): Cli {
  const home = tempFolder(atEnd);
  const cwd = tempFolder(atEnd);
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess => {
    const child = spawn(process.execPath, [cliPath, ...args], {
      cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        USERPROFILE: home,
        TRESTLE_HOME: home,
        NO_COLOR: '1',
        // A daemon would outlive the test; those that want one take createDaemonCli.
        TRESTLE_NO_DAEMON: '1',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    atEnd(() => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    });
    return child;
  };
  return {
    home,
    cwd,
    start,
    run: (args, options = {}) => finished(start(args, options.env), options.input),
  };
}

/** The same with the daemon, as users have it; it has ended when the test has. */
export function createDaemonCli(): Cli {
  const cli = createCli();
  const withDaemon = (env: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
    TRESTLE_NO_DAEMON: '',
    ...env,
  });
  onTestFinished(() => stopDaemon(cli.home));
  return {
    ...cli,
    start: (args, env) => cli.start(args, withDaemon(env)),
    run: (args, options = {}) => cli.run(args, { ...options, env: withDaemon(options.env) }),
  };
}

/** Ends the daemon of a home, if one runs. */
export function stopDaemon(home: string): void {
  const { status, stderr } = spawnSync(process.execPath, [cliPath, 'daemon', 'stop', '--home', home], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home, USERPROFILE: home },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The daemon of ${home} stays: ${stderr}`);
}

/** Everything a child wrote, and how it ended. */
export function finished(child: ChildProcess, input = ''): Promise<CliRun> {
  const out: Buffer[] = [];
  const error: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => error.push(chunk));
  // A command that ends without reading its input breaks the pipe, which is its right.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const stdoutBytes = Buffer.concat(out);
      resolve({ code, signal, stdoutBytes, stdout: stdoutBytes.toString(), stderr: Buffer.concat(error).toString() });
    });
  });
}

/** The command of an installed reference server, as words. */
export function referenceServer(
  name: 'everything' | 'filesystem' | 'memory' | 'sequential-thinking',
): readonly string[] {
  const folder = join(projectRoot, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist');
  return [process.execPath, join(folder, 'index.js')];
}

/** The command of a server of test/servers, as words. */
export function testServer(name: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, join(projectRoot, 'test', 'servers', name), ...args];
}
