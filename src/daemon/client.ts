/** A runtime whose servers are the daemon's: what files can answer is answered here, everything else is sent. */
import { asTrestleError, type Scope, TrestleError } from '../base/index.ts';
import { namesServer } from '../config/index.ts';
import {
  type Answer,
  type Caller,
  type CallRequest,
  type Failed,
  failedOutcome,
  type HostPorts,
  type Outcome,
  type Person,
  personAt,
  type Runtime,
  type ServerRequest,
  type SignInRequest,
} from '../runtime/index.ts';
import type { ClientOptions } from './client-options.ts';
import type { Asked, Listener } from './asked.ts';
import { valuesOf } from './environment.ts';
import { createSubscribe } from './events-heard.ts';
import { Link } from './link.ts';
import { remoteMethods, type RemoteMethod } from './protocol.ts';
import { environmentFor, reconciling, variablesHere } from './reconciling.ts';

export interface DaemonClientOptions extends Omit<ClientOptions, 'env'> {
  /**
   * Makes the runtime that does what needs no server, and everything where the daemon cannot be used. Called when it is first
   * needed, which a warm call never does; closed with the client.
   */
  readonly openLocal: () => Runtime;
  /** On whose behalf requests are made that name nobody, and whose sessions they use. */
  readonly caller: Caller;
  readonly scope: Scope;
  /** Asks the person here: the daemon has nobody. What is done here asks by the port of the runtime that `openLocal` makes. */
  readonly ask?: HostPorts['ask'] | undefined;
  /** Signs in here, for what the daemon was refused: it opens no page. */
  readonly person?: HostPorts['person'] | undefined;
}

type Remote = Pick<Runtime, RemoteMethod>;

/** A runtime over the daemon of a home. Connects, and starts the daemon, when it is needed first. */
export function createDaemonClient(options: DaemonClientOptions): Runtime {
  const { places } = options.home;
  let opened: Runtime | undefined;
  const local = (): Runtime => (opened ??= options.openLocal());
  const client: Client = {
    options,
    local,
    link: new Link({ ...options, env: options.caller.env }, () => reconciling(options, local())),
  };
  const methods = Object.keys(remoteMethods) as RemoteMethod[];
  const manned: Manned = {
    client,
    person: options.ask === undefined ? undefined : personAt(options.ask, options.clock),
    // The person is here, and what comes of it is on disk, where the daemon looks.
    async signIn(request) {
      const { scope = options.scope } = request;
      await shareApprovals(local(), remote, { ...request, scope }).catch(() => {});
      return told(await local().signIn({ ...request, scope }));
    },
  };
  const remote = Object.fromEntries(
    methods.map((method) => [method, (...params: unknown[]) => allowed(manned, { method, params })]),
  ) as unknown as Remote;
  /** A daemon that runs looks at what has changed now, and else with the next request. */
  const told = async <T>(outcome: Outcome<T>): Promise<Outcome<T>> => {
    await remote.refreshSignIns().catch(() => {});
    return outcome;
  };
  return {
    ...remote,
    // Whose sessions are meant is known here alone: the daemon has those of all its clients.
    disconnect: (server, scope = options.scope) => remote.disconnect(server, scope),
    get registry() {
      return local().registry;
    },
    places,
    config: (asker) => local().config(asker),
    callable: (asker) => local().callable(asker),
    settings: () => local().settings(),
    variables: (server, asker) => local().variables(server, asker),
    context: (request) => local().context(request),
    refreshContext: () => local().refreshContext(),
    inlinedTokens: () => local().inlinedTokens(),
    // What was said for a session is in the memory of the daemon; all else in the file.
    approvals: (scope = options.scope) => remote.approvals(scope),
    approve: (request) => local().approve(request),
    // Where the question was asked, it is answered.
    async answer(given) {
      if (!(await answeredHere(opened, given))) await remote.answer(given);
    },
    checkFiles: (asker) => local().checkFiles(asker),
    checkCall: (request) => local().checkCall(request),
    checkServer: (server, asker) => local().checkServer(server, asker),
    search: (request) => local().search(request),
    signIn: manned.signIn,
    signOut: async (request) => told(await local().signOut(request)),
    // It names its server by itself.
    post: (request) => local().post(request),
    present: (blocks, label, scope) => local().present(blocks, label, scope),
    keep: (text, label, scope) => local().keep(text, label, scope),
    // What the daemon sends is redacted there; here only what was resolved here is known.
    redact: (text) => opened?.redact(text) ?? text,
    subscribe: createSubscribe({ local, link: client.link, scope: options.scope, onNote: options.onNote }),
    holdsKept: () => opened?.holdsKept() ?? false,
    // The entries are the daemon's; all else is in the files, and of this folder there may be more to say.
    async status(asker) {
      const [own, theirs] = [await local().status(asker), await remote.status(asker)];
      const entries = new Map(theirs.servers.map((server) => [server.name, server.entries]));
      return { ...own, servers: own.servers.map((one) => ({ ...one, entries: entries.get(one.name) ?? one.entries })) };
    },
    async close() {
      client.link.close();
      await opened?.close();
    },
  };
}

interface Client {
  readonly options: DaemonClientOptions;
  readonly local: () => Runtime;
  readonly link: Link;
}

interface Errand {
  readonly method: RemoteMethod;
  readonly params: readonly unknown[];
}

/** A client, and whoever can be asked at it. */
interface Manned {
  readonly client: Client;
  readonly person: Person | undefined;
  readonly signIn: Runtime['signIn'];
}

/** Does a method, and once more where the daemon wants a person's word for it, or a server their sign-in, and has it then. */
async function allowed({ client, person, signIn }: Manned, { method, params }: Errand): Promise<unknown> {
  if (person === undefined || remoteMethods[method].fails !== 'outcome') return ask(client, method, params);
  const attempt = (): Promise<Outcome<unknown>> => ask(client, method, params) as Promise<Outcome<unknown>>;
  const answer = async (given: Answer): Promise<void> => {
    await ask(client, 'answer', [given]);
  };
  const whoSignsIn = client.options.person;
  // What the daemon does is asked for by these alone.
  const { server, caller, scope, signal } = params[0] as ServerRequest;
  const byPage = whoSignsIn && { signIn: () => signIn({ server, caller, scope, signal, person: whoSignsIn }) };
  return person.allowing(attempt, { signal, answer, ...byPage });
}

/**
 * What was allowed for the session is in the memory of the daemon: who has allowed it a server there is not asked once more here, where
 * they sign in to it. Rejects where that cannot be known; then they are.
 */
async function shareApprovals(
  local: Runtime,
  remote: Remote,
  { server, caller, scope }: Pick<SignInRequest, 'server' | 'caller'> & { readonly scope: Scope },
): Promise<void> {
  if (typeof server !== 'string' || !local.config({ caller, scope }).waiting.has(server)) return;
  const { session } = await remote.approvals(scope);
  // One of a definition that reads otherwise here is none.
  for (const seen of session.filter((one) => one.server === server)) {
    await local.approve({ server, kind: 'connect', session: scope, caller, seen });
  }
}

/** Whether a question of this process was meant. */
async function answeredHere(opened: Runtime | undefined, answer: Answer): Promise<boolean> {
  try {
    await opened?.answer(answer);
    return opened !== undefined;
  } catch (thrown) {
    if (asTrestleError(thrown).code === 'unknown_question') return false;
    throw thrown;
  }
}

/** Does a method of the runtime by the daemon, or here where it cannot be used and has done nothing. */
async function ask(client: Client, method: RemoteMethod, params: readonly unknown[]): Promise<unknown> {
  const { local, link } = client;
  const here = (): unknown => (local()[method] as (...given: readonly unknown[]) => unknown)(...params);
  if (isInPlace(params[0]) || isOfEnvironment(client)) return here();
  const { starts, fails } = remoteMethods[method];
  try {
    const errand = await link.run({
      starts,
      signal: signalOf(params[0]),
      asked: travelling(client, method, params),
      // A daemon that runs knows it as well; without one, none is started for what is refused.
      ...(fails === 'outcome' ? { refusal: () => refusalHere(local(), method, params[0] as ServerRequest) } : {}),
    });
    return errand.kind === 'done' ? errand.value : await here();
  } catch (thrown) {
    const error = asTrestleError(thrown);
    // What only looks or closes is done here where nobody else does it any more.
    if (error.code === 'daemon_lost' && !starts) return here();
    if (fails === 'outcome') return failedOutcome(error);
    throw error;
  }
}

/** What stands against a request already, by files alone. */
function refusalHere(local: Runtime, method: RemoteMethod, request: ServerRequest): Promise<Failed | undefined> {
  return method === 'call' ? local.checkCall(request as CallRequest) : local.checkServer(request.server, request);
}

/** What of a request can travel, and what stays here. */
function travelling({ options, local }: Client, method: RemoteMethod, params: readonly unknown[]): Asked {
  if (remoteMethods[method].takes === 'values') return { frame: { method, params } };
  const { platform, scope } = options;
  const {
    signal,
    caller = options.caller,
    ...rest
  } = (params[0] ?? {}) as Readonly<Record<string, unknown>> & {
    readonly signal?: AbortSignal;
    readonly caller?: Caller;
    readonly server?: string;
    readonly timeoutMs?: number;
  };
  const sent: Record<string, unknown> = { scope };
  const listeners: Record<string, Listener> = {};
  for (const [name, value] of Object.entries<unknown>(rest)) {
    if (typeof value === 'function') listeners[name] = value as Listener;
    else if (value !== undefined) sent[name] = value;
  }
  return {
    frame: {
      method,
      params: [sent],
      caller: { ...caller, env: environmentFor(caller, platform) },
      listeners: Object.keys(listeners),
    },
    signal,
    listeners,
    idleMs: rest.timeoutMs,
    // Nothing but what the definitions name, as this process reads them, whatever is asked for.
    values: (names) => {
      const named = new Set(variablesHere(local(), rest.server, { caller, scope }));
      return valuesOf(
        caller,
        names.filter((name) => named.has(name)),
        platform,
      );
    },
  };
}

/** A server that is described by the request itself is the caller's own. */
function isInPlace(request: unknown): boolean {
  return typeof request === 'object' && request !== null && 'server' in request && typeof request.server === 'object';
}

/** A server that the caller's environment names is the caller's own, and the only one there is. */
function isOfEnvironment({ options, local }: Client): boolean {
  if (!namesServer(options.caller.env)) return false;
  try {
    return [...local().config().servers.values()].some(({ source }) => source.shape === 'environment');
  } catch (thrown) {
    if (thrown instanceof TrestleError) return false;
    throw thrown;
  }
}

function signalOf(request: unknown): AbortSignal | undefined {
  const held = typeof request === 'object' && request !== null && 'signal' in request ? request.signal : undefined;
  return held instanceof AbortSignal ? held : undefined;
}
