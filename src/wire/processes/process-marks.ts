/**
 * The marks in the environment of everything a server starts: which Trestle process it belongs to, which tree, which server. They
 * are inherited, so that what left its group and lost its parent is still known, and they outlive the Trestle that wrote them.
 */
import { lifeOf, ownIdentity, readLinkSync } from '../../base/index.ts';
import { plainText } from '../plain-text.ts';
import type { ProcessRecord } from './process-table.ts';

export const ownerVariable = 'TRESTLE_OWNER';
export const treeVariable = 'TRESTLE_TREE';
export const serverVariable = 'TRESTLE_SERVER';
/** Marks watchers themselves: one inside a tree is never signalled with it, since it still has servers to end. */
export const watcherVariable = 'TRESTLE_WATCHER';

/** Longest name of a server in a mark: those of servers.json fit, a whole command line given in place of one is cut. */
const nameCharacters = 64;

/** The variables of one tree. */
export function treeMarks(owner: string, tree: string, server: string): Readonly<Record<string, string>> {
  return { [ownerVariable]: owner, [treeVariable]: tree, [serverVariable]: plainText(server, nameCharacters) };
}

/**
 * Names this process, also after its death: its id, when it started, and the space in which the id means something, since a
 * container has ids of its own; and a random part, since one process may have several keepers. Without blanks: `ps` shows
 * environments on one line.
 */
export function newOwnerMark(): string {
  const { pid, started } = ownIdentity();
  return [pid, started, pidSpace(), crypto.randomUUID().slice(0, 8)].join('.');
}

/** What a mark says: the process that set it, and whether it still lives. */
export interface MarkedOwner {
  readonly pid: number;
  /** `unknown` where the system does not tell when a process started: another one may have the id now. */
  readonly life: 'dead' | 'alive' | 'unknown';
}

/** A tree's mark is its owner's and a number. */
const markPattern = /^(\d+)\.(\d*)\.(\d*)\.[0-9a-f]{8}(?:\.\d+)?$/;

/** A process's mark, of its tree or, where only that is known, of its owner; undefined when it has none that is one of ours. */
export function markOf(record: ProcessRecord): string | undefined {
  return [treeVariable, ownerVariable]
    .map((name) => record.variable(name))
    .find((mark) => mark !== undefined && markPattern.test(mark));
}

/** Undefined for a mark from another space of process ids, where nothing can be said of its owner. */
export function ownerOf(mark: string): MarkedOwner | undefined {
  const [, pid, started = '', space] = markPattern.exec(mark) ?? [];
  if (pid === undefined || space !== pidSpace()) return undefined;
  return { pid: Number(pid), life: lifeOf({ ...ownIdentity(), pid: Number(pid), started }) };
}

/** Linux: the number of our process namespace. */
function pidSpace(): string {
  return /\d+/.exec(readLinkSync('/proc/self/ns/pid') ?? '')?.[0] ?? '';
}
