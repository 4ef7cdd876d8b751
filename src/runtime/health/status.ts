/** What is known of every server: configuration, registry, pool. Starts nothing. */
import { type ConfigView, type Definition, definedIn } from '../../config/index.ts';
import type { EntryStatus } from '../../pool/index.ts';
import type { IndexedServer } from '../../registry/index.ts';
import type { Asker } from '../asker.ts';
import { type Core, shownText, withoutSecrets } from '../core.ts';
import { type CallableFacts, callableFacts } from '../servers/callable-servers.ts';
import { strayNote, waitingNote } from '../servers/not-started-notes.ts';
import { registeredServers } from '../servers/registered.ts';
import { dueReason } from '../sync/due.ts';
import type { RuntimeStatus, ServerStatus } from './status-report.ts';

/** Throws `config_unreadable`. */
export async function statusOf(core: Core, asker: Asker = {}): Promise<RuntimeStatus> {
  const config = core.config(asker);
  const { value: stored, findings } = core.visible.servers();
  const registered = registeredServers(stored, config);
  const callable = callableFacts(core, asker, stored);
  const entries = core.connections.status().map((entry) => ({
    ...entry,
    info: entry.info === undefined ? undefined : withoutSecrets(core, entry.info),
    reason: entry.reason === undefined ? undefined : shownText(core, entry.reason),
  }));
  const names = new Set([
    ...config.servers.keys(),
    ...config.waiting.keys(),
    ...config.broken.keys(),
    ...registered.keys(),
  ]);
  const servers = await Promise.all(
    [...names].sort().map(async (name) => {
      const known = { config, registered: registered.get(name), callable, entries };
      const changed = await changedTools(core, config.servers.get(name));
      return serverStatus(name, { ...known, changed, problem: await problemOf(core, name, known) });
    }),
  );
  return {
    servers,
    tools: servers.reduce((sum, server) => sum + (server.tools ?? 0), 0),
    denied: servers.reduce((sum, server) => sum + server.denied, 0),
    notices: [
      ...config.notices,
      ...approvalNotices(core),
      ...core.settings().notices,
      ...core.settings().unused,
      ...findings.map(({ file, field, problem }) => `${file}${field === '' ? '' : ` ${field}`}: ${problem}`),
    ],
  };
}

function approvalNotices(core: Core): readonly string[] {
  const problem = core.approvals.problem();
  return problem === undefined ? [] : [`${problem}.`];
}

/** Loaded only where something is approved. */
async function changedTools(core: Core, definition: Definition | undefined): Promise<readonly string[]> {
  const isApproved = core.approvals.list().some(({ server }) => server === definition?.name);
  if (definition === undefined || !isApproved) return [];
  return (await import('../consent/changed-tools.ts')).changedSinceApproval(core, definition);
}

interface Known {
  readonly config: ConfigView;
  readonly registered: IndexedServer | undefined;
  readonly callable: CallableFacts;
  readonly entries: readonly EntryStatus[];
}

interface Found {
  readonly problem: string | undefined;
  readonly changed: readonly string[];
}

function serverStatus(name: string, { config, registered, entries, changed, problem }: Known & Found): ServerStatus {
  const definition = config.servers.get(name) ?? config.waiting.get(name)?.definition;
  return {
    name,
    known: knownFrom(name, config),
    enabled: definition?.enabled ?? false,
    transport: definition?.transport.kind ?? registered?.transport,
    source: definition === undefined ? undefined : definedIn(definition.source),
    tools: registered?.toolCount,
    denied: registered?.hiddenTools ?? 0,
    // One that was written by hand may have no time.
    syncedAt: registered?.syncedAt === '' ? undefined : registered?.syncedAt,
    problem,
    changedSinceApproval: changed,
    entries: entries.filter((entry) => entry.server === name),
  };
}

function knownFrom(name: string, { servers, waiting, broken }: ConfigView): ServerStatus['known'] {
  if (servers.has(name)) return 'configured';
  if (waiting.has(name)) return 'waiting';
  return broken.has(name) ? 'broken' : 'registry-only';
}

async function problemOf(
  core: Core,
  name: string,
  { config, registered, callable }: Known,
): Promise<string | undefined> {
  const broken = config.broken.get(name);
  if (broken !== undefined) return broken.message;
  const definition = config.servers.get(name);
  const waiting = config.waiting.get(name);
  if (definition === undefined && waiting !== undefined) return waitingNote(name, waiting.why);
  if (definition === undefined) return callable.approved.has(name) ? undefined : strayNote(name);
  if (!definition.enabled) return undefined;
  if (registered === undefined) return `It was never synced: trestle sync ${name}`;
  const due = dueReason(definition, core.registry.meta(definition.registryName).value);
  return due?.why === 'changed'
    ? `Its entry has changed since it was last synced (${due.differs.join(', ')}): trestle sync ${name}`
    : undefined;
}
