/** One runtime for each set of places: Trestle's own files, and Pi's. */
import { canonicalJson, limits } from '../base/index.ts';
import type { Runtime } from '../runtime/index.ts';
import type { HomeOfClient } from './protocol.ts';

export interface Served {
  readonly runtime: Runtime;
  /** Connections that use it now. */
  users: number;
  /** Whether somebody has asked for its registry to be brought to the configuration. */
  isReconciled: boolean;
}

export class Runtimes {
  readonly #open: (home: HomeOfClient) => Runtime;
  readonly #served = new Map<string, Served>();
  readonly #closing = new Set<Promise<void>>();

  constructor(open: (home: HomeOfClient) => Runtime) {
    this.#open = open;
  }

  /** The runtime of a home, for one more user; undefined when there are too many in use. */
  use(home: HomeOfClient): Served | undefined {
    const key = canonicalJson(home);
    const known = this.#served.get(key);
    if (known === undefined && !this.#makeRoom()) return undefined;
    const served = known ?? { runtime: this.#open(home), users: 0, isReconciled: false };
    // The least lately used stands first.
    this.#served.delete(key);
    this.#served.set(key, served);
    served.users += 1;
    return served;
  }

  get all(): readonly Runtime[] {
    return [...this.#served.values()].map(({ runtime }) => runtime);
  }

  /** Closes all; resolves when no process is left. */
  async close(): Promise<void> {
    for (const [key, served] of this.#served) this.#end(key, served);
    await Promise.all(this.#closing);
  }

  #makeRoom(): boolean {
    if (this.#served.size < limits.daemonPlaces) return true;
    const unused = [...this.#served].find(([, { users }]) => users === 0);
    if (unused === undefined) return false;
    this.#end(...unused);
    return true;
  }

  #end(key: string, { runtime }: Served): void {
    this.#served.delete(key);
    const closing = runtime.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
