/**
 * `state/approvals.json`: what a person said yes to, and beside it, in memory, the yes for one session. A file that another user
 * could have written, or that cannot be read, approves nothing.
 */
import { join } from 'node:path';
import {
  type Clock,
  isObject,
  type JsonValue,
  limits,
  lookAtPrivate,
  parseJson,
  prettyJson,
  readTextSync,
  type Scope,
  TrestleError,
} from '../../base/index.ts';
import { type Approval, covers, isExpired, isVoidedByDrift, readApproval, type Wanted } from '../../policy/index.ts';
import { keptWhileUnchanged, stampOf } from '../servers/kept-while-unchanged.ts';
import type { StoredEntries } from './change-approvals.ts';

export interface Approvals {
  /** Those in the file, expired ones included, in the order they were given. */
  list(): readonly Approval[];
  /** Those of the scope's session, in memory. */
  ofSession(scope: Scope): readonly Approval[];
  /** Entries of the file that are no approvals to this version, and so approve nothing. */
  unread(): number;
  /** Why the file approves nothing, one sentence; undefined where it is sound or missing. */
  problem(): string | undefined;
  /** Whether a person has approved this, for good or in the scope's session. The last look at the file is at most limits.callLookMs old. */
  isApproved(wanted: Wanted, scope: Scope): boolean;
  /** The last approval that would cover it, had the tool not changed since. */
  voided(wanted: Wanted, scope: Scope): Approval | undefined;
  /** Adds what was unknown when they were given to approvals without descriptors. Throws `file_error`, `locked`. */
  pin(of: Pick<Approval, 'server' | 'file'>, pins: Pins): Promise<void>;
  /** Changes whenever something else may be approved; for what is made of approvals and kept. */
  stamp(): string;
  /** Keeps an approval for good; a former one of the same scope goes, and so do those whose time is over. Throws `file_error`, `locked`. */
  add(approval: Approval): Promise<void>;
  /** Keeps it in memory until the scope is closed. */
  addForSession(approval: Approval, scope: Scope): void;
  /** Removes those that `isGone` says, of all sessions as well; resolves with them. Throws `file_error`, `locked`. */
  remove(isGone: (approval: Approval) => boolean): Promise<readonly Approval[]>;
  /** The scope's session is over. */
  closeScope(scope: Scope): void;
}

/** How a server's tools are described. */
export type Pins = Pick<Approval, 'descriptors' | 'parts'>;

export interface ApprovalsOptions {
  readonly stateFolder: string;
  readonly clock: Clock;
}

interface Stored extends StoredEntries {
  readonly approvals: readonly Approval[];
}

/** The approvals of a home. Reads nothing before it is asked. */
export function createApprovals({ stateFolder, clock }: ApprovalsOptions): Approvals {
  const file = join(stateFolder, 'approvals.json');
  const stored = keptWhileUnchanged({ stamp: () => sightOf(file), clock }, () => readStored(file));
  const sessions = new Map<Scope, readonly Approval[]>();
  let changes = 0;

  const inForce = (scope: Scope, lookedWithinMs: number): readonly Approval[] => [
    ...(sessions.get(scope) ?? []),
    ...stored.get(lookedWithinMs).approvals,
  ];
  const change = async (edit: (entries: readonly JsonValue[]) => readonly JsonValue[]): Promise<void> => {
    const { changeEntries } = await import('./change-approvals.ts');
    await changeEntries(file, { read: stored.read, edit });
    stored.read();
    changes += 1;
  };

  return {
    list: () => stored.get(0).approvals,
    ofSession: (scope) => sessions.get(scope) ?? [],
    unread() {
      const { entries, approvals } = stored.get(0);
      return entries.length - approvals.length;
    },
    problem: () => stored.get(0).problem,
    isApproved(wanted, scope) {
      const isCovered = (approval: Approval): boolean => covers(approval, wanted, clock.now());
      // Who approves something tries it at once: what is not approved is looked for now.
      return inForce(scope, limits.callLookMs).some(isCovered) || inForce(scope, 0).some(isCovered);
    },
    voided: (wanted, scope) =>
      inForce(scope, limits.callLookMs)
        .filter((one) => isVoidedByDrift(one, wanted, clock.now()))
        .at(-1),
    async pin(of, pins) {
      const pinned = (approval: Approval): Approval => (isUnpinned(approval, of) ? { ...approval, ...pins } : approval);
      for (const [scope, approvals] of sessions) sessions.set(scope, approvals.map(pinned));
      if (!stored.get(0).approvals.some((approval) => isUnpinned(approval, of))) return;
      await change((entries) =>
        entries.map((entry) => {
          const approval = readApproval(entry);
          return approval === undefined ? entry : (pinned(approval) as unknown as JsonValue);
        }),
      );
    },
    stamp: () => `${changes} ${sightOf(file)}`,
    add: (approval) =>
      change((entries) => [
        ...entries.filter(
          (entry) => !isOver(readApproval(entry), clock.now()) && !isReplaced(readApproval(entry), approval),
        ),
        approval as unknown as JsonValue,
      ]),
    addForSession(approval, scope) {
      const others = (sessions.get(scope) ?? []).filter((one) => !isReplaced(one, approval));
      sessions.set(scope, [...others, approval]);
      changes += 1;
    },
    async remove(isGone) {
      const gone: Approval[] = [];
      for (const [scope, approvals] of sessions) {
        gone.push(...approvals.filter(isGone));
        sessions.set(
          scope,
          approvals.filter((approval) => !isGone(approval)),
        );
      }
      changes += 1;
      if (!stored.get(0).approvals.some(isGone)) return gone;
      await change((entries) =>
        entries.filter((entry) => {
          const approval = readApproval(entry);
          if (approval === undefined || !isGone(approval)) return true;
          gone.push(approval);
          return false;
        }),
      );
      return gone;
    },
    closeScope(scope) {
      if (sessions.delete(scope)) changes += 1;
    },
  };
}

function isOver(one: Approval | undefined, nowMs: number): boolean {
  return one !== undefined && isExpired(one, nowMs);
}

/** A yes to a server, or to tools of it, that nobody knew then. */
function isUnpinned(
  { server, file, kind, descriptors = {} }: Approval,
  of: Pick<Approval, 'server' | 'file'>,
): boolean {
  return server === of.server && file === of.file && kind === 'use' && Object.keys(descriptors).length === 0;
}

/** One yes a server, file, kind and set of tools: a later one says what holds now. */
function isReplaced(one: Approval | undefined, by: Approval): boolean {
  return one !== undefined && reachOf(one) === reachOf(by);
}

function reachOf({ server, file, kind, tools, arguments: patterns }: Approval): string {
  return prettyJson([server, file, kind, tools ?? null, patterns ?? null]);
}

/** Differs when the file says something else, or can be written by others: a change of its mode alone leaves no stamp. */
function sightOf(file: string): string {
  try {
    return `${lookAtPrivate(file, 'file').kind} ${stampOf(file)}`;
  } catch {
    return 'unreadable';
  }
}

function readStored(file: string): Stored {
  const nothing = { entries: [], approvals: [] };
  try {
    const sight = lookAtPrivate(file, 'file');
    if (sight.kind === 'missing') return { ...nothing, problem: undefined };
    if (sight.kind === 'not-private') {
      const mend = sight.mend === undefined ? '' : `: ${sight.mend}`;
      return { ...nothing, problem: `${file} ${sight.problem}, so nothing in it counts as approved${mend}` };
    }
    const value = parseJson(readTextSync(file) ?? '');
    const entries = isObject(value) ? value['approvals'] : undefined;
    if (Array.isArray(entries)) {
      const approvals = entries.map(readApproval).filter((approval) => approval !== undefined);
      return { entries, approvals, problem: undefined };
    }
  } catch (error) {
    if (error instanceof TrestleError && error.code === 'file_error') return { ...nothing, problem: error.message };
  }
  return {
    ...nothing,
    problem: `${file} is no list of approvals, so nothing is approved by it; the next approval puts it aside`,
  };
}
