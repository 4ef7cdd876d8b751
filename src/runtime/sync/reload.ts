/** `reload`: the configuration decides who is connected; connections and registry are brought up to it (R6). */
import { asTrestleError, forEachAtOnce, limits } from '../../base/index.ts';
import type { ConfigView, Definition } from '../../config/index.ts';
import { type Core, shownFailure, shownText } from '../core.ts';
import { callableFacts } from '../servers/callable-servers.ts';
import { findServer } from '../servers/find-server.ts';
import { registeredServers } from '../servers/registered.ts';
import { dueReason } from './due.ts';
import type { DueReason, ReloadedServer, ReloadReport, ReloadRequest } from './reload-report.ts';
import { syncServer } from './sync.ts';

/** What was configured, and what is now. */
export interface Reloading {
  readonly before: ReadonlySet<string>;
  readonly now: ConfigView;
  /** Whether what is due is synced, or only told. */
  readonly apply: boolean;
}

/** Brings everything to the configuration that was just read. Rejects with `cancelled`, or what the settings lack. */
export async function reloadServers(core: Core, request: ReloadRequest, reloading: Reloading): Promise<ReloadReport> {
  const { before, now, apply } = reloading;
  const settings = core.settings(0);
  const stored = core.registry.servers().value;
  const registered = new Set(registeredServers(stored, now).keys());
  const { approved } = callableFacts(core, request, stored);
  const isConfigured = (name: string): boolean =>
    now.servers.has(name) || now.waiting.has(name) || now.broken.has(name);
  const gone = new Set([...before].filter((name) => !isConfigured(name)));
  const names = new Set([...now.servers.keys(), ...now.waiting.keys(), ...now.broken.keys(), ...registered, ...gone]);
  const servers = await forEachAtOnce([...names].sort(), limits.syncsAtOnce, async (name): Promise<ReloadedServer> => {
    if (gone.has(name)) return { name, kind: 'removed', inRegistry: registered.has(name) };
    const waiting = now.servers.has(name) ? undefined : now.waiting.get(name);
    if (waiting !== undefined) return { name, kind: 'waiting', why: waiting.why };
    if (!isConfigured(name)) return { name, kind: 'registry-only', approved: approved.has(name) };
    if (now.servers.get(name)?.enabled === false) return { name, kind: 'disabled' };
    try {
      return await reloadServer(core, request, { definition: findServer(core, name, request), apply });
    } catch (error) {
      if (request.signal?.aborted === true) throw error;
      return { name, kind: 'failed', failure: shownFailure(core, asTrestleError(error)).failure };
    }
  });
  const notices = [...now.notices, ...settings.notices].map((line) => shownText(core, line));
  return { applied: apply, servers, notices };
}

interface Reloaded {
  readonly definition: Definition;
  readonly apply: boolean;
}

async function reloadServer(core: Core, request: ReloadRequest, reloaded: Reloaded): Promise<ReloadedServer> {
  const { definition, apply } = reloaded;
  const { name } = definition;
  const caller = request.caller ?? core.caller;
  core.connections.reset(definition.registryName);
  const due = dueReason(definition, core.registry.meta(definition.registryName).value);
  if (!apply) return due === undefined ? { name, kind: 'unchanged' } : { name, kind: 'due', due };
  const scope = request.scope ?? core.scope;
  try {
    return due === undefined ? { name, kind: 'unchanged' } : await syncDue(core, { ...request, scope }, { name, due });
  } finally {
    // Also where the sync failed: such a server is tried again and again.
    if (request.signal?.aborted !== true)
      await core.connections.keep({ definition, scope, caller, settings: core.settings() });
  }
}

async function syncDue(
  core: Core,
  { scope, caller, signal, onStep, limitMs = limits.reloadServerMs }: ReloadRequest,
  { name, due }: { readonly name: string; readonly due: DueReason },
): Promise<ReloadedServer> {
  const { changes, problems, toolsFailure } = await syncServer(core, {
    server: name,
    scope,
    caller,
    maxTotalMs: limitMs,
    signal,
    ...(onStep === undefined ? {} : { onStep: (line: string) => onStep(name, line) }),
  });
  return { name, kind: 'synced', due, changes, problems, ...(toolsFailure === undefined ? {} : { toolsFailure }) };
}
