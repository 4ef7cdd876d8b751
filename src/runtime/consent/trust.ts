/** Whether a person has approved that a server is started or connected to, which a project (or a model) asks for (K2). */
import type { Scope } from '../../base/index.ts';
import type { Definition, Verdict } from '../../config/index.ts';
import type { Caller } from '../caller.ts';
import type { Core } from '../core.ts';

/** For a definition that is not the user's own. An approval is one of exactly this definition in exactly this file. */
export function verdictOf(
  { approvals, identityOf }: Pick<Core, 'approvals' | 'identityOf'>,
  definition: Definition,
  { caller, scope }: { readonly caller: Caller; readonly scope: Scope },
): Verdict {
  const { name: server, source } = definition;
  const file = source.file ?? null;
  const identity = identityOf(definition, caller);
  if (approvals.isApproved({ kind: 'connect', server, file, identity }, scope)) return 'approved';
  const isKnown = approvals.list().some((one) => one.server === server && one.file === file);
  return isKnown && file !== null ? 'changed since approval' : 'not approved';
}
