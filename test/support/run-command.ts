/** A command line run in this process over a real home: what it prints, and its exit code. */
import { type ProcessParts, runCommandLine } from '../../src/cli/run.ts';
import type { TextStream } from '../../src/cli/output.ts';
import { TrestleError } from '../../src/base/index.ts';

export interface CommandRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What is typed: Ctrl-C. */
export const interrupt = 'Ctrl-C';

/** A line that is typed; a function: what happens before that. */
export type TypedLine = string | (() => string);

export interface CommandPlace extends Pick<ProcessParts, 'runtime' | 'program' | 'dialogs'> {
  readonly home: string;
  /** Default: the home. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  readonly input?: string;
  /** What a person types without its being shown, at a terminal. */
  readonly typed?: string;
  /** Lines that a person types at a terminal. Without them there is none. After the last one the input ends. */
  readonly lines?: readonly TypedLine[] | undefined;
}

/** Runs `argv` without the daemon. */
export async function runCommand(argv: readonly string[], place: CommandPlace): Promise<CommandRun> {
  const { home, cwd = home, env, input = '', typed, lines, ...own } = place;
  const texts = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof texts): TextStream => ({
    isTTY: lines !== undefined && name === 'stderr',
    write(chunk, done) {
      texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      done();
      return true;
    },
    on() {},
  });
  const person = typingPerson(lines ?? []);
  const code = await runCommandLine(argv, {
    surroundings: {
      env: { ...env, TRESTLE_HOME: home, TRESTLE_NO_DAEMON: '1' },
      cwd,
      userHome: home,
      platform: process.platform,
      command: [process.execPath, 'trestle'],
      temporaryFolder: home,
      readInput: () => Promise.resolve(new TextEncoder().encode(input)),
      inputTerminal: lines !== undefined,
      readLine: person.readLine,
      readHidden: typed === undefined ? undefined : () => Promise.resolve(typed),
    },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    interruption: person.interruption,
    ...own,
  });
  return { code, ...texts };
}

interface TypingPerson {
  readonly readLine: ProcessParts['surroundings']['readLine'];
  readonly interruption: ProcessParts['interruption'];
}

function typingPerson(lines: readonly TypedLine[]): TypingPerson {
  const left = [...lines];
  const abort = new AbortController();
  return {
    readLine(signal) {
      const next = left.shift();
      const line = typeof next === 'function' ? next() : next;
      if (line !== interrupt) return Promise.resolve(line);
      abort.abort(new TrestleError({ code: 'cancelled', message: 'Interrupted by SIGINT.' }));
      return Promise.reject(signal.reason as Error);
    },
    interruption: () => ({
      signal: abort.signal,
      exitCode: () => (abort.signal.aborted ? 130 : undefined),
      [Symbol.dispose]() {},
    }),
  };
}
