/** An end that may come, for whoever wants to know of it. */

/**
 * As an AbortController, which is made when its signal is first asked for: most commands are over before anybody does, and to load its
 * class takes a start longer than to read the configuration.
 */
export class Ending {
  #controller: AbortController | undefined;
  #end: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#end !== undefined) this.#controller.abort(this.#end.reason);
    }
    return this.#controller.signal;
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** The first reason holds. */
  end(reason?: unknown): void {
    this.#end ??= { reason };
    this.#controller?.abort(this.#end.reason);
  }
}
