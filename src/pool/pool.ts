/**
 * The pool: one entry a key, one state an entry. Entries are dialled on first use, shared by concurrent first uses, closed
 * after idleness, dropped when their session ends.
 */
import { type Clock, type Deadline, limits, type Log, type Scope, TrestleError } from '../base/index.ts';
import type { Session, SessionInfo } from '../session/index.ts';
import { entryToEvict, isSuperseded } from './decisions.ts';
import { Entry } from './entry.ts';

/** What a lease is asked for. */
export interface Target {
  /** Scope, defining file, server, definition hash and values digest in one string; equal keys share a session. */
  readonly key: string;
  readonly scope: Scope;
  readonly server: string;
  /** Identifies the definition whatever its values: entries of the same id and another key are old and are closed after their calls. */
  readonly definitionId: string;
  readonly lifecycle: 'lazy' | 'eager' | 'keep-alive';
  /** 0 = never closed for idleness. */
  readonly idleMs: number;
  /** Dials; must leave nothing behind when it rejects. Its deadline is over when nobody waits for the session any more. */
  readonly dial: (deadline: Deadline) => Promise<Session>;
}

/**
 * How a leased use ended. After `timed-out` and `cancelled` a sign of life is asked; after `lost` (the server has forgotten the
 * session) the entry gives no new leases.
 */
export type LeaseEnd = 'finished' | 'timed-out' | 'cancelled' | 'lost';

export interface Lease {
  readonly session: Session;
  /** Gives the session back; exactly once. */
  release(end: LeaseEnd): void;
}

/** `closing` gives no new leases; it is over with its last call, or at once when it was closed. */
export type EntryState = 'dialling' | 'ready' | 'checking' | 'closing' | 'failed';

export interface EntryStatus {
  readonly server: string;
  readonly scope: Scope;
  readonly state: EntryState;
  readonly info: SessionInfo | undefined;
  readonly callsInFlight: number;
  readonly idleMs: number;
  /** Milliseconds since the last sign of life; undefined before the first. */
  readonly lastSignAgoMs: number | undefined;
  readonly reason: string | undefined;
}

/** An entry has another state; `closed` when nothing of it is left. */
export interface EntryChange {
  readonly server: string;
  readonly scope: Scope;
  readonly state: EntryState | 'closed';
  readonly reason?: string;
}

export interface PoolOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Default limits.poolEntries. */
  readonly maxEntries?: number;
  readonly onChange?: (change: EntryChange) => void;
}

export interface Pool {
  /** A lease on a ready session. Rejects with the dial's error, the deadline's reason, or `pool_full`. */
  acquire(target: Target, deadline: Deadline): Promise<Lease>;
  status(): readonly EntryStatus[];
  /** Closes every entry of the scope; resolves when no process of them is left. */
  closeScope(scope: Scope): Promise<void>;
  /** Closes the entries of a definition after their calls. */
  retire(definitionId: string): void;
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
      log: options.log,
      onChange: options.onChange ?? (() => {}),
      onGone: (gone) => entries.delete(gone),
    });
    entries.add(entry);
    return entry;
  };
  const find = (key: string): Entry | undefined => {
    for (const entry of entries) if (entry.target.key === key && entry.usable) return entry;
    return undefined;
  };
  const closeWhere = async (matches: (entry: Entry) => boolean, why: string): Promise<void> => {
    const chosen = [...entries].filter(matches);
    await Promise.all(chosen.map((entry) => entry.close(closing(entry.target.server, why))));
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
    status: () => [...entries].map((entry) => entry.status()),
    closeScope: (scope) => closeWhere((entry) => entry.target.scope === scope, 'closed with its scope'),
    retire: (definitionId) =>
      retireWhere((target) => target.definitionId === definitionId, 'the definition was changed, disabled or removed'),
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
