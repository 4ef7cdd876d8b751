/** One server in `list --json`: what is known of it, every value with its origin. */
import { toFailure } from '../base/index.ts';
import type { ConfigView } from '../config/index.ts';
import type { IndexedServer } from '../registry/index.ts';
import type { Runtime } from '../runtime/index.ts';
import { definitionValues, registryValues } from './server-values.ts';

export function serverJson(
  name: string,
  facts: { readonly runtime: Runtime; readonly config: ConfigView; readonly registered: IndexedServer | undefined },
): Readonly<Record<string, unknown>> {
  const { runtime, config, registered } = facts;
  const definition = config.servers.get(name);
  const broken = config.broken.get(name);
  return {
    name,
    known: knownFrom(definition !== undefined, broken !== undefined),
    enabled: definition?.enabled ?? false,
    tools: registered?.toolCount ?? null,
    syncedAt: registered?.syncedAt ?? null,
    ...(definition === undefined ? {} : { source: definition.source }),
    ...(broken === undefined ? {} : { error: toFailure(broken) }),
    values: {
      ...(definition === undefined ? {} : definitionValues(definition, runtime)),
      ...(registered === undefined ? {} : registryValues(registered, runtime.registry.path(name))),
    },
  };
}

function knownFrom(configured: boolean, broken: boolean): 'configured' | 'broken' | 'registry-only' {
  if (configured) return 'configured';
  return broken ? 'broken' : 'registry-only';
}
