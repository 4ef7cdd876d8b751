/** A runtime whose servers are the daemon's: what files can answer is answered here, everything else is sent. */
import { asTrestleError, type Scope, TrestleError, within } from '../base/index.ts';
import type { Definition } from '../config/index.ts';
import { type Caller, failedOutcome, type Runtime } from '../runtime/index.ts';
import { type Asked, type DaemonConnection, type Listener, Refused } from './connection.ts';
import { callerFor } from './environment.ts';
import { remoteMethods, type RemoteMethod, type RequestFrame } from './protocol.ts';
import type { ClientOptions } from './client-options.ts';
import type { Reached } from './reach.ts';

export interface DaemonClientOptions extends Omit<ClientOptions, 'onNote' | 'env'> {
  /** Does what needs no server, and everything where the daemon cannot be used. Closed with the client. */
  readonly local: Runtime;
  /** On whose behalf requests are made that name nobody, and whose sessions they use. */
  readonly caller: Caller;
  readonly scope: Scope;
  /** Told in one line why the daemon is not used, and what it has to say. */
  readonly onNote: (text: string) => void;
}

type Remote = Pick<Runtime, RemoteMethod>;

/** A runtime over `options.local` and the daemon of its home. Connects, and starts the daemon, when it is needed first. */
export function createDaemonClient(options: DaemonClientOptions): Runtime {
  const { local } = options;
  const link = new Link(options);
  const methods = Object.keys(remoteMethods) as RemoteMethod[];
  const remote = Object.fromEntries(
    methods.map((method) => [method, (...params: unknown[]) => link.ask(method, params)]),
  ) as unknown as Remote;
  return {
    ...local,
    registry: local.registry,
    places: local.places,
    ...remote,
    // A refusal is known here already; the daemon need not even run.
    call: async (request) => (await local.checkCall(request)) ?? remote.call(request),
    // Whose sessions are meant is known here alone: the daemon has those of all its clients.
    disconnect: (server, scope = options.scope) => remote.disconnect(server, scope),
    async status() {
      const [own, theirs] = [await local.status(), await remote.status()];
      const entries = new Map(theirs.servers.map((server) => [server.name, server.entries]));
      return { ...own, servers: own.servers.map((one) => ({ ...one, entries: entries.get(one.name) ?? one.entries })) };
    },
    async close() {
      await link.close();
      await local.close();
    },
  };
}

/** The way to the daemon, made once and made anew when it was lost. */
class Link {
  readonly #options: DaemonClientOptions;
  readonly #closing = new AbortController();
  #reaching: Promise<Reached> = Promise.resolve({ kind: 'none' });
  #told = false;

  constructor(options: DaemonClientOptions) {
    this.#options = options;
  }

  async ask(method: RemoteMethod, params: readonly unknown[]): Promise<unknown> {
    const { local } = this.#options;
    const here = (): unknown => (local[method] as (...given: readonly unknown[]) => unknown)(...params);
    if (isInPlace(params[0])) return here();
    const { starts, fails } = remoteMethods[method];
    try {
      const connection = await withinSignal(this.#reach(starts), signalOf(params[0]));
      return connection === undefined ? await here() : await this.#send(connection, method, params);
    } catch (thrown) {
      // Nothing of it was done there: the daemon ends, and another one takes over.
      if (thrown instanceof Refused) return thrown.why === 'busy' ? here() : this.ask(method, params);
      const error = asTrestleError(thrown);
      // What only looks or closes is done here where nobody else does it any more.
      if (error.code === 'daemon_lost' && !starts) return here();
      if (fails === 'outcome') return failedOutcome(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new TrestleError({ code: 'cancelled', message: 'The client was closed.' }));
    const reached = await this.#reaching.catch(() => undefined);
    if (reached?.kind === 'connected') reached.connection.close();
  }

  /** One look at a time: who comes meanwhile gets what it finds. Undefined where the work has to be done here. */
  async #reach(start: boolean): Promise<DaemonConnection | undefined> {
    this.#reaching = this.#reaching.then((known) => this.#reachAfter(known, start));
    const reached = await this.#reaching;
    if (reached.kind === 'connected') return reached.connection;
    if (reached.kind === 'alone' && !this.#told) {
      this.#told = true;
      this.#options.onNote(`The daemon is not used: ${reached.why}.`);
    }
    return undefined;
  }

  async #reachAfter(known: Reached, start: boolean): Promise<Reached> {
    if (known.kind === 'alone' || (known.kind === 'connected' && known.connection.isOpen)) return known;
    const { caller, onNote } = this.#options;
    const { reach } = await import('./reach.ts');
    return reach({ ...this.#options, env: caller.env, onNote }, { start, signal: this.#closing.signal });
  }

  #send(connection: DaemonConnection, method: RemoteMethod, params: readonly unknown[]): Promise<unknown> {
    return connection.request(this.#travelling(method, params));
  }

  /** What of a request can travel, and what stays here. */
  #travelling(method: RemoteMethod, params: readonly unknown[]): Asked {
    if (remoteMethods[method].takes === 'values') return { frame: { method, params } };
    const { platform, scope } = this.#options;
    const { signal, caller, ...rest } = (params[0] ?? {}) as {
      readonly signal?: AbortSignal;
      readonly caller?: Caller;
      readonly server?: string;
    };
    const members = Object.entries<unknown>(rest);
    const listeners = Object.fromEntries(
      members.filter((member): member is [string, Listener] => typeof member[1] === 'function'),
    );
    const sent = Object.fromEntries(members.filter(([, value]) => value !== undefined && typeof value !== 'function'));
    const frame: Omit<RequestFrame, 'id'> = {
      method,
      params: [{ scope, ...sent }],
      caller: callerFor(caller ?? this.#options.caller, this.#concerned(rest.server), platform),
      listeners: Object.keys(listeners),
    };
    return { frame, signal, listeners };
  }

  /** The definitions that a request is about: of one server, or all. What cannot be read names no variables. */
  #concerned(server: string | undefined): readonly Definition[] {
    try {
      const { servers } = this.#options.local.config();
      const named = server === undefined ? undefined : servers.get(server);
      return server === undefined ? [...servers.values()] : named === undefined ? [] : [named];
    } catch (thrown) {
      if (thrown instanceof TrestleError) return [];
      throw thrown;
    }
  }
}

/** A server that is described by the request itself is the caller's own. */
function isInPlace(request: unknown): boolean {
  return typeof request === 'object' && request !== null && 'server' in request && typeof request.server === 'object';
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

function signalOf(request: unknown): AbortSignal | undefined {
  const held = typeof request === 'object' && request !== null && 'signal' in request ? request.signal : undefined;
  return held instanceof AbortSignal ? held : undefined;
}
