/** `reload`: the configuration decides who is connected; the registry is brought up to it. */
import { asTrestleError, forEachAtOnce, limits } from '../base/index.ts';
import type { ConfigView, Definition } from '../config/index.ts';
import { type Core, shownFailure, shownText } from './core.ts';
import { dueReason } from './due.ts';
import { findServer } from './find-server.ts';
import type { ReloadedServer, ReloadReport, ReloadRequest } from './reload-report.ts';
import { syncServer } from './sync.ts';

/** What the configuration was, and what it is now. */
export interface Reloading {
  readonly before: ConfigView | undefined;
  readonly now: ConfigView;
  /** Whether what is due is synced, or only told. */
  readonly apply: boolean;
}

/** Brings the registry to the configuration. Rejects with `cancelled` only. */
export async function reloadServers(core: Core, request: ReloadRequest, reloading: Reloading): Promise<ReloadReport> {
  const { before, now, apply } = reloading;
  await learnSecrets(core, request, now);
  const registered = new Set(core.registry.servers().value.map(({ name }) => name));
  const gone = [...(before?.servers.keys() ?? [])].filter((name) => !now.servers.has(name) && !now.broken.has(name));
  const names = new Set([...now.servers.keys(), ...now.broken.keys(), ...registered, ...gone]);
  const servers = await forEachAtOnce([...names].sort(), limits.syncsAtOnce, async (name): Promise<ReloadedServer> => {
    if (!now.servers.has(name) && !now.broken.has(name)) {
      const inRegistry = registered.has(name);
      return gone.includes(name) ? { name, kind: 'removed', inRegistry } : { name, kind: 'registry-only' };
    }
    if (now.servers.get(name)?.enabled === false) return { name, kind: 'disabled' };
    try {
      return await reloadServer(core, request, { definition: findServer(core, name), apply });
    } catch (error) {
      if (request.signal?.aborted === true) throw error;
      return { name, kind: 'failed', failure: shownFailure(core, asTrestleError(error)).failure };
    }
  });
  return {
    applied: apply,
    servers,
    notices: [...now.notices, ...core.settings().notices].map((line) => shownText(core, line)),
  };
}

async function reloadServer(
  core: Core,
  request: ReloadRequest,
  { definition, apply }: { readonly definition: Definition; readonly apply: boolean },
): Promise<ReloadedServer> {
  const { name } = definition;
  const due = dueReason(definition, core.registry.meta(name).value, (text) => core.redactor.redact(text));
  if (due === undefined) return { name, kind: 'unchanged' };
  if (!apply) return { name, kind: 'due', due };
  const { onStep, limitMs = limits.reloadServerMs } = request;
  const { changes, problems, toolsFailure } = await syncServer(core, {
    server: name,
    scope: request.scope,
    caller: request.caller,
    maxTotalMs: limitMs,
    signal: request.signal,
    ...(onStep === undefined ? {} : { onStep: (line: string) => onStep(name, line) }),
  });
  return { name, kind: 'synced', due, changes, problems, ...(toolsFailure === undefined ? {} : { toolsFailure }) };
}

/** A record was written with the definition's secrets replaced, so they must be known where it is compared. */
async function learnSecrets(core: Core, request: ReloadRequest, config: ConfigView): Promise<void> {
  const usable = [...config.servers.values()].filter(({ enabled, refused }) => enabled && refused === undefined);
  // What a definition lacks is told by its sync.
  await Promise.all(
    usable.map((definition) => core.connections.learn(definition, request.caller ?? core.caller).catch(() => {})),
  );
}
