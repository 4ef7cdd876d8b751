/** Who makes a request, and so whose servers it may mean. */
import type { Scope } from '../base/index.ts';
import type { Caller } from './caller.ts';

/** Who asks for the configuration: a project's servers are those of a caller's folder, approved in a scope. */
export interface Asker {
  /** Default: the runtime's own. */
  readonly caller?: Caller | undefined;
  readonly scope?: Scope | undefined;
}

/** Who makes a request. */
export function askerOf({ caller, scope }: Asker): Asker {
  return { caller, scope };
}
