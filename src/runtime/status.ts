/** What is known of every server: configuration, registry, pool. Starts nothing. */
import type { ConfigView } from '../config/index.ts';
import type { EntryStatus } from '../pool/index.ts';
import type { IndexedServer } from '../registry/index.ts';
import { type Core, shownText, withoutSecrets } from './core.ts';
import type { RuntimeStatus, ServerStatus } from './runtime.ts';

/** Throws `config_unreadable`. */
export function statusOf(core: Core): RuntimeStatus {
  const config = core.config();
  const { value: stored, findings } = core.registry.servers();
  const registered = new Map(stored.map((server) => [server.name, server]));
  const entries = core.connections.status().map((entry) => ({
    ...entry,
    info: entry.info === undefined ? undefined : withoutSecrets(core, entry.info),
    reason: entry.reason === undefined ? undefined : shownText(core, entry.reason),
  }));
  const names = new Set([...config.servers.keys(), ...config.broken.keys(), ...registered.keys()]);
  const servers = [...names]
    .sort()
    .map((name) => serverStatus(name, { config, registered: registered.get(name), entries }));
  return {
    servers,
    tools: servers.reduce((sum, server) => sum + (server.tools ?? 0), 0),
    notices: [
      ...config.notices,
      ...core.settings().notices,
      ...findings.map(({ file, field, problem }) => `${file}${field === '' ? '' : ` ${field}`}: ${problem}`),
    ],
  };
}

interface Known {
  readonly config: ConfigView;
  readonly registered: IndexedServer | undefined;
  readonly entries: readonly EntryStatus[];
}

function serverStatus(name: string, { config, registered, entries }: Known): ServerStatus {
  const definition = config.servers.get(name);
  const broken = config.broken.get(name);
  return {
    name,
    known: definition !== undefined ? 'configured' : broken !== undefined ? 'broken' : 'registry-only',
    enabled: definition?.enabled ?? false,
    transport: definition?.transport.kind ?? registered?.transport,
    source: definition?.source.file,
    tools: registered?.toolCount,
    syncedAt: registered?.syncedAt,
    problem: problemOf(name, { definition, broken: broken?.message, registered }),
    entries: entries.filter((entry) => entry.server === name),
  };
}

function problemOf(
  name: string,
  known: {
    readonly definition: { readonly enabled: boolean; readonly refused: string | undefined } | undefined;
    readonly broken: string | undefined;
    readonly registered: IndexedServer | undefined;
  },
): string | undefined {
  const { definition, broken, registered } = known;
  if (broken !== undefined) return broken;
  if (definition === undefined) return 'It stands in the registry but in no configuration, so it is not connected.';
  if (definition.refused !== undefined) return definition.refused;
  if (definition.enabled && registered === undefined) return `It was never synced: trestle sync ${name}`;
  return undefined;
}
