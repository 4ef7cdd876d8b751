/** A command line run in this process, without the daemon, with a person at its terminal who types. */
import { runCommandLine } from '../../src/cli/run.ts';
import type { TextStream } from '../../src/cli/output.ts';
import { TrestleError } from '../../src/base/index.ts';
import type { CommandRun } from './run-command.ts';

/** What is typed: Ctrl-C. */
export const interrupt = 'Ctrl-C';

/** A line that is typed; a function: what happens before that. */
export type TypedLine = string | (() => string);

export interface TypedRun {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Without them there is no terminal. After the last one the input ends. */
  readonly lines?: readonly TypedLine[] | undefined;
}

export async function runTyped(words: string, { home, env = {}, lines }: TypedRun): Promise<CommandRun> {
  const texts = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof texts): TextStream => ({
    isTTY: lines !== undefined && name === 'stderr',
    write(chunk, done) {
      texts[name] += String(chunk);
      done(null);
      return true;
    },
    on() {},
  });
  const typed = [...(lines ?? [])];
  const abort = new AbortController();
  const code = await runCommandLine(words.split(' '), {
    surroundings: {
      env: { TRESTLE_HOME: home, TRESTLE_NO_DAEMON: '1', NO_COLOR: '1', PATH: process.env['PATH'], ...env },
      cwd: home,
      userHome: home,
      platform: process.platform,
      command: ['node', 'trestle'],
      temporaryFolder: home,
      readInput: () => Promise.resolve(new Uint8Array()),
      inputTerminal: lines !== undefined,
      readLine(signal) {
        const next = typed.shift();
        const line = typeof next === 'function' ? next() : next;
        if (line !== interrupt) return Promise.resolve(line);
        abort.abort(new TrestleError({ code: 'cancelled', message: 'Interrupted by SIGINT.' }));
        return Promise.reject(signal.reason as Error);
      },
    },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    interruption: () => ({
      signal: abort.signal,
      exitCode: () => (abort.signal.aborted ? 130 : undefined),
      [Symbol.dispose]() {},
    }),
  });
  return { code, ...texts };
}
