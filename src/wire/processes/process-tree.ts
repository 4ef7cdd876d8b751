/**
 * One server's process tree and its end. The tree is what is in its process group, what descends from a known member, what
 * carries its mark in the environment, and what was found to be a member before.
 */
import type { ChildProcess } from 'node:child_process';
import { type Clock, delay, limits, type Log } from '../../base/index.ts';
import { endByForce, type Ending, leavesWithin } from './end-by-force.ts';
import { treeVariable } from './process-marks.ts';
import { listProcesses, type ProcessRecord } from './process-table.ts';
import { treeMembers } from './tree-members.ts';

export interface ProcessTree {
  readonly child: ChildProcess;
  /** Process id of the child, and number of the group it leads. */
  readonly pid: number;
  /** Its mark in the environment of everything that the child starts. */
  readonly mark: string;
  readonly server: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ends the tree: end of input, grace, SIGTERM, grace, SIGKILL. Resolves when nothing of it is left. */
export async function endTree(tree: ProcessTree): Promise<void> {
  const ending = endingOf(tree);
  // Before the first sign of an end: whoever loses its parent by it is known by then.
  await ending.look();
  tree.child.stdin?.end();
  if (!(await ending.leaves(limits.closeGraceMs))) await endByForce(ending);
}

function endingOf({ child, pid, mark, server, clock, log }: ProcessTree): Ending {
  const known = new Map<number, number>();
  const look: Ending['look'] = async () => {
    const records = await listProcesses();
    // A live process with the child's number after the child's exit is somebody else's, and so is the group it leads.
    const isReused = hasExited(child) && records.some((record) => record.pid === pid);
    const isRoot = (record: ProcessRecord): boolean =>
      (record.group === pid && !isReused) || record.variable(treeVariable) === mark;
    return treeMembers(records, { isRoot, known });
  };
  return {
    look,
    async leaves(withinMs) {
      const endMs = clock.monotonicMs() + withinMs;
      await exitWithin(child, clock, withinMs);
      // Processes are listed only after the child itself has exited: nearly always that is all there is to wait for.
      return hasExited(child) && leavesWithin({ look, clock }, endMs - clock.monotonicMs());
    },
    server,
    clock,
    log,
  };
}

/** Resolves when the child exits, at the latest after `withinMs`. */
export async function exitWithin(child: ChildProcess, clock: Clock, withinMs: number): Promise<void> {
  if (hasExited(child)) return;
  const abort = new AbortController();
  const onExit = (): void => abort.abort();
  child.once('exit', onExit);
  await delay(clock, withinMs, abort.signal);
  child.off('exit', onExit);
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
