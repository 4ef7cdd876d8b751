/** Names of servers, and file names made from names that servers choose. */

/** The reason why `name` cannot name a server (one clause, e.g. "may not end with a dot"), or undefined when it can. */
export function serverNameProblem(name: string): string | undefined {
  throw new Error(`not built: ${name}`);
}

/**
 * A file name (without extension) for any name: safe on every system, distinct for distinct names also on file systems that
 * fold case. Plain names keep their look; others get a digest.
 */
export function fileKey(name: string): string {
  throw new Error(`not built: ${name}`);
}

/** At most `count` of `candidates` that are near enough to `wanted` to be a slip, nearest first. */
export function nearest(wanted: string, candidates: Iterable<string>, count = 3): readonly string[] {
  throw new Error(`not built: ${wanted} ${typeof candidates} ${count}`);
}
