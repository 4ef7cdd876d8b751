/** Callers as objects: equal ones are one, since what a definition resolves to is remembered by the object. */
import { canonicalJson, limits } from '../base/index.ts';
import type { Caller } from '../runtime/index.ts';

export class Callers {
  readonly #known = new Map<string, Caller>();

  /** The one object for a caller; those not seen for longest are forgotten. */
  intern(caller: Caller): Caller {
    const key = canonicalJson([caller.cwd, caller.projectTrusted ?? true, caller.env]);
    const known = this.#known.get(key) ?? caller;
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= limits.daemonCallers) break;
      this.#known.delete(oldest);
    }
    return known;
  }
}
