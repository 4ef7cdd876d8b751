/** A daemon brings the registry of a home to its configuration (R6), on behalf of whoever came first. */
import { inheritedEnvironment, type Scope, TrestleError } from '../base/index.ts';
import type { Asker, Caller, Runtime } from '../runtime/index.ts';
import type { Asked } from './asked.ts';
import { guardVariable, valuesOf } from './environment.ts';

/** On whose behalf something is asked. */
export interface OnBehalf {
  readonly caller: Caller;
  /** Whose sessions are used. */
  readonly scope: Scope;
  readonly platform: string;
}

/** Asks for it; nobody waits for it, so it goes with every variable that the definitions name as `local` reads them. */
export function reconciling({ caller, platform, scope }: OnBehalf, local: Pick<Runtime, 'variables'>): Asked {
  const env = {
    ...environmentFor(caller, platform),
    ...valuesOf(caller, variablesHere(local, undefined, { caller, scope }), platform),
  };
  return {
    frame: {
      method: 'reload',
      params: [{ scope, background: true }],
      caller: { ...caller, env },
      detached: true,
    },
  };
}

/** What the daemon is told of an environment whatever the request. */
export function environmentFor(caller: Caller, platform: string): Record<string, string> {
  return { ...inheritedEnvironment(caller.env, platform), ...valuesOf(caller, [guardVariable], platform) };
}

/** A configuration that cannot be read names nothing. */
export function variablesHere(
  local: Pick<Runtime, 'variables'>,
  server: string | undefined,
  asker: Asker,
): readonly string[] {
  try {
    return local.variables(server, asker);
  } catch (thrown) {
    if (thrown instanceof TrestleError) return [];
    throw thrown;
  }
}
