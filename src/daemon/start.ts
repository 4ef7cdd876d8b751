/** Starting the daemon of a home: one client at a time, each after another look. */
import { dirname, join, parse } from 'node:path';
import { delay, limits, makePrivateFolderSync, TrestleError, withLock } from '../base/index.ts';
import { daemonEnvironment } from './environment.ts';
import type { ClientOptions } from './client-options.ts';
import { type DaemonRecord, findRecord } from './record.ts';

export interface StartWish {
  /** The daemon that was found and cannot be used; any other one will do. */
  readonly gone: DaemonRecord | undefined;
  readonly signal: AbortSignal;
}

/**
 * Resolves when there is a daemon, with whether it was this client that started it. Rejects with `daemon_unavailable` when none comes up
 * in time, `file_error` when the home cannot be written, `cancelled`.
 */
export async function startDaemon(options: ClientOptions, { gone, signal }: StartWish): Promise<boolean> {
  const { runFolder } = options.home.places;
  const isThere = (): boolean => {
    const found = findRecord(runFolder);
    return found.kind === 'record' && found.record.token !== gone?.token;
  };
  makePrivateFolderSync(runFolder);
  // Who waits for the lock has nothing left to do once the daemon is there.
  const came = new AbortController();
  const waiting = { isThere, signal: AbortSignal.any([came.signal, signal]) };
  let launched = false;
  const start = async (): Promise<void> => {
    if (isThere()) return;
    launched = true;
    await Promise.race([untilThere(options, waiting), launch(options)]);
  };
  try {
    const lock = join(runFolder, 'start.lock');
    await Promise.race([
      untilThere(options, waiting),
      withLock(lock, start, { waitMs: limits.daemonStartMs, signal: waiting.signal }),
    ]);
  } catch (error) {
    if (!isThere()) throw error;
  } finally {
    came.abort(new TrestleError({ code: 'cancelled', message: 'The daemon is there.' }));
  }
  return launched;
}

interface Waiting {
  readonly isThere: () => boolean;
  readonly signal: AbortSignal;
}

/** Rejects `daemon_unavailable` when the time is over, and with the reason of the signal. */
async function untilThere({ clock }: ClientOptions, { isThere, signal }: Waiting): Promise<void> {
  const endMs = clock.monotonicMs() + limits.daemonStartMs;
  while (!isThere()) {
    signal.throwIfAborted();
    if (clock.monotonicMs() > endMs) throw unavailable(`did not come up within ${limits.daemonStartMs / 1000} s`);
    await delay(clock, limits.daemonStartPollMs, signal);
  }
}

/** Starts the process, apart from this one in every way. Rejects when it ends with a failure; never resolves. */
function launch({ home, command, env, platform }: ClientOptions): Promise<never> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const [interpreter, program] = command;
  const trestleHome = dirname(home.places.runFolder);
  return new Promise((_, reject) => {
    const child = spawn(interpreter, [program, 'daemon', 'run', '--home', trestleHome], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      // A folder that nobody wants to remove.
      cwd: parse(trestleHome).root,
      env: { ...daemonEnvironment(env, platform), TRESTLE_HOME: trestleHome },
    });
    child.on('error', (error) => reject(unavailable(`could not be started (${error.message})`)));
    // One that finds another daemon at work ends well.
    child.on('exit', (code) => {
      if (code !== 0) reject(unavailable(`ended as soon as it was started`));
    });
    child.unref();
  });
}

function unavailable(what: string): TrestleError {
  return new TrestleError({
    code: 'daemon_unavailable',
    message: `The daemon ${what}.`,
    hint: 'What it says: trestle daemon logs. Without it: --no-daemon.',
    execution: 'not-sent',
  });
}
