/** What all parts of a runtime share, put together from its options. */
import { canonicalPathSync, createLog, limits, type Log, silentLog, systemClock } from '../base/index.ts';
import { type ConfigView, identityHash } from '../config/index.ts';
import { createRedactor, type GuardSettings, type Redactor } from '../policy/index.ts';
import { openRegistry } from '../registry/index.ts';
import type { SessionPorts } from '../session/index.ts';
import type { Asker } from './asker.ts';
import type { Caller } from './caller.ts';
import { connectionEvent } from './connections/connection-event.ts';
import type { ConnectionsOptions } from './connections/connections-options.ts';
import { Connections } from './connections/connections.ts';
import { retireChanged, retireUnwanted } from './connections/retire.ts';
import { createApprovals } from './consent/approvals.ts';
import { Questions } from './consent/questions.ts';
import { verdictOf } from './consent/trust.ts';
import { type Core, shownText } from './core.ts';
import type { RuntimeEvent } from './events.ts';
import { createDescriptors } from './requests/descriptors.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { createFilesInForce } from './servers/files-in-force.ts';
import { isConfigured } from './servers/is-configured.ts';
import { visibleRegistry } from './servers/visible-registry.ts';
import { SpillSweeps } from './spill-sweeps.ts';
import { ListRefreshes } from './sync/list-refreshes.ts';

export interface OpenedCore {
  readonly core: Core;
  /** The configuration read from disk now. */
  readonly readConfig: (asker?: Asker) => ConfigView;
  /** The user's own configuration as it was last read; undefined before the first time. */
  readonly lastConfig: () => ConfigView | undefined;
}

/** Makes it; `tell` gets its events. Starts nothing and connects nothing. */
export function openCore(options: RuntimeOptions, tell: (event: RuntimeEvent) => void): OpenedCore {
  const { places, env, platform, userHome, projectTrusted = true } = options;
  const clock = options.clock ?? systemClock;
  const redactor = createRedactor();
  const log = redactedLog(options.log ?? silentLog, redactor);
  const cwd = canonicalPathSync(options.cwd);
  const caller: Caller = { env, cwd, projectTrusted };
  const longLived = options.longLived === true;
  const refreshes = new ListRefreshes({
    clock,
    refresh: async (source, lists, signal) =>
      (await import('./requests.ts')).refreshLists(core, source, { lists, signal }),
  });
  const connections = new Connections({
    clock,
    log,
    redactor,
    host: { platform, userHome, settings: () => files.settings(limits.callLookMs) },
    stateFolder: places.stateFolder,
    secretStore: () => {
      const prefer = files.settings(limits.callLookMs).secretStore;
      return { stateFolder: places.stateFolder, env, platform, prefer };
    },
    isConfigured: (definition, of) => isConfigured(core, definition, { caller: of }),
    ports: (of) => sessionPorts(options, of),
    onChange: (change) => tell(connectionEvent(change, (text) => shownText({ redactor }, text))),
    ...(longLived ? refreshing(refreshes) : {}),
    longLived,
  });
  const scope = options.scope ?? 'library';
  const approvals = createApprovals({ stateFolder: places.stateFolder, clock });
  const identityOf: Core['identityOf'] = (definition, { env: variables, cwd: folder }) =>
    identityHash(definition, { env: variables, platform, userHome, cwd: folder });
  const files = createFilesInForce(places, {
    clock,
    userHome,
    asker: { caller, scope },
    trust: {
      stamp: () => approvals.stamp(),
      verdict: (definition, of, within) =>
        verdictOf({ approvals, identityOf }, definition, { caller: of, scope: within }),
    },
    onConfig: (now, before) => retireUnwanted(connections, { now, before }),
    onProject: (now, before) => retireChanged(connections, now, before),
  });
  const registry = openRegistry(places.registryRoot);
  const core: Core = {
    clock,
    log,
    redactor,
    registry,
    visible: visibleRegistry(registry, files.rulesOf),
    descriptors: createDescriptors(registry, clock),
    places,
    scope,
    caller,
    connections,
    approvals,
    questions: new Questions(clock),
    identityOf,
    firstSyncs: new Map(),
    spillSweeps: new SpillSweeps(clock),
    refreshes,
    config: files.config,
    settings: files.settings,
    guard: (of): GuardSettings => {
      const guardOff = of.env['MCP_OUTPUT_GUARD'] === '0';
      const { enabled, maxBytes, maxLines } = files.settings().outputGuard;
      return { enabled: enabled && !guardOff, maxBytes, maxLines };
    },
    tell,
  };
  return { core, readConfig: files.readConfig, lastConfig: files.lastConfig };
}

/** What a host that lives for one command has no use for: it is over before anything has changed. */
function refreshing(refreshes: ListRefreshes): Pick<ConnectionsOptions, 'onSession' | 'onReconnected'> {
  return {
    onSession: (source) => refreshes.watch(source),
    onReconnected: ({ definition }) => refreshes.suspect(definition.registryName),
  };
}

function sessionPorts({ ports = {} }: RuntimeOptions, { cwd }: Caller): SessionPorts {
  return {
    roots: ports.roots ?? (() => [cwd]),
    ...(ports.sample === undefined ? {} : { sample: ports.sample }),
    ...(ports.elicit === undefined ? {} : { elicit: ports.elicit }),
  };
}

function redactedLog(log: Log, redactor: Redactor): Log {
  return createLog({
    level: 'debug',
    redact: (text) => redactor.redactOwn(text),
    write: ({ level, text, server }) => log[level](text, server),
  });
}
