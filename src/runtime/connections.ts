import { join } from 'node:path';
import {
  type Clock,
  type Deadline,
  limits,
  type Log,
  type Scope,
  TrestleError,
  version,
  within,
} from '../base/index.ts';
import type { Definition, ResolvedServer, Settings } from '../config/index.ts';
import type { Redactor } from '../policy/index.ts';
import type { EntryChange, EntryStatus, Lease, Pool, Target } from '../pool/index.ts';
import type {
  dial,
  openSignIns,
  postOnce,
  RawReply,
  RawRequest,
  RequestControl,
  Session,
  SessionPorts,
  SignedIn,
  SignedOut,
  SignIns,
  SignInSubject,
  SignInWish,
} from '../session/index.ts';
import type { SecretStoreOptions } from '../secrets/index.ts';
import type { HttpClient, ProcessKeeper, WireContext } from '../wire/index.ts';
import { openEraMemory, type StoredEraMemory } from './era-memory.ts';
import { openLauncherMemory, type StoredLauncherMemory } from './launcher-memory.ts';
import { createResolutions, type Host, type Resolutions } from './resolutions.ts';
import type { Caller } from './caller.ts';
import { createSignInAccess, type SignInAccess, signInSubject } from './sign-in-access.ts';

export interface ConnectionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly host: Omit<Host, 'stateFolder'>;
  /** Folder of what is remembered between processes. */
  readonly stateFolder: string;
  /** Where secrets are kept. */
  readonly secretStore: () => SecretStoreOptions;
  /** What the host offers to servers used on behalf of a caller. */
  readonly ports: (caller: Caller) => SessionPorts;
  readonly onChange: (change: EntryChange) => void;
  /** A configured server is connected. */
  readonly onSession?: ((source: ConnectedSource) => void) | undefined;
  /** A server is connected again after an earlier connection or try had failed: what is known of it may be old. */
  readonly onReconnected?: ((wanted: Wanted) => void) | undefined;
  /** Whether `eager` and `keep-alive` mean anything here; else every server is `lazy`. */
  readonly longLived: boolean;
}

/** A session, and on whose behalf it was made. */
export interface ConnectedSource extends Pick<Wanted, 'definition' | 'caller' | 'scope'> {
  readonly session: Session;
}

/** Whose session of which server, and how its long start is told. */
export interface Wanted {
  readonly definition: Definition;
  readonly scope: Scope;
  readonly caller: Caller;
  /** Their limits hold for definitions that name none. */
  readonly settings: Pick<Settings, 'idleMinutes' | 'requestTimeoutMs'>;
  readonly onStep?: ((line: string) => void) | undefined;
}

/** What exists once a server was asked for: loaded and made at that moment, so that refusals and lists cost nothing of it. */
interface Live {
  readonly pool: Pool;
  readonly keeper: ProcessKeeper;
  readonly http: HttpClient;
  readonly eras: StoredEraMemory;
  readonly launchers: StoredLauncherMemory;
  readonly dial: typeof dial;
  readonly postOnce: typeof postOnce;
  readonly openSignIns: typeof openSignIns;
}

interface Identity extends Pick<Target, 'key' | 'definitionId'> {
  readonly scope: Scope;
}

/** Everything of a runtime that is connected: one pool, one keeper of processes, one HTTP client. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #resolutions: Resolutions;
  readonly #identities = new WeakMap<ResolvedServer, Identity>();
  /** Ids of the configured definitions that were dialled, by their name in the registry, which no two servers share. */
  readonly #definitionIds = new Map<string, Set<string>>();
  /** Those of them that are the user's own. */
  readonly #own = new Set<string>();
  readonly #signIns: SignInAccess;
  #loading: Promise<Live> | undefined;
  #live: Live | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#resolutions = createResolutions({ ...options.host, stateFolder: options.stateFolder });
    const { clock, log, redactor, stateFolder, secretStore } = options;
    const onSecret = (secret: string): void => redactor.add(secret);
    this.#signIns = createSignInAccess({ clock, log, stateFolder, onSecret, secretStore });
  }

  /** A lease on a session of the wanted server, within the deadline. */
  async lease(wanted: Wanted, deadline: Deadline): Promise<Lease> {
    const live = this.#live ?? (await within(deadline, this.#load(wanted.definition.name)));
    this.refreshSignIns();
    const { definition, caller } = wanted;
    const resolved =
      this.#resolutions.known(definition, caller) ?? (await within(deadline, this.#resolve(definition, caller)));
    return live.pool.acquire(this.#target(live, wanted, resolved), deadline);
  }

  /**
   * Sees to it that an eager or keep-alive server is connected, in the background: resolves when the dial is under way, and what
   * comes of it is told by events. Does nothing for lazy servers. Rejects with what the definition lacks, or `pool_full`.
   */
  async keep(wanted: Wanted): Promise<void> {
    const { definition, caller } = wanted;
    if (this.#lifecycle(definition) === 'lazy') return;
    const live = this.#live ?? (await this.#load(definition.name));
    const resolved = this.#resolutions.known(definition, caller) ?? (await this.#resolve(definition, caller));
    live.pool.keep(this.#target(live, wanted, resolved));
  }

  /** Sessions of the server, by its name in the registry, that wait for their next try, or gave up, are tried anew at once. */
  reset(server: string): void {
    for (const id of this.#definitionIds.get(server) ?? []) this.#live?.pool.reset(id);
  }

  /** Whether a keep-alive session is held, or tried for. */
  hasKept(): boolean {
    return this.#live?.pool.holdsKept() ?? false;
  }

  /** One raw request to a server that is reached over HTTP, on a connection of its own. */
  async post(
    wanted: Pick<Wanted, 'definition' | 'caller'>,
    request: RawRequest,
    control: RequestControl,
  ): Promise<RawReply> {
    const { definition, caller } = wanted;
    const { name } = definition;
    const live = this.#live ?? (await within(control.deadline, this.#load(name)));
    const { endpoint } = await within(control.deadline, this.#resolve(definition, caller));
    if (endpoint.kind !== 'http') {
      throw new TrestleError({
        code: 'invalid_arguments',
        message: `${name} is not reached over HTTP, so no raw request can be posted to it.`,
        hint: 'Call its tools instead.',
        server: name,
        execution: 'not-sent',
      });
    }
    return live.postOnce(request, { server: name, endpoint, wire: this.#wire(live), control });
  }

  /** Signs in to a server that is reached over HTTP; its sessions end, since they are somebody else's now. */
  async signIn(wanted: Pick<Wanted, 'definition' | 'caller'>, wish: Omit<SignInWish, 'wire'>): Promise<SignedIn> {
    const { live, signIns, subject } = await this.#signInsOf(wanted);
    const done = await signIns.signIn(subject, { ...wish, wire: this.#wire(live) });
    this.retire(wanted.definition.registryName);
    return done;
  }

  async signOut(wanted: Pick<Wanted, 'definition' | 'caller'>, account?: string): Promise<readonly SignedOut[]> {
    const { signIns, subject } = await this.#signInsOf(wanted);
    const done = await signIns.signOut(subject, account);
    this.retire(wanted.definition.registryName);
    return done;
  }

  /** Forgets the sign-ins to a server on this machine; resolves with their accounts. */
  async forgetSignIns(wanted: Pick<Wanted, 'definition' | 'caller'>): Promise<readonly string[]> {
    const { signIns, subject } = await this.#signInsOf(wanted);
    const accounts = await signIns.forget(subject);
    this.retire(wanted.definition.registryName);
    return accounts;
  }

  /** Sessions that were made for another sign-in than the one of now, which another process may have changed, end after their calls. */
  refreshSignIns(): void {
    for (const server of this.#signIns.changed()) this.retire(server);
  }

  status(): readonly EntryStatus[] {
    return this.#live?.pool.status() ?? [];
  }

  /** Closes the sessions of a server, by its name in the registry, after their calls. */
  retire(server: string): void {
    for (const id of this.#definitionIds.get(server) ?? []) this.#live?.pool.retire(id);
    this.#definitionIds.delete(server);
    this.#own.delete(server);
  }

  /** Closes the sessions of a server, by its name in the registry, in a scope at once; resolves when no process of them is left. */
  async disconnect(server: string, scope: Scope): Promise<void> {
    const pool = (await this.#loading)?.pool;
    if (pool === undefined) return;
    const ids = this.#definitionIds.get(server) ?? [];
    await Promise.all([...ids].map((id) => pool.disconnect(id, scope)));
  }

  /** The user's own configured servers that were dialled. */
  get ownServers(): Iterable<string> {
    return this.#own;
  }

  async closeScope(scope: Scope): Promise<void> {
    await (await this.#loading)?.pool.closeScope(scope);
  }

  /** Closes everything; resolves when no process is left. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const live = await this.#loading;
    if (live === undefined) return;
    await live.pool.close();
    await this.#signIns.close();
    await Promise.all([live.keeper.close(), live.http.close(), live.eras.close(), live.launchers.close()]);
  }

  #load(server: string): Promise<Live> {
    if (this.#closing !== undefined) {
      throw new TrestleError({
        code: 'session_closed',
        message: `${server} is not connected any more, since Trestle was closed.`,
        server,
        execution: 'not-sent',
      });
    }
    this.#loading ??= this.#open();
    return this.#loading;
  }

  async #open(): Promise<Live> {
    const { clock, log, stateFolder, onChange } = this.#options;
    const [{ createPool }, { dial, openSignIns, postOnce }, { createHttpClient, createProcessKeeper }] =
      await Promise.all([import('../pool/index.ts'), import('../session/index.ts'), import('../wire/index.ts')]);
    const launchers = openLauncherMemory(join(stateFolder, 'launchers.json'), { clock, log });
    this.#live = {
      pool: createPool({ clock, log, onChange }),
      keeper: createProcessKeeper({ clock, log, launchers }),
      http: createHttpClient({ clock }),
      eras: openEraMemory(join(stateFolder, 'eras.json'), { clock, log }),
      launchers,
      dial,
      postOnce,
      openSignIns,
    };
    return this.#live;
  }

  async #signInsOf({ definition, caller }: Pick<Wanted, 'definition' | 'caller'>): Promise<{
    readonly live: Live;
    readonly signIns: SignIns;
    readonly subject: SignInSubject;
  }> {
    const live = this.#live ?? (await this.#load(definition.name));
    const subject = signInSubject(await this.#resolve(definition, caller));
    if (subject === undefined) {
      throw new TrestleError({
        code: 'invalid_arguments',
        message: `${definition.name} is a process on this machine, so nobody signs in to it.`,
        hint: 'Give it its credential in "env".',
        server: definition.name,
      });
    }
    return { live, signIns: await this.#signIns.open(live.openSignIns, live.http), subject };
  }

  /** The wire of a dial, with what the server's requests are allowed by. */
  async #authorizedWire(live: Live, resolved: ResolvedServer): Promise<WireContext> {
    const wire = this.#wire(live);
    const subject = signInSubject(resolved);
    if (subject === undefined) return wire;
    const signIns = await this.#signIns.open(live.openSignIns, live.http);
    // Another process may have changed it since the lease was asked for.
    this.refreshSignIns();
    this.#signIns.madeFor(resolved.definition.registryName, subject);
    return { ...wire, authorization: signIns.authorization(subject) };
  }

  async #resolve(definition: Definition, caller: Caller): Promise<ResolvedServer> {
    const resolved = await this.#resolutions.resolve(definition, caller);
    for (const secret of resolved.secrets) this.#options.redactor.add(secret);
    return resolved;
  }

  #target(live: Live, wanted: Wanted, resolved: ResolvedServer): Target {
    const { definition, caller } = wanted;
    const { name, registryName, source } = definition;
    const { ports, onReconnected, onSession } = this.#options;
    const { onStep, ...quiet } = wanted;
    // Whoever asked first hears of the first start; later ones, which the pool makes by itself, are nobody's.
    let told = onStep;

    const scope: Scope = definition.sharing === 'shared' ? 'shared' : wanted.scope;
    const { key, definitionId } = this.#identify(resolved, scope);
    if (source.shape !== 'ad-hoc' || source.scope === 'project') {
      this.#remember(registryName, definitionId);
      if (source.scope === 'user') this.#own.add(registryName);
    }
    return {
      key,
      scope,
      server: name,
      definitionId,
      definitionHash: resolved.definitionHash,
      caller,
      lifecycle: this.#lifecycle(definition),
      idleMs: (definition.idleMinutes ?? wanted.settings.idleMinutes) * 60_000,
      dialIdleMs: definition.timeoutMs ?? wanted.settings.requestTimeoutMs ?? limits.requestIdleMs,
      onReconnected: () => onReconnected?.(quiet),
      dial: async (deadline) => {
        const steps = told;
        told = undefined;
        const session = await live.dial({
          server: name,
          endpoint: resolved.endpoint,
          definitionHash: resolved.definitionHash,
          protocol: definition.protocol,
          protocolVersions: definition.protocolVersions,
          eras: live.eras,
          wire: await this.#authorizedWire(live, resolved),
          ports: ports(caller),
          client: { name: 'trestle', version },
          deadline,
          onStep: steps,
        });
        if (source.shape !== 'ad-hoc') onSession?.({ definition, session, caller, scope: wanted.scope });
        return session;
      },
    };
  }

  #lifecycle(definition: Definition): Definition['lifecycle'] {
    return this.#options.longLived ? definition.lifecycle : 'lazy';
  }

  #wire({ keeper, http }: Live): WireContext {
    const { clock, log } = this.#options;
    return { clock, log, keeper, http };
  }

  /** Written once for calls that follow each other in one scope. */
  #identify(resolved: ResolvedServer, scope: Scope): Identity {
    const known = this.#identities.get(resolved);
    if (known?.scope === scope) return known;
    const { name, source } = resolved.definition;
    const file = source.file ?? null;
    const identity = {
      scope,
      key: JSON.stringify([scope, file, name, resolved.definitionHash, resolved.valuesDigest]),
      // Two ad hoc definitions are two servers whatever they are called.
      definitionId: JSON.stringify([file, name, ...(file === null ? [resolved.definitionHash] : [])]),
    };
    this.#identities.set(resolved, identity);
    return identity;
  }

  #remember(server: string, definitionId: string): void {
    const ids = this.#definitionIds.get(server) ?? new Set();
    this.#definitionIds.set(server, ids.add(definitionId));
  }
}
