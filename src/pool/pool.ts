/**
 * The pool: one entry a key, one state an entry. Entries are dialled on first use, shared by concurrent first uses, closed
 * after idleness, dropped when their session ends. Kept ones are dialled at once, stay, and reconnect by themselves.
 */
import {
  type Chance,
  type Clock,
  type Deadline,
  limits,
  type Log,
  type Scope,
  systemChance,
  TrestleError,
} from '../base/index.ts';
import { entryToEvict, isKept, isSuperseded } from './decisions.ts';
import type { EntryChange, EntryStatus } from './entry-status.ts';
import { Entry } from './entry.ts';
import type { Lease, Target } from './target.ts';

export interface PoolOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Default: the machine's. */
  readonly chance?: Chance;
  /** Default limits.poolEntries. */
  readonly maxEntries?: number;
  readonly onChange?: (change: EntryChange) => void;
}

export interface Pool {
  /** A lease on a ready session. Rejects with the dial's error, the deadline's reason, or `pool_full`. */
  acquire(target: Target, deadline: Deadline): Promise<Lease>;
  /**
   * Sees to it that there is an entry for an eager or keep-alive target and that it is dialled, in the background and for nobody.
   * One that waits or failed is left to its tries. Throws `pool_full`, or `session_closed` when the pool is closed.
   */
  keep(target: Target): void;
  /** Entries of the definition that wait for their next try, or gave up, are tried anew at once. */
  reset(definitionId: string): void;
  /** Whether a keep-alive entry is held that has not given up. */
  holdsKept(): boolean;
  status(): readonly EntryStatus[];
  /** Closes every entry of the scope; resolves when no process of them is left. */
  closeScope(scope: Scope): Promise<void>;
  /** Closes the entries of a definition after their calls. */
  retire(definitionId: string): void;
  /** Closes the entries of a definition in one scope at once; resolves when no process of them is left. */
  disconnect(definitionId: string, scope: Scope): Promise<void>;
  /** Closes everything; later acquires reject with `session_closed`. */
  close(): Promise<void>;
}

/** An empty pool. */
export function createPool(options: PoolOptions): Pool {
  const maxEntries = options.maxEntries ?? limits.poolEntries;
  const entries = new Set<Entry>();
  let closed = false;

  const retireWhere = (matches: (target: Target) => boolean, why: string): void => {
    for (const entry of entries) {
      const { server } = entry.target;
      if (matches(entry.target)) {
        entry.retire(new TrestleError({ code: 'session_closed', message: `${server}: ${why}.`, server }));
      }
    }
  };
  const makeRoom = (server: string): void => {
    const held = [...entries].filter((entry) => entry.facts.state !== 'closing');
    if (held.length < maxEntries) return;
    const chosen = entryToEvict(held.map((entry) => ({ ...entry.facts, entry })));
    if (chosen === undefined) throw poolFull(server, maxEntries);
    void chosen.entry.close(closing(chosen.entry.target.server, 'closed to make room for another server'));
  };
  const open = (target: Target): Entry => {
    retireWhere((held) => isSuperseded(held, target), 'the definition changed, so its old connection was closed');
    makeRoom(target.server);
    const entry = new Entry(target, {
      clock: options.clock,
      chance: options.chance ?? systemChance,
      log: options.log,
      onChange: options.onChange ?? (() => {}),
      onGone: (gone) => entries.delete(gone),
    });
    entries.add(entry);
    if (target.lifecycle === 'keep-alive') entry.keep();
    return entry;
  };
  const find = (key: string): Entry | undefined => {
    for (const entry of entries) if (entry.target.key === key && entry.usable) return entry;
    return undefined;
  };
  const closeWhere = async (matches: (entry: Entry) => boolean, why: string): Promise<void> => {
    const chosen = [...entries].filter(matches);
    await Promise.all(chosen.map((entry) => entry.shut(closing(entry.target.server, why))));
  };

  return {
    async acquire(target, deadline) {
      for (;;) {
        if (closed) throw closing(target.server, 'nothing is connected any more, since Trestle was closed');
        deadline.throwIfOver();
        const lease = await (find(target.key) ?? open(target)).lease(deadline);
        if (lease !== undefined) return lease;
      }
    },
    keep(target) {
      if (closed) throw closing(target.server, 'nothing is connected any more, since Trestle was closed');
      (find(target.key) ?? open(target)).keep();
    },
    reset(definitionId) {
      for (const entry of entries) if (entry.target.definitionId === definitionId) entry.reset();
    },
    holdsKept: () => [...entries].some((entry) => isKept(entry.facts)),
    status: () => [...entries].map((entry) => entry.status()),
    closeScope: (scope) => closeWhere((entry) => entry.target.scope === scope, 'closed with its scope'),
    retire: (definitionId) =>
      retireWhere((target) => target.definitionId === definitionId, 'the definition was changed, disabled or removed'),
    disconnect: (definitionId, scope) =>
      closeWhere(
        ({ target }) => target.definitionId === definitionId && target.scope === scope,
        'was closed on request',
      ),
    close() {
      closed = true;
      return closeWhere(() => true, 'closed with Trestle');
    },
  };
}

function closing(server: string, why: string): TrestleError {
  return new TrestleError({ code: 'session_closed', message: `${server}: ${why}.`, server, execution: 'not-sent' });
}

function poolFull(server: string, maxEntries: number): TrestleError {
  return new TrestleError({
    code: 'pool_full',
    message: `${server} cannot be connected: ${maxEntries} servers are connected and all of them are in use.`,
    hint: 'Wait for a call to end, or close a server that is kept alive.',
    server,
    execution: 'not-sent',
  });
}
