/**
 * One server's process tree and its end. The tree is what is in its process group, what descends from a known member, what
 * carries its mark in the environment, and what was found to be a member before: a process that left the group, lost its
 * parent or cleared its environment is still found by one of the others.
 */
import type { ChildProcess } from 'node:child_process';
import { type Clock, delay, limits, type Log, plural } from '../base/index.ts';
import { listProcesses, type ProcessRecord } from './process-table.ts';
import { watcherEntry } from './watcher.ts';

export interface ProcessTree {
  readonly child: ChildProcess;
  /** Process id of the child, and number of the group it leads. */
  readonly pid: number;
  /** `NAME=value` in the environment of everything that the child starts. */
  readonly mark: string;
  readonly server: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ends the tree: end of input, grace, SIGTERM, grace, SIGKILL. Resolves when nothing of it is left. */
export async function endTree(tree: ProcessTree): Promise<void> {
  const known = new Map<number, string>();
  // Before the first sign of an end: whoever loses its parent by it is known by then.
  await members(tree, known);
  tree.child.stdin?.end();
  if (await leaves(tree, known, limits.closeGraceMs)) return;
  signalAll(tree, await members(tree, known), 'SIGTERM');
  if (await leaves(tree, known, limits.terminateGraceMs)) return;
  const endMs = tree.clock.monotonicMs() + limits.killedGraceMs;
  do {
    // Anew each time: a process may have forked between the look and the signal.
    signalAll(tree, await members(tree, known), 'SIGKILL');
    if (await leaves(tree, known, limits.treePollMs.most)) return;
  } while (tree.clock.monotonicMs() < endMs);
  const left = await members(tree, known);
  if (left.length === 0) return;
  const pids = left.map((member) => member.pid).join(', ');
  tree.log.warn(`${plural(left.length, 'process', 'processes')} could not be ended (pid ${pids}).`, tree.server);
}

/** Whether the whole tree is gone within `withinMs`. Its processes are listed only after the child itself has exited. */
async function leaves(tree: ProcessTree, known: Map<number, string>, withinMs: number): Promise<boolean> {
  const { clock, child } = tree;
  const endMs = clock.monotonicMs() + withinMs;
  await exitWithin(child, clock, withinMs);
  if (!hasExited(child)) return false;
  for (let pauseMs: number = limits.treePollMs.least; ; pauseMs = Math.min(2 * pauseMs, limits.treePollMs.most)) {
    if ((await members(tree, known)).length === 0) return true;
    if (clock.monotonicMs() >= endMs) return false;
    await delay(clock, Math.min(pauseMs, endMs - clock.monotonicMs()));
  }
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

/** The tree's live processes, as of now; `known` holds what was ever found and is added to. */
async function members(tree: ProcessTree, known: Map<number, string>): Promise<readonly ProcessRecord[]> {
  const records = await listProcesses();
  // A live process with the child's number after the child's exit is somebody else's, and so is the group it leads.
  const isReused = hasExited(tree.child) && records.some((record) => record.pid === tree.pid);
  const found = new Map<number, ProcessRecord>();
  const add = (record: ProcessRecord): boolean => {
    if (record.pid === process.pid || found.has(record.pid)) return false;
    found.set(record.pid, record);
    known.set(record.pid, record.started);
    return true;
  };
  for (const record of records) {
    const belongs =
      (record.group === tree.pid && !isReused) ||
      known.get(record.pid) === record.started ||
      record.hasEntry(tree.mark);
    if (belongs) add(record);
  }
  const children = Map.groupBy(records, (record) => record.parent);
  const parents = [...found.keys()];
  for (let at = 0; at < parents.length; at += 1) {
    for (const record of children.get(parents[at] ?? 0) ?? []) if (add(record)) parents.push(record.pid);
  }
  return [...found.values()];
}

function signalAll(tree: ProcessTree, targets: readonly ProcessRecord[], signal: NodeJS.Signals): void {
  for (const target of targets) {
    // It ends by itself when its host is gone, and has work to do until then.
    if (target.hasEntry(watcherEntry)) continue;
    try {
      process.kill(target.pid, signal);
    } catch (error) {
      // Gone meanwhile (ESRCH), or another user's (EPERM).
      tree.log.debug(`${signal} to ${target.pid}: ${String(error)}`, tree.server);
    }
  }
}
