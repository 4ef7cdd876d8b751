import type { Scope } from '../../base/index.ts';
import type { Definition, ResolvedServer } from '../../config/index.ts';
import type { Target } from '../../pool/index.ts';

/** Which entry of the pool is whose. */
export interface Identity extends Pick<Target, 'key' | 'definitionId'> {
  readonly scope: Scope;
}

/** Which entries of the pool belong to which server. A server is called here by its name in the registry, which no two share. */
export class DialledServers {
  readonly #identities = new WeakMap<ResolvedServer, Identity>();
  readonly #definitionIds = new Map<string, Set<string>>();
  readonly #own = new Set<string>();

  /** The user's own configured servers among them. */
  get own(): Iterable<string> {
    return this.#own;
  }

  /** Ids of the definitions of a server that were dialled. */
  idsOf(server: string): Iterable<string> {
    return this.#definitionIds.get(server) ?? [];
  }

  /** Takes note that a server is dialled. What was only typed, or made by a model, is no server that anybody could name later. */
  add({ registryName, source }: Definition, { definitionId }: Identity): void {
    if (source.shape === 'ad-hoc' && source.scope !== 'project') return;
    const ids = this.#definitionIds.get(registryName) ?? new Set();
    this.#definitionIds.set(registryName, ids.add(definitionId));
    if (source.scope === 'user') this.#own.add(registryName);
  }

  remove(server: string): void {
    this.#definitionIds.delete(server);
    this.#own.delete(server);
  }

  /** Written once for calls that follow each other in one scope. */
  identify(resolved: ResolvedServer, scope: Scope): Identity {
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
}
