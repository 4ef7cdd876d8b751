import {
  type Clock,
  type Deadline,
  limits,
  type Log,
  startDeadline,
  type Timer,
  type TrestleError,
  within,
} from '../base/index.ts';
import type { Session } from '../session/index.ts';
import { type EntryFacts, idleEndMs } from './decisions.ts';
import type { EntryChange, EntryState, EntryStatus } from './entry-status.ts';
import { endOf, idle, noSignOfLife, superseded } from './reasons.ts';
import { SharedDial } from './shared-dial.ts';
import { isAlive } from './sign-of-life.ts';
import type { State } from './state.ts';
import type { Lease, LeaseEnd, Target } from './target.ts';

export interface EntryContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly onChange: (change: EntryChange) => void;
  /** Nothing of the entry is left. */
  readonly onGone: (entry: Entry) => void;
}

/** One entry of the pool: a target, and the session dialled for it. */
export class Entry {
  readonly target: Target;
  readonly #context: EntryContext;
  #state: State;
  #callsInFlight = 0;
  #waiting = 0;
  #lastUsedMs: number;
  #lastAnsweredMs: number | undefined;
  #idleTimer: Timer | undefined;

  constructor(target: Target, context: EntryContext) {
    this.target = target;
    this.#context = context;
    this.#lastUsedMs = context.clock.monotonicMs();
    const dial = new SharedDial(
      (deadline) => this.#dial(deadline),
      (reason) => void this.close(reason),
    );
    this.#state = { name: 'dialling', dial, retired: false };
  }

  /** Whether a new acquire may use this entry. */
  get usable(): boolean {
    const state = this.#state;
    return state.name === 'ready' || state.name === 'checking' || (state.name === 'dialling' && !state.retired);
  }

  get facts(): EntryFacts {
    return {
      state: this.#shownState(),
      lifecycle: this.target.lifecycle,
      callsInFlight: this.#callsInFlight,
      waiting: this.#waiting,
      lastUsedMs: this.#lastUsedMs,
      idleMs: this.target.idleMs,
    };
  }

  status(): EntryStatus {
    const nowMs = this.#context.clock.monotonicMs();
    const session = 'session' in this.#state ? this.#state.session : undefined;
    const signMs = session?.counters().lastInMs;
    return {
      server: this.target.server,
      scope: this.target.scope,
      lifecycle: this.target.lifecycle,
      state: this.#shownState(),
      info: session?.info,
      callsInFlight: this.#callsInFlight,
      idleMs: this.#callsInFlight > 0 ? 0 : nowMs - this.#lastUsedMs,
      lastSignAgoMs: signMs === undefined ? undefined : Math.max(0, nowMs - signMs),
      misses: 0,
      nextTry: undefined,
      reason: session?.reason?.message,
    };
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
        if (state.name === 'dialling') return this.#grantFirst(await state.dial.join(deadline));
        if (state.name === 'checking') {
          await within(deadline, state.verdict);
          continue;
        }
        if (this.#refusal !== undefined) throw this.#refusal;
        if (state.name !== 'ready') return undefined;
        if (state.session.state === 'ready') return this.#grant(state.session);
        void this.close(endOf(state.session, this.target.server));
        return undefined;
      }
    } finally {
      this.#waiting -= 1;
      this.#settle();
    }
  }

  /** Dials, if that is still to be done, whether or not anybody waits for it. */
  keep(): void {
    const state = this.#state;
    if (state.name !== 'dialling') return;
    const { server, dialIdleMs } = this.target;
    const deadline = startDeadline({
      clock: this.#context.clock,
      idleMs: dialIdleMs,
      totalMs: limits.requestTotalMs,
      subject: `${server}: connect`,
      server,
    });
    const over = (): void => deadline[Symbol.dispose]();
    state.dial.join(deadline).then(over, over);
  }

  /** Tries anew at once where the entry waits for its next try, or gave up. */
  reset(): void {}

  /** No new leases; closes after the calls in flight. */
  retire(reason: TrestleError): void {
    const state = this.#state;
    if (state.name === 'dialling') this.#state = { ...state, retired: true };
    if (state.name === 'ready' || state.name === 'checking') {
      if (state.name === 'checking') state.stop();
      this.#enter({ name: 'draining', session: state.session, reason });
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
    this.#idleTimer?.cancel();
    if (state.name === 'checking') state.stop();
    if (state.name === 'dialling') state.dial.abort(reason);
    const session = 'session' in state ? state.session : undefined;
    const ending = session === undefined && state.name === 'dialling' ? state.dial.settled() : session;
    const done = this.#end(ending, reason);
    this.#enter({ name: 'closing', session, done, refusal }, reason);
    return done;
  }

  async #end(ending: Session | undefined | Promise<Session | undefined>, reason: TrestleError): Promise<void> {
    try {
      const session = await ending;
      await session?.close(reason);
    } catch (error) {
      this.#context.log.warn(`closing failed: ${String(error)}`, this.target.server);
    }
    this.#context.onGone(this);
    this.#tell('closed');
  }

  async #dial(deadline: Deadline): Promise<Session> {
    this.#tell('dialling');
    let session: Session;
    try {
      session = await this.target.dial(deadline);
    } catch (error) {
      if (this.#state.name === 'dialling') {
        this.#state = { name: 'closing', session: undefined, done: Promise.resolve(), refusal: undefined };
        this.#context.onGone(this);
        this.#tell('failed', error instanceof Error ? error.message : String(error));
      }
      throw error;
    }
    const state = this.#state;
    // Aborted meanwhile: `close` waits for this dial and ends what came of it.
    if (state.name !== 'dialling') return session;
    this.#lastUsedMs = this.#context.clock.monotonicMs();
    if (state.retired) this.#enter({ name: 'draining', session, reason: superseded(this.target.server) });
    else {
      this.#enter({ name: 'ready', session });
      const { server, scope } = this.target;
      this.#context.onChange({ server, scope, event: 'ready', reconnected: false });
    }
    void session.over.then((reason) => this.close(reason));
    return session;
  }

  /** The lease of somebody who waited for the dial; given also when the entry was retired meanwhile. */
  #grantFirst(session: Session): Lease {
    if (session.state !== 'ready') throw endOf(session, this.target.server).with({ execution: 'not-sent' });
    return this.#grant(session);
  }

  #grant(session: Session): Lease {
    const grantedMs = this.#context.clock.monotonicMs();
    this.#callsInFlight += 1;
    this.#lastUsedMs = grantedMs;
    let released = false;
    const refusal = (): TrestleError | undefined => this.#refusal;
    return {
      session,
      get refusal() {
        return refusal();
      },
      release: (end) => {
        if (released) return;
        released = true;
        this.#release(session, { end, grantedMs });
      },
    };
  }

  #release(session: Session, use: { readonly end: LeaseEnd; readonly grantedMs: number }): void {
    this.#callsInFlight -= 1;
    this.#lastUsedMs = this.#context.clock.monotonicMs();
    if (use.end === 'finished') this.#lastAnsweredMs = this.#lastUsedMs;
    else if (use.end === 'lost') this.retire(endOf(session, this.target.server));
    else if (this.#state.name === 'ready') this.#check(session, use.grantedMs);
    this.#settle();
  }

  /** Asks for a sign of life; new acquires wait for the verdict. */
  #check(session: Session, callStartedMs: number): void {
    const stop = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      stop.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const verdict = this.#judge(session, { callStartedMs, signal: stop.signal });
    this.#enter({ name: 'checking', session, verdict: Promise.race([verdict, stopped]), stop: () => stop.abort() });
  }

  async #judge(
    session: Session,
    check: { readonly callStartedMs: number; readonly signal: AbortSignal },
  ): Promise<void> {
    const alive = await isAlive(session, {
      ...check,
      clock: this.#context.clock,
      others: () => ({ inFlight: this.#callsInFlight, lastAnsweredMs: this.#lastAnsweredMs }),
    });
    if (check.signal.aborted) return;
    if (!alive) {
      void this.close(noSignOfLife(this.target.server));
      return;
    }
    this.#enter({ name: 'ready', session });
    this.#settle();
  }

  /** After every use: a drained entry closes, an idle one gets its timer. */
  #settle(): void {
    const state = this.#state;
    if (state.name === 'draining' && this.#callsInFlight === 0 && this.#waiting === 0) void this.close(state.reason);
    if (this.#idleTimer === undefined) this.#watchIdleness();
  }

  /** The timer is not moved at every use; when it fires early it is set for the rest. */
  #watchIdleness(): void {
    const endMs = idleEndMs(this.facts);
    if (endMs === undefined) return;
    const { clock } = this.#context;
    const check = (): void => {
      this.#idleTimer = undefined;
      const nowEndMs = idleEndMs(this.facts);
      if (nowEndMs !== undefined && nowEndMs <= clock.monotonicMs()) void this.close(idle(this.target.server));
      else this.#watchIdleness();
    };
    this.#idleTimer = clock.after(endMs - clock.monotonicMs(), check, { keepAlive: false });
  }

  #shownState(): EntryState {
    return this.#state.name === 'draining' ? 'closing' : this.#state.name;
  }

  #enter(state: State, reason?: TrestleError): void {
    const before = this.#shownState();
    this.#state = state;
    if (this.#shownState() !== before) this.#tell(this.#shownState(), reason?.message);
  }

  #tell(state: EntryState | 'closed', reason?: string): void {
    const { server, scope } = this.target;
    this.#context.onChange({ server, scope, event: 'state', state, ...(reason === undefined ? {} : { reason }) });
  }
}
