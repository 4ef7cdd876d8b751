import { type Deadline, type Scope, TrestleError, within } from '../../base/index.ts';
import type { EntryStatus, Lease } from '../../pool/index.ts';
import type {
  RawReply,
  RawRequest,
  RequestControl,
  SignedIn,
  SignInWish,
  SignOutDone,
  SignOutWish,
} from '../../session/index.ts';
import type { ConnectionsOptions } from './connections-options.ts';
import type { LiveConnections } from './live-connections.ts';
import { lifecycleOf, type Wanted, type WantedServer } from './wanted.ts';

/**
 * Everything of a runtime that is connected. Nothing of it is loaded or made until a server is asked for, so that refusals and lists
 * do not pay for it: until then there is nothing to tell, to end or to close.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  #loading: Promise<LiveConnections> | undefined;
  #live: LiveConnections | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** A lease on a session of the wanted server, within the deadline. */
  async lease(wanted: Wanted, deadline: Deadline): Promise<Lease> {
    const live = this.#live ?? (await within(deadline, this.#load(wanted)));
    return live.lease(wanted, deadline);
  }

  /**
   * Sees to it that an eager or keep-alive server is connected, in the background: resolves when the dial is under way, and what
   * comes of it is told by events. Does nothing for lazy servers. Rejects with what the definition lacks, or `pool_full`.
   */
  async keep(wanted: Wanted): Promise<void> {
    if (lifecycleOf(wanted.definition, this.#options) === 'lazy') return;
    await (await this.#load(wanted)).keep(wanted);
  }

  /** One raw request to a server that is reached over HTTP, on a connection of its own. */
  async post(wanted: WantedServer, request: RawRequest, control: RequestControl): Promise<RawReply> {
    const live = await within(control.deadline, this.#load(wanted));
    return live.post(wanted, request, control);
  }

  /** Signs in to a server that is reached over HTTP; its sessions end, since they are somebody else's now. */
  async signIn(wanted: WantedServer, wish: Omit<SignInWish, 'wire'>): Promise<SignedIn> {
    return (await this.#load(wanted)).signIn(wanted, wish);
  }

  async signOut(wanted: WantedServer, wish: SignOutWish): Promise<SignOutDone> {
    return (await this.#load(wanted)).signOut(wanted, wish);
  }

  /** Forgets the sign-ins to a server on this machine; resolves with their accounts. */
  async forgetSignIns(wanted: WantedServer): Promise<readonly string[]> {
    return (await this.#load(wanted)).forgetSignIns(wanted);
  }

  /** Sessions that were made for another sign-in than the one of now, which another process may have changed, end after their calls. */
  refreshSignIns(): void {
    this.#live?.refreshSignIns();
  }

  /** Sessions of the server, by its name in the registry, that wait for their next try, or gave up, are tried anew at once. */
  reset(server: string): void {
    this.#live?.reset(server);
  }

  /** Closes the sessions of a server, by its name in the registry, after their calls. */
  retire(server: string): void {
    this.#live?.retire(server);
  }

  /** Closes the sessions of a server, by its name in the registry, in a scope at once; resolves when no process of them is left. */
  async disconnect(server: string, scope: Scope): Promise<void> {
    await (await this.#loading)?.disconnect(server, scope);
  }

  /** Whether a keep-alive session is held, or tried for. */
  hasKept(): boolean {
    return this.#live?.hasKept() ?? false;
  }

  /** The user's own configured servers that were dialled. */
  get ownServers(): Iterable<string> {
    return this.#live?.ownServers ?? [];
  }

  status(): readonly EntryStatus[] {
    return this.#live?.status() ?? [];
  }

  async closeScope(scope: Scope): Promise<void> {
    await (await this.#loading)?.closeScope(scope);
  }

  /** Closes everything; resolves when no process is left. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await (await this.#loading)?.close();
  }

  async #load({ definition: { name } }: WantedServer): Promise<LiveConnections> {
    if (this.#live !== undefined) return this.#live;
    if (this.#closing !== undefined) {
      throw new TrestleError({
        code: 'session_closed',
        message: `${name} is not connected any more, since Trestle was closed.`,
        server: name,
        execution: 'not-sent',
      });
    }
    this.#loading ??= this.#open();
    return this.#loading;
  }

  async #open(): Promise<LiveConnections> {
    const { LiveConnections: Live } = await import('./live-connections.ts');
    this.#live = new Live(this.#options);
    return this.#live;
  }
}
