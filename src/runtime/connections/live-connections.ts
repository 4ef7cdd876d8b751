import { join } from 'node:path';
import { type Deadline, limits, type Scope, TrestleError, version, within } from '../../base/index.ts';
import type { Definition, ResolvedServer } from '../../config/index.ts';
import { createPool, type EntryStatus, type Lease, type Pool, type Target } from '../../pool/index.ts';
import {
  dial,
  postOnce,
  type RawReply,
  type RawRequest,
  type RequestControl,
  type Session,
  type SignedIn,
  type SignIns,
  type SignInSubject,
  type SignInWish,
  type SignOutDone,
  type SignOutWish,
} from '../../session/index.ts';
import { createHttpClient, createProcessKeeper, type WireContext } from '../../wire/index.ts';
import type { Caller } from '../caller.ts';
import type { ConnectionsOptions } from './connections-options.ts';
import { DialledServers } from './dialled-servers.ts';
import { openEraMemory, type StoredEraMemory } from './era-memory.ts';
import { openLauncherMemory, type StoredLauncherMemory } from './launcher-memory.ts';
import { createResolutions, type Resolutions } from './resolutions.ts';
import { createSignInAccess, type SignInAccess, signInSubject } from './sign-in-access.ts';
import { lifecycleOf, type Wanted, type WantedServer } from './wanted.ts';

/** What {@link Connections} are once a server was asked for: one pool, one keeper of processes, one HTTP client. Its methods are told of there. */
export class LiveConnections {
  readonly #options: ConnectionsOptions;
  readonly #pool: Pool;
  readonly #wire: WireContext;
  readonly #eras: StoredEraMemory;
  readonly #launchers: StoredLauncherMemory;
  readonly #resolutions: Resolutions;
  readonly #signIns: SignInAccess;
  readonly #servers = new DialledServers();

  constructor(options: ConnectionsOptions) {
    const { clock, log, redactor, stateFolder, secretStore, onChange } = options;
    this.#options = options;
    this.#pool = createPool({ clock, log, onChange });
    this.#eras = openEraMemory(join(stateFolder, 'eras.json'), { clock, log });
    this.#launchers = openLauncherMemory(join(stateFolder, 'launchers.json'), { clock, log });
    const keeper = createProcessKeeper({ clock, log, launchers: this.#launchers });
    const http = createHttpClient({ clock });
    this.#wire = { clock, log, keeper, http };
    this.#resolutions = createResolutions({ ...options.host, stateFolder });
    const onSecret = (secret: string): void => redactor.add(secret);
    this.#signIns = createSignInAccess({ clock, log, http, stateFolder, onSecret, secretStore });
  }

  async lease(wanted: Wanted, deadline: Deadline): Promise<Lease> {
    this.refreshSignIns();
    const { definition, caller } = wanted;
    const resolved =
      this.#resolutions.known(definition, caller) ?? (await within(deadline, this.#resolve(definition, caller)));
    return this.#pool.acquire(this.#target(wanted, resolved), deadline);
  }

  async keep(wanted: Wanted): Promise<void> {
    const { definition, caller } = wanted;
    const resolved = this.#resolutions.known(definition, caller) ?? (await this.#resolve(definition, caller));
    this.#pool.keep(this.#target(wanted, resolved));
  }

  async post({ definition, caller }: WantedServer, request: RawRequest, control: RequestControl): Promise<RawReply> {
    const { name } = definition;
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
    return postOnce(request, { server: name, endpoint, wire: this.#wire, control });
  }

  async signIn(wanted: WantedServer, wish: Omit<SignInWish, 'wire'>): Promise<SignedIn> {
    const { signIns, subject } = await this.#signInsTo(wanted);
    const done = await signIns.signIn(subject, { ...wish, wire: this.#wire });
    this.retire(wanted.definition.registryName);
    return done;
  }

  async signOut(wanted: WantedServer, wish: SignOutWish): Promise<SignOutDone> {
    const { signIns, subject } = await this.#signInsTo(wanted);
    const done = await signIns.signOut(subject, wish);
    this.retire(wanted.definition.registryName);
    return done;
  }

  async forgetSignIns(wanted: WantedServer): Promise<readonly string[]> {
    const { signIns, subject } = await this.#signInsTo(wanted);
    const accounts = await signIns.forget(subject);
    this.retire(wanted.definition.registryName);
    return accounts;
  }

  refreshSignIns(): void {
    for (const server of this.#signIns.changed()) this.retire(server);
  }

  reset(server: string): void {
    for (const id of this.#servers.idsOf(server)) this.#pool.reset(id);
  }

  retire(server: string): void {
    for (const id of this.#servers.idsOf(server)) this.#pool.retire(id);
    this.#servers.remove(server);
  }

  async disconnect(server: string, scope: Scope): Promise<void> {
    await Promise.all([...this.#servers.idsOf(server)].map((id) => this.#pool.disconnect(id, scope)));
  }

  hasKept(): boolean {
    return this.#pool.holdsKept();
  }

  get ownServers(): Iterable<string> {
    return this.#servers.own;
  }

  status(): readonly EntryStatus[] {
    return this.#pool.status();
  }

  closeScope(scope: Scope): Promise<void> {
    return this.#pool.closeScope(scope);
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#signIns.close();
    const { keeper, http } = this.#wire;
    await Promise.all([keeper.close(), http.close(), this.#eras.close(), this.#launchers.close()]);
  }

  async #resolve(definition: Definition, caller: Caller): Promise<ResolvedServer> {
    const resolved = await this.#resolutions.resolve(definition, caller);
    for (const secret of resolved.secrets) this.#options.redactor.add(secret);
    return resolved;
  }

  #target(wanted: Wanted, resolved: ResolvedServer): Target {
    const { definition, caller, settings } = wanted;
    const { onReconnected } = this.#options;
    const { onStep, ...quiet } = wanted;
    // Whoever asked first hears of the first start; later ones, which the pool makes by itself, are nobody's.
    let told = onStep;

    const scope: Scope = definition.sharing === 'shared' ? 'shared' : wanted.scope;
    const identity = this.#servers.identify(resolved, scope);
    this.#servers.add(definition, identity);
    return {
      ...identity,
      server: definition.name,
      definitionHash: resolved.definitionHash,
      caller,
      lifecycle: lifecycleOf(definition, this.#options),
      idleMs: (definition.idleMinutes ?? settings.idleMinutes) * 60_000,
      dialIdleMs: definition.timeoutMs ?? settings.requestTimeoutMs ?? limits.requestIdleMs,
      onReconnected: () => onReconnected?.(quiet),
      dial: (deadline) => {
        const steps = told;
        told = undefined;
        return this.#dial({ ...quiet, onStep: steps }, resolved, deadline);
      },
    };
  }

  async #dial(
    { definition, caller, scope, onStep }: Wanted,
    resolved: ResolvedServer,
    deadline: Deadline,
  ): Promise<Session> {
    const { ports, onSession } = this.#options;
    const session = await dial({
      server: definition.name,
      endpoint: resolved.endpoint,
      definitionHash: resolved.definitionHash,
      protocol: definition.protocol,
      protocolVersions: definition.protocolVersions,
      eras: this.#eras,
      wire: await this.#authorizedWire(resolved, caller),
      ports: ports(caller),
      client: { name: 'trestle', version },
      deadline,
      onStep,
    });
    if (definition.source.shape !== 'ad-hoc') onSession?.({ definition, session, caller, scope });
    return session;
  }

  /** The wire of a dial, with what the server's requests are allowed by. */
  async #authorizedWire(resolved: ResolvedServer, caller: Caller): Promise<WireContext> {
    const subject = this.#subject(resolved, caller);
    if (subject === undefined) return this.#wire;
    const signIns = await this.#signIns.open();
    // Another process may have changed it since the lease was asked for.
    this.refreshSignIns();
    this.#signIns.madeFor(resolved.definition.registryName, subject);
    return { ...this.#wire, authorization: signIns.authorization(subject) };
  }

  #subject(resolved: ResolvedServer, caller: Caller): SignInSubject | undefined {
    return signInSubject(resolved, this.#options.isConfigured(resolved.definition, caller));
  }

  async #signInsTo({
    definition,
    caller,
  }: WantedServer): Promise<{ readonly signIns: SignIns; readonly subject: SignInSubject }> {
    const subject = this.#subject(await this.#resolve(definition, caller), caller);
    if (subject === undefined) {
      throw new TrestleError({
        code: 'invalid_arguments',
        message: `${definition.name} is a process on this machine, so nobody signs in to it.`,
        hint: 'Give it its credential in "env".',
        server: definition.name,
      });
    }
    return { signIns: await this.#signIns.open(), subject };
  }
}
