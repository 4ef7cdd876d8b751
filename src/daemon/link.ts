/** The client's way to the daemon, made when it is first needed and made anew when it was lost. */
import { asTrestleError, limits, type Timer, TrestleError, within } from '../base/index.ts';
import type { Asked } from './asked.ts';
import type { ClientOptions } from './client-options.ts';
import type { DaemonConnection, EventsWish } from './connection.ts';
import type { Looking } from './greet.ts';
import { reach, type Reached, type ReachWish } from './reach.ts';
import { Refused } from './unanswered.ts';

/** How a request is taken there. */
export interface Errand {
  /** Whether a daemon is started for it; else only one that runs is asked. */
  readonly starts: boolean;
  /** Asked before a daemon is started: what stands against the request already. */
  readonly refusal?: () => Promise<unknown>;
  readonly signal: AbortSignal | undefined;
  readonly asked: Asked;
}

/** `here`: the daemon has done nothing of it, and cannot be used. */
export type Errands = { readonly kind: 'done'; readonly value: unknown } | { readonly kind: 'here' };

export class Link {
  readonly #options: ClientOptions;
  readonly #first: () => Asked;
  /** Made when it is needed: the class alone takes longer to load than a request to make. */
  #closing: AbortController | undefined;
  #reaching: Promise<Reached> = Promise.resolve({ kind: 'none' });
  readonly #way: Looking = {};
  #told = false;
  #isClosed = false;
  #events: EventsWish | undefined;
  /** The connection that is listened to. */
  #heard: DaemonConnection | undefined;
  #looking: Timer | undefined;

  /** `first` goes to a daemon that is new to this home, after a request of our own: that may do a part of it, and is waited for. */
  constructor(options: ClientOptions, first: () => Asked) {
    this.#options = { ...options, looking: this.#way };
    this.#first = first;
  }

  /** Rejects with what the daemon's runtime rejected with, `daemon_lost`, or the caller's abort. */
  async run(errand: Errand): Promise<Errands> {
    const { starts, refusal, signal } = errand;
    for (let attempt = 0; attempt < limits.daemonAttempts; attempt += 1) {
      let connection = await withinSignal(this.#reach({ older: !starts }), signal);
      if (connection === undefined && starts && !this.#told) {
        const refused = await refusal?.();
        if (refused !== undefined) return { kind: 'done', value: refused };
        this.#closing ??= new AbortController();
        connection = await withinSignal(this.#reach({ older: false, start: this.#closing.signal }), signal);
      }
      if (connection === undefined) return { kind: 'here' };
      try {
        return { kind: 'done', value: await this.#request(connection, errand) };
      } catch (thrown) {
        if (!(thrown instanceof Refused)) throw thrown;
        if (thrown.why === 'busy') return { kind: 'here' };
        // It ends after what it does, and another one takes over.
        connection.retire();
      }
    }
    return { kind: 'here' };
  }

  async #request(connection: DaemonConnection, { asked, starts }: Errand): Promise<unknown> {
    try {
      return await connection.request(asked);
    } finally {
      // Nobody waits for it, and when it is lost the next client is told as well.
      if (starts && connection.isUnreconciled) connection.request(this.#first()).catch(() => {});
    }
  }

  /** Listens to the daemon that runs, now or later; starts none. Returns what ends it; until then nobody else may listen. */
  listen(wish: EventsWish): () => void {
    this.#events = wish;
    void this.#look();
    return () => {
      this.#looking?.cancel();
      this.#heard?.listen(undefined, () => {});
      this.#events = this.#heard = undefined;
    };
  }

  async #look(): Promise<void> {
    if (this.#events === undefined || this.#isClosed) return;
    const connection = await this.#reach({ older: false });
    // Who has to work without the daemon will not hear of it either.
    if (connection === undefined && !this.#told) this.#lookLater();
  }

  #lookLater(): void {
    this.#looking?.cancel();
    const look = (): void => void this.#look();
    this.#looking = this.#options.clock.after(limits.daemonListenLookMs, look, { keepAlive: false });
  }

  #hear(connection: DaemonConnection): void {
    if (this.#events === undefined || this.#heard === connection || !connection.isUsable) return;
    this.#heard = connection;
    connection.listen(this.#events, () => {
      if (this.#heard !== connection) return;
      this.#heard = undefined;
      if (!this.#isClosed) this.#lookLater();
    });
  }

  /** Leaves; a daemon that does not answer is not waited for. */
  close(): void {
    this.#isClosed = true;
    this.#looking?.cancel();
    this.#way.giveUp?.();
    this.#closing?.abort(new TrestleError({ code: 'cancelled', message: 'The client was closed.' }));
    const leave = (reached: Reached): void => {
      if (reached.kind === 'connected') reached.connection.close();
    };
    this.#reaching.then(leave, () => {});
  }

  /** One look at a time: who comes meanwhile gets what it finds. Undefined where there is none to be used. */
  async #reach(wish: ReachWish): Promise<DaemonConnection | undefined> {
    this.#reaching = this.#reaching.then((known) => this.#reachAfter(known, wish));
    const reached = await this.#reaching;
    if (reached.kind === 'connected') {
      this.#hear(reached.connection);
      return reached.connection;
    }
    if (reached.kind === 'alone' && !this.#told && !this.#isClosed) {
      this.#told = true;
      this.#options.onNote(`The daemon is not used: ${reached.why}.`);
    }
    return undefined;
  }

  async #reachAfter(known: Reached, wish: ReachWish): Promise<Reached> {
    const isKnown =
      this.#isClosed || known.kind === 'alone' || (known.kind === 'connected' && known.connection.isUsable);
    return isKnown ? known : reach(this.#options, wish);
  }
}

/** `work`, or a rejection with the reason of the caller's abort, by which nothing was sent. */
async function withinSignal<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  try {
    return await within({ signal }, work);
  } catch (thrown) {
    throw signal.aborted ? asTrestleError(signal.reason, { execution: 'not-sent' }) : thrown;
  }
}
