/** When lists that servers say have changed are read anew (S11): who waits, who rests, and that it ends. */
import { type Clock, delay, Ending, limits } from '../../base/index.ts';
import type { ChangedList } from '../../session/index.ts';
import type { ConnectedSource } from '../connections/wanted.ts';

/** A connection that told of changes. */
export type ChangeSource = ConnectedSource;

export interface ListRefreshesOptions {
  readonly clock: Clock;
  /** Reads `lists` anew and applies them; resolves with whether anything was new. Never rejects. */
  readonly refresh: (source: ChangeSource, lists: ReadonlySet<ChangedList>, signal: AbortSignal) => Promise<boolean>;
}

const allLists: readonly ChangedList[] = ['tools', 'resources', 'prompts'];

/** The changes of one server, which is called here by its name in the registry. */
interface Changes {
  /** The connection that told last: the one to ask. */
  source: ChangeSource;
  readonly waiting: Set<ChangedList>;
  /** The refresh under way and the rest after it. */
  running: Promise<void> | undefined;
  /** How long the next rest is. */
  restMs: number;
  /** When the last one was over, Clock.monotonicMs. */
  restedMs: number;
  /** Ends the rest that goes on. */
  rest: AbortController;
  /** How many changes were told, and how many of them have been read. */
  told: number;
  read: number;
  /** Whoever waits until so many have been read. */
  readonly waiters: Set<{ readonly told: number; readonly done: () => void }>;
}

/**
 * One refresh a server at a time, of all that changed meanwhile. After each the server rests: a burst gives one refresh and at most
 * one more. The rest doubles until the server was quiet for as long again, so that one that tells of changes all the time, or
 * whenever it is asked, costs little; where there is always something new it grows to a few seconds only. Who needs what was told
 * does not wait for the end of a rest.
 */
export class ListRefreshes {
  readonly #options: ListRefreshesOptions;
  readonly #servers = new Map<string, Changes>();
  /** Servers that are read as a whole just now, by how many. */
  readonly #held = new Map<string, number>();
  readonly #closed = new Ending();

  constructor(options: ListRefreshesOptions) {
    this.#options = options;
  }

  /** Listens to a connection as long as it lives. */
  watch(source: ChangeSource): void {
    this.#changesOf(source);
    source.session.onListChanged((list) => this.#note(source, [list]));
  }

  /** What is known of the server may be old: all its lists are read anew by the connection that was made last. */
  suspect(server: string): void {
    const source = this.#servers.get(server)?.source;
    if (source !== undefined) this.#note(source, allLists);
  }

  /**
   * Resolves when what the server has told until now has been read, or cannot be; with whether it had told anything that was not
   * read yet. Never rejects.
   */
  async catchUp(server: string): Promise<boolean> {
    const changes = this.#servers.get(server);
    if (changes === undefined) return false;
    // Notices are heard a turn after they came, and may come right behind the answer that the caller has got.
    for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
    if (changes.read >= changes.told || this.#closed.ended) return false;
    const read = Promise.withResolvers<void>();
    changes.waiters.add({ told: changes.told, done: read.resolve });
    changes.rest.abort();
    this.#start(changes);
    await read.promise;
    return true;
  }

  /** Runs `work`, which reads the server as a whole; changes told meanwhile are looked at afterwards. */
  async during<T>(server: string, work: () => Promise<T>): Promise<T> {
    this.#held.set(server, this.#holds(server) + 1);
    try {
      return await work();
    } finally {
      this.#held.set(server, this.#holds(server) - 1);
      const changes = this.#servers.get(server);
      if (changes !== undefined) this.#start(changes);
    }
  }

  /** Resolves when nothing is read or written any more. */
  async close(): Promise<void> {
    this.#closed.end();
    for (const changes of this.#servers.values()) wake(changes, Infinity);
    await Promise.all([...this.#servers.values()].flatMap(({ running }) => running ?? []));
  }

  #note(source: ChangeSource, lists: readonly ChangedList[]): void {
    const changes = this.#changesOf(source);
    for (const list of lists) changes.waiting.add(list);
    changes.told += 1;
    this.#start(changes);
  }

  #changesOf(source: ChangeSource): Changes {
    const { registryName: name } = source.definition;
    const known = this.#servers.get(name);
    if (known !== undefined) {
      known.source = source;
      return known;
    }
    const changes: Changes = {
      source,
      waiting: new Set(),
      running: undefined,
      restMs: limits.refreshRestMs.least,
      restedMs: 0,
      rest: new AbortController(),
      told: 0,
      read: 0,
      waiters: new Set(),
    };
    this.#servers.set(name, changes);
    return changes;
  }

  #start(changes: Changes): void {
    if (changes.running !== undefined || !this.#isDue(changes)) return;
    changes.running = this.#run(changes).finally(() => {
      changes.running = undefined;
      // Told or let go between the last look and this one.
      this.#start(changes);
    });
  }

  async #run(changes: Changes): Promise<void> {
    const { clock, refresh } = this.#options;
    const { signal } = this.#closed;
    const { least, mostIfNew, most } = limits.refreshRestMs;
    if (clock.monotonicMs() - changes.restedMs >= changes.restMs) changes.restMs = least;
    while (this.#isDue(changes)) {
      const { told } = changes;
      const lists = new Set(changes.waiting);
      changes.waiting.clear();
      const isNew = await refresh(changes.source, lists, signal);
      changes.read = told;
      wake(changes, told);
      const restMs = Math.min(isNew ? mostIfNew : most, changes.restMs);
      changes.rest = new AbortController();
      if (changes.waiters.size === 0) await delay(clock, restMs, AbortSignal.any([signal, changes.rest.signal]));
      changes.restMs = Math.min(most, restMs * 2);
      changes.restedMs = clock.monotonicMs();
    }
  }

  #isDue({ source, waiting }: Changes): boolean {
    return waiting.size > 0 && this.#holds(source.definition.registryName) === 0 && !this.#closed.ended;
  }

  #holds(server: string): number {
    return this.#held.get(server) ?? 0;
  }
}

/** Lets go whoever has waited for as much as has been read. */
function wake({ waiters }: Changes, read: number): void {
  for (const waiter of waiters) {
    if (waiter.told > read) continue;
    waiters.delete(waiter);
    waiter.done();
  }
}
