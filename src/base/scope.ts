/** Who shares a session: two scopes never share one unless a definition says so. */

/** `session:<id>`, `project:<canonical path>`, `library`, or `shared` (set by a definition's `sharing: shared`). */
export type Scope = `session:${string}` | `project:${string}` | 'library' | 'shared';

/** Scope of one conversation in a host (an agent session, a chat, one gateway caller). */
export function sessionScope(id: string): Scope {
  return `session:${id}`;
}

/** Scope of a project folder; `canonicalCwd` has its links resolved. */
export function projectScope(canonicalCwd: string): Scope {
  return `project:${canonicalCwd}`;
}
