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
  const waiting = config.servers.has(name) ? undefined : config.waiting.get(name);
  const definition = config.servers.get(name) ?? waiting?.definition;
  const broken = config.broken.get(name);
  return {
    name,
    known: waiting === undefined ? knownFrom(definition !== undefined, broken !== undefined) : 'waiting',
    ...(waiting === undefined ? {} : { why: waiting.why }),
    enabled: definition?.enabled ?? false,
    tools: registered?.toolCount ?? null,
    denied: registered?.hiddenTools ?? 0,
    syncedAt: registered?.syncedAt ?? null,
    ...(definition === undefined ? {} : { source: definition.source }),
    ...others(name, config),
    ...(broken === undefined ? {} : { error: toFailure(broken) }),
    values: {
      ...(definition === undefined ? {} : definitionValues(definition, runtime)),
      ...(registered === undefined ? {} : registryValues(registered, runtime.registry.path(registered.name))),
    },
  };
}

function knownFrom(configured: boolean, broken: boolean): 'configured' | 'broken' | 'registry-only' {
  if (configured) return 'configured';
  return broken ? 'broken' : 'registry-only';
}

/** What a project asks for under the name of a server that is in force: it takes that one's place once it is approved. */
function others(name: string, { servers, waiting }: ConfigView): Readonly<Record<string, unknown>> {
  const other = servers.has(name) ? waiting.get(name) : undefined;
  return other === undefined ? {} : { waiting: { why: other.why, source: other.definition.source } };
}
