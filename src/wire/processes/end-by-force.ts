/** The end of processes that did not leave by themselves: SIGTERM, grace, SIGKILL. */
import { type Clock, delay, limits, type Log, plural } from '../../base/index.ts';
import { watcherVariable } from './process-marks.ts';
import type { ProcessRecord } from './process-table.ts';

export interface Ending {
  /** What is left of them, as of now. */
  look(): Promise<readonly ProcessRecord[]>;
  /** Whether nothing is left within `withinMs`. */
  leaves(withinMs: number): Promise<boolean>;
  /** Named in the log; undefined when it is not known. */
  readonly server: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Resolves with what could not be ended, which is also told to the log. */
export async function endByForce(ending: Ending): Promise<readonly ProcessRecord[]> {
  const { clock, log, server } = ending;
  signalAll(ending, await ending.look(), 'SIGTERM');
  if (await ending.leaves(limits.terminateGraceMs)) return [];
  const endMs = clock.monotonicMs() + limits.killedGraceMs;
  do {
    // Anew each time: a process may have forked between the look and the signal.
    signalAll(ending, await ending.look(), 'SIGKILL');
    if (await ending.leaves(limits.treePollMs.most)) return [];
  } while (clock.monotonicMs() < endMs);
  const left = await ending.look();
  if (left.length > 0) {
    const pids = left.map((member) => member.pid).join(', ');
    log.warn(`${plural(left.length, 'process', 'processes')} could not be ended (pid ${pids}).`, server);
  }
  return left;
}

/** Looks again and again, at least once, until nothing is left or the time is over. */
export async function leavesWithin(ending: Pick<Ending, 'look' | 'clock'>, withinMs: number): Promise<boolean> {
  const { clock } = ending;
  const endMs = clock.monotonicMs() + withinMs;
  for (let pauseMs: number = limits.treePollMs.least; ; pauseMs = Math.min(2 * pauseMs, limits.treePollMs.most)) {
    if ((await ending.look()).length === 0) return true;
    if (clock.monotonicMs() >= endMs) return false;
    await delay(clock, Math.min(pauseMs, endMs - clock.monotonicMs()));
  }
}

function signalAll({ log, server }: Ending, targets: readonly ProcessRecord[], signal: NodeJS.Signals): void {
  for (const target of targets) {
    // It ends by itself when its host is gone, and has work to do until then.
    if (target.variable(watcherVariable) !== undefined) continue;
    try {
      process.kill(target.pid, signal);
    } catch (error) {
      // Gone meanwhile (ESRCH), or another user's (EPERM).
      log.debug(`${signal} to ${target.pid}: ${String(error)}`, server);
    }
  }
}
