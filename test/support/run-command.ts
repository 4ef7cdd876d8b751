/** A command line run in this process over a real home: what it prints, and its exit code. */
import { type ProcessParts, runCommandLine } from '../../src/cli/run.ts';

export interface CommandRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandPlace {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  readonly input?: string;
  /** What a person types without its being shown, at a terminal. */
  readonly typed?: string;
}

/** Runs `argv` without the daemon. */
export async function runCommand(argv: readonly string[], place: CommandPlace): Promise<CommandRun> {
  const texts = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): ProcessParts['stdout'] => ({
    write(chunk, done) {
      texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      done();
      return true;
    },
    on: () => {},
  });
  const { home, cwd, env, typed } = place;
  const code = await runCommandLine(argv, {
    surroundings: {
      env: { ...env, TRESTLE_HOME: home, TRESTLE_NO_DAEMON: '1' },
      cwd,
      userHome: home,
      platform: process.platform,
      command: [process.execPath, 'trestle'],
      temporaryFolder: home,
      readInput: () => Promise.resolve(new TextEncoder().encode(place.input ?? '')),
      inputTerminal: false,
      readLine: () => Promise.resolve(undefined),
      readHidden: typed === undefined ? undefined : () => Promise.resolve(typed),
    },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    interruption: () => ({
      signal: new AbortController().signal,
      exitCode: () => undefined,
      [Symbol.dispose]: () => {},
    }),
  });
  return { code, ...texts };
}
