import { type Chance, type Clock, type Deadline, type Log, type TrestleError, within } from '../base/index.ts';
import type { Session } from '../session/index.ts';
import { Checking } from './checking.ts';
import { type EntryFacts, idleEndMs } from './decisions.ts';
import { describeEntry } from './describe-entry.ts';
import { Dialling } from './dialling.ts';
import type { EntryChange, EntryState, EntryStatus } from './entry-status.ts';
import { Held, type Past, type Use } from './held.ts';
import { IdleWatch } from './idle-watch.ts';
import { beginLease } from './lease.ts';
import { endOf, idle, noSignOfLife, notNow, silent, superseded } from './reasons.ts';
import { nextTry, waitsForTry } from './reconnect.ts';
import { type Failed, heldIn, isUsable, leave, shownState, type State } from './state.ts';
import type { Lease, LeaseEnd, Target } from './target.ts';
import { Waiting } from './waiting.ts';

export interface EntryContext {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly onChange: (change: EntryChange) => void;
  /** Nothing of the entry is left. */
  readonly onGone: (entry: Entry) => void;
}

/** One entry of the pool: a target, and the session dialled for it. */
export class Entry {
  readonly target: Target;
  readonly #context: EntryContext;
  readonly #idleness: IdleWatch;
  #state: State;
  /** Acquires that wait for the entry. */
  #waiting = 0;
  #dials = 0;
  /** Tries since a connection held. */
  #tries = 0;
  #lastUsedMs: number;
  #past: Past = { lastSignMs: undefined, everAnswered: false };

  constructor(target: Target, context: EntryContext) {
    this.target = target;
    this.#context = context;
    this.#lastUsedMs = context.clock.monotonicMs();
    this.#idleness = new IdleWatch({
      clock: context.clock,
      endMs: () => idleEndMs(this.facts),
      onIdle: () => void this.close(idle(target.server)),
    });
    this.#state = this.#dial(undefined, undefined);
  }

  /** Whether a new acquire may use this entry. */
  get usable(): boolean {
    return isUsable(this.#state);
  }

  get facts(): EntryFacts {
    return {
      state: shownState(this.#state),
      lifecycle: this.target.lifecycle,
      callsInFlight: this.#held?.callsInFlight ?? 0,
      waiting: this.#waiting,
      lastUsedMs: this.#lastUsedMs,
      idleMs: this.target.idleMs,
    };
  }

  status(): EntryStatus {
    return describeEntry({
      target: this.target,
      state: this.#state,
      lastUsedMs: this.#lastUsedMs,
      past: this.#past,
      nowMs: this.#context.clock.monotonicMs(),
    });
  }

  get #held(): Held | undefined {
    return heldIn(this.#state);
  }

  /** Whether the entry tries anew by itself when it is lost now. */
  get #reconnects(): boolean {
    return this.target.lifecycle === 'keep-alive' && this.usable;
  }

  /** Why nobody may go on elsewhere, once the entry was shut. */
  get #refusal(): TrestleError | undefined {
    return this.#state.name === 'closing' ? this.#state.refusal : undefined;
  }

  /** A lease on the session, or undefined when the entry can give none any more and another one must be opened. */
  async lease(deadline: Deadline): Promise<Lease | undefined> {
    this.#waiting += 1;
    try {
      for (;;) {
        deadline.throwIfOver();
        const state = this.#state;
        switch (state.name) {
          case 'dialling':
            return this.#grantTo(await state.join(deadline));
          case 'ready':
            if (state.held.session.state === 'ready') return this.#grant(state.held);
            this.#lose(state.held, endOf(state.held.session, this.target.server));
            break;
          case 'checking':
            await within(deadline, state.over);
            break;
          case 'waiting':
            if (!waitsForTry(state.nextTry.inMs, deadline.remainingMs()))
              throw notNow(this.target.server, state.first, state.nextTry);
            await within(deadline, state.over);
            break;
          case 'failed':
            throw notNow(this.target.server, state.first, undefined);
          case 'draining':
            return undefined;
          case 'closing':
          default:
            if (state.refusal !== undefined) throw state.refusal;
            return undefined;
        }
      }
    } finally {
      this.#waiting -= 1;
      this.#settle();
    }
  }

  /** Dials, if that is still to be done, whether or not anybody waits for it. */
  keep(): void {
    if (this.#state.name === 'dialling') this.#state.keep();
  }

  /** Tries anew at once where the entry waits for its next try, or gave up. */
  reset(): void {
    const state = this.#state;
    if (state.name !== 'waiting' && state.name !== 'failed') return;
    this.#tries = 0;
    this.#dialAnew(state, undefined);
  }

  /** No new leases; closes after the calls in flight. */
  retire(reason: TrestleError): void {
    const state = this.#state;
    if (state.name === 'dialling') {
      state.retired = true;
      this.#settle();
    }
    if (state.name === 'waiting' || state.name === 'failed') void this.close(reason);
    if (state.name === 'ready' || state.name === 'checking') {
      if (state.name === 'checking') state.stop();
      this.#enter({ name: 'draining', held: state.held, reason });
      this.#settle();
    }
  }

  /** As {@link close}; whoever still waits for the entry is refused with the reason instead of opening another one. */
  shut(reason: TrestleError): Promise<void> {
    return this.#close(reason, reason);
  }

  /** Closes at once; calls in flight end with the session. Resolves when nothing is left; never rejects. */
  close(reason: TrestleError): Promise<void> {
    return this.#close(reason, undefined);
  }

  #close(reason: TrestleError, refusal: TrestleError | undefined): Promise<void> {
    const state = this.#state;
    if (state.name === 'closing') return state.done;
    const done = this.#end(reason);
    this.#enter({ name: 'closing', held: this.#held, done, refusal }, reason);
    return done;
  }

  async #end(reason: TrestleError): Promise<void> {
    this.#idleness.stop();
    await leave(this.#state, reason);
    this.#context.onGone(this);
    this.#tell('closed');
  }

  #dial(first: TrestleError | undefined, cleared: Promise<void> | undefined): Dialling {
    return new Dialling({
      target: this.target,
      clock: this.#context.clock,
      log: this.#context.log,
      first,
      cleared,
      onStart: () => {
        this.#dials += 1;
        this.#tell('dialling');
      },
      onSession: (session) => this.#hold(session),
      onFailed: (reason) => this.#dialFailed(reason),
      onAbandoned: (reason) => this.#drop(reason, undefined),
    });
  }

  #dialFailed(reason: TrestleError): void {
    if (this.#reconnects) {
      this.#drop(reason, undefined);
      return;
    }
    this.#state = { name: 'closing', held: undefined, done: Promise.resolve(), refusal: undefined };
    this.#context.onGone(this);
    this.#tell('failed', reason.message);
  }

  #hold(session: Session): void {
    const { server, lifecycle } = this.target;
    const { clock, log } = this.#context;
    const retired = !this.usable;
    const onDead = (): void => this.#lose(held, silent(server));
    const held = new Held(session, { clock, log, lifecycle, past: this.#past, onDead });
    this.#lastUsedMs = clock.monotonicMs();
    this.#enter(retired ? { name: 'draining', held, reason: superseded(server) } : { name: 'ready', held });
    void session.over.then((reason) => this.#lose(held, reason));
    if (!retired) {
      const reconnected = this.#dials > 1;
      this.#tellEvent({ event: 'ready', reconnected });
      if (reconnected) this.target.onReconnected?.();
    }
    this.#settle();
  }

  /** The session is over, or is to be. */
  #lose(held: Held, reason: TrestleError): void {
    if (this.#held === held) this.#drop(reason, held.ageMs);
  }

  /** Ends the connection, or the attempt at one; `lastedMs` as in {@link nextTry}. A keep-alive entry then waits for its next try. */
  #drop(reason: TrestleError, lastedMs: number | undefined): void {
    if (!this.#reconnects) {
      void this.close(reason);
      return;
    }
    const { clock, chance } = this.#context;
    const first = (this.#state.name === 'dialling' ? this.#state.first : undefined) ?? reason;
    this.#past = this.#held?.past ?? this.#past;
    this.#idleness.stop();
    const cleared = leave(this.#state, reason);
    const retry = nextTry({ tries: this.#tries, lastedMs }, chance);
    if (retry === undefined) {
      this.#enter({ name: 'failed', first, cleared }, first);
      this.#tellEvent({ event: 'gave-up', attempts: this.#tries, reason: first.message });
      return;
    }
    this.#tries = retry.attempt;
    const onDue = (): void => this.#dialAnew(waiting, first);
    const waiting = new Waiting({ ...retry, clock, first, cleared, onDue });
    this.#enter(waiting, reason);
    this.#tellEvent({ event: 'reconnecting', ...waiting.nextTry, reason: reason.message });
  }

  #dialAnew(before: Waiting | Failed, first: TrestleError | undefined): void {
    this.#state = this.#dial(first, before.cleared);
    if (before.name === 'waiting') before.end();
    this.keep();
  }

  /** The lease of somebody who waited for the dial; given also when the entry was retired meanwhile. */
  #grantTo(session: Session): Lease {
    const held = this.#held;
    if (held?.session === session && session.state === 'ready') return this.#grant(held);
    throw endOf(session, this.target.server).with({ execution: 'not-sent' });
  }

  #grant(held: Held): Lease {
    this.#lastUsedMs = this.#context.clock.monotonicMs();
    return beginLease({
      held,
      refusal: () => this.#refusal,
      onEnd: (use, end) => this.#release(held, use, end),
    });
  }

  #release(held: Held, use: Use, end: LeaseEnd): void {
    this.#lastUsedMs = this.#context.clock.monotonicMs();
    // Else the entry holds another session by now.
    if (this.#held === held) {
      if (end === 'lost') this.#forget(held);
      else if (end !== 'finished' && this.#state.name === 'ready') this.#check(held, use.startedMs);
    }
    this.#settle();
  }

  /** The server has forgotten the session; its other calls may still collect their answers. */
  #forget(held: Held): void {
    const reason = endOf(held.session, this.target.server);
    if (this.#reconnects) this.#lose(held, reason);
    else this.retire(reason);
  }

  /** Asks for a sign of life; new acquires wait for the verdict. */
  #check(held: Held, callStartedMs: number): void {
    const onVerdict = (alive: boolean): void => {
      if (alive) this.#enter({ name: 'ready', held });
      else this.#lose(held, noSignOfLife(this.target.server));
      this.#settle();
    };
    this.#enter(new Checking({ held, clock: this.#context.clock, callStartedMs, onVerdict }));
  }

  /** Where the use of the entry may have changed: one that is retired closes after its last, an idle one gets its timer. */
  #settle(): void {
    const state = this.#state;
    if (state.name === 'dialling' && state.retired && this.#waiting === 0) {
      void this.close(superseded(this.target.server));
    }
    if (state.name === 'draining' && state.held.callsInFlight === 0 && this.#waiting === 0)
      void this.close(state.reason);
    this.#idleness.look();
  }

  #enter(state: State, reason?: TrestleError): void {
    const before = shownState(this.#state);
    this.#state = state;
    if (shownState(state) !== before) this.#tell(shownState(state), reason?.message);
  }

  #tell(state: EntryState | 'closed', reason?: string): void {
    this.#tellEvent({ event: 'state', state, ...(reason === undefined ? {} : { reason }) });
  }

  #tellEvent(told: Told): void {
    const { server, scope } = this.target;
    this.#context.onChange({ server, scope, ...told });
  }
}

/** A change without whose it is. */
type Told = EntryChange extends infer Change
  ? Change extends EntryChange
    ? Omit<Change, 'server' | 'scope'>
    : never
  : never;
