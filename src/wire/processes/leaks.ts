/**
 * What earlier Trestle processes left behind: servers whose Trestle is gone, killed together with its watcher. They are known by
 * the marks in their environment, which say who started them.
 */
import type { Clock, Log } from '../../base/index.ts';
import { endByForce, leavesWithin } from './end-by-force.ts';
import { markOf, ownerOf, serverVariable } from './process-marks.ts';
import { listProcesses, type ProcessRecord } from './process-table.ts';
import { treeMembers } from './tree-members.ts';

/** One process of a leak. */
export interface LeakedProcess {
  readonly pid: number;
  /** The program as the system names it, without path and arguments, which may hold secrets. */
  readonly name: string;
  readonly ageMs: number;
  /** In the system's own units; with the process id it tells the process from a later one. */
  readonly started: number;
}

/** What is left of one server. */
export interface Leak {
  /** Name of the server; undefined where its processes no longer say. */
  readonly server: string | undefined;
  /** Id that the Trestle process had which started it. */
  readonly ownerPid: number;
  /** Its processes, the oldest first; never empty. */
  readonly processes: readonly LeakedProcess[];
  /** The mark its processes carry. */
  readonly mark: string;
}

/** Whether leaks can be looked for on this system, and those found. */
export type LeakSearch =
  | { readonly kind: 'searched'; readonly leaks: readonly Leak[] }
  /** Windows shows nobody the environment of a process. */
  | { readonly kind: 'not-supported' };

/**
 * This user's processes that carry Trestle's mark and whose Trestle process is surely gone, by server. A process of a living Trestle is
 * none, and neither is one in whose tree this process itself runs. What its watcher is just ending may still be among them.
 */
export async function findLeaks(): Promise<LeakSearch> {
  if (process.platform === 'win32') return { kind: 'not-supported' };
  const records = await listProcesses();
  const own = lineage(records);
  const trees = Map.groupBy(records.filter(isOwnUsers), markOf);
  const leaks = [...trees].flatMap(([mark, roots]): readonly Leak[] => {
    const ownerPid = mark === undefined ? undefined : deadOwner(mark, roots, records);
    if (mark === undefined || ownerPid === undefined) return [];
    const members = treeMembers(records, { isRoot: rootsOf(mark, records), known: new Map() });
    if ([...roots, ...members].some(({ pid }) => own.has(pid))) return [];
    const server = roots.map((root) => root.variable(serverVariable)).find((name) => name !== undefined);
    const processes = members.toSorted((one, other) => one.started - other.started).map(leakedProcess);
    return [{ server, ownerPid, processes, mark }];
  });
  return { kind: 'searched', leaks };
}

/** Ends a leak by SIGTERM, grace, SIGKILL (its input ended with its Trestle). Resolves with the ids of what could not be ended. */
export async function endLeak(
  leak: Leak,
  context: { readonly clock: Clock; readonly log: Log },
): Promise<readonly number[]> {
  const { clock, log } = context;
  const known = new Map(leak.processes.map(({ pid, started }) => [pid, started]));
  const look = async (): Promise<readonly ProcessRecord[]> => {
    const records = await listProcesses();
    return treeMembers(records, { isRoot: rootsOf(leak.mark, records), known });
  };
  const leaves = (withinMs: number): Promise<boolean> => leavesWithin({ look, clock }, withinMs);
  const left = await endByForce({ look, leaves, server: leak.server, clock, log });
  return left.map(({ pid }) => pid);
}

/** Processes that nobody but this user started; whoever may look into others' must not end them. */
const isOwnUsers = (record: ProcessRecord): boolean => record.userId() === process.getuid?.();

/** What carries the mark, and the groups of what does: a server is started in a session of its own, which nobody else can join. */
function rootsOf(mark: string, records: readonly ProcessRecord[]): (record: ProcessRecord) => boolean {
  const marked = records.filter((record) => markOf(record) === mark && isOwnUsers(record));
  const groups = new Set(marked.map(({ group }) => group));
  return (record) => groups.has(record.group);
}

/** The id of the Trestle process that set the mark, when it is surely gone. */
function deadOwner(
  mark: string,
  roots: readonly ProcessRecord[],
  records: readonly ProcessRecord[],
): number | undefined {
  const owner = ownerOf(mark);
  if (owner?.life !== 'unknown') return owner?.life === 'dead' ? owner.pid : undefined;
  // Nobody is younger than what it started: then another process has the owner's id now.
  const successor = records.find(({ pid }) => pid === owner.pid);
  const isReused = successor !== undefined && roots.some(({ started }) => started < successor.started);
  return isReused ? owner.pid : undefined;
}

/** This process and all it descends from. */
function lineage(records: readonly ProcessRecord[]): ReadonlySet<number> {
  const parents = new Map(records.map(({ pid, parent }) => [pid, parent]));
  const line = new Set<number>();
  for (let pid: number | undefined = process.pid; pid !== undefined && !line.has(pid); pid = parents.get(pid)) {
    line.add(pid);
  }
  return line;
}

const leakedProcess = ({ pid, name, ageMs, started }: ProcessRecord): LeakedProcess => ({ pid, name, ageMs, started });
