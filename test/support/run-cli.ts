import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectRoot } from './project-files.ts';

/** How a run of the built command ended. */
export interface CliEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Trestle's home; nothing of the machine's own is read. */
  readonly home: string;
  /** Working folder; default the home. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly end: Promise<CliEnd>;
}

const command = join(projectRoot, 'dist/cli.js');

/** Starts the command as it is built; it is killed when the test ends before it. */
export function startCli(args: readonly string[], options: CliOptions): RunningCli {
  if (!existsSync(command)) throw new Error('The command is not built: npm run build');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [command, ...args], {
    cwd: options.cwd ?? options.home,
    env: { PATH, HOME, ...options.env, TRESTLE_HOME: options.home },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const end = new Promise<CliEnd>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout: stdout(), stderr: stderr() }));
  });
  return { child, end };
}

/** Runs the command to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  return startCli(args, options).end;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString();
}
