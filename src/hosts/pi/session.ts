/** The runtime of one session of Pi: over Pi's own files, in this process, or by the daemon where its person wants to share servers. */
import {
  asTrestleError,
  canonicalPathSync,
  type Clock,
  projectScope,
  type Scope,
  sessionScope,
} from '../../base/index.ts';
import { chooseHome, isDaemonUnwanted } from '../../cli/index.ts';
import { loadSettings, type Settings } from '../../config/index.ts';
import { createRuntime, type HostPorts, type Runtime } from '../../runtime/index.ts';
import type { PiContext } from './pi.ts';
import { reconcileShared } from './reconcile-shared.ts';
import { surroundingsOf } from './surroundings.ts';

export interface SessionOptions {
  readonly program: string;
  readonly clock: Clock;
  /** Of the person; none where nobody can be asked. */
  readonly ports: HostPorts;
  /** What the person has to know. */
  readonly onTrouble: (text: string) => void;
  /** Gets lines of what happens beside that. */
  readonly onNote: (text: string) => void;
}

export interface Session {
  readonly runtime: Runtime;
  readonly scope: Scope;
  /** Undefined where they cannot be read: no request is let through then, and the person was told. */
  readonly settings: Settings | undefined;
  /** Brings the registry to the configuration; what comes of it is told by events. */
  readonly reconcile: (signal: AbortSignal) => Promise<unknown>;
}

/** Opens it. Starts no server. */
export async function openSession(context: PiContext, options: SessionOptions): Promise<Session> {
  const { program, clock, ports, onTrouble, onNote } = options;
  const surroundings = surroundingsOf(context, program);
  const { env, userHome, platform, command } = surroundings;
  const places = chooseHome('pi', surroundings);
  const settings = readSettings(places.settingsFile, onTrouble);
  const cwd = canonicalPathSync(context.cwd);
  const projectTrusted = context.isProjectTrusted?.() ?? true;
  const isShared = settings?.shareServers === true && !isDaemonUnwanted(env) && canStartDaemon();
  const scope = isShared ? projectScope(cwd) : sessionScope(context.sessionManager.getSessionId());
  const openLocal = (): Runtime =>
    createRuntime({
      places,
      cwd,
      userHome,
      env,
      platform,
      projectTrusted,
      scope,
      clock,
      longLived: true,
      // Not at once: Pi starts first.
      reconcile: false,
      ports,
    });
  if (!isShared) {
    const runtime = openLocal();
    return { runtime, scope, settings, reconcile: () => runtime.reload({ background: true }) };
  }
  const { createDaemonClient, ensureDaemon } = await import('../../daemon/index.ts');
  const caller = { env, cwd, projectTrusted };
  const daemon = { home: { places, userHome }, command, platform, clock, onNote, scope, caller };
  const runtime = createDaemonClient({ ...daemon, openLocal, ask: ports.ask, person: ports.person });
  const reconcile = (signal: AbortSignal): Promise<void> =>
    reconcileShared({ runtime, ensureDaemon: () => ensureDaemon({ ...daemon, env, local: runtime }, signal) }, signal);
  return { runtime, scope, settings, reconcile };
}

/** Pi as a single program of its own is no Node.js that could run ours. */
function canStartDaemon(): boolean {
  return process.versions['bun'] === undefined && !process.getBuiltinModule('node:sea').isSea();
}

function readSettings(file: string, onTrouble: (text: string) => void): Settings | undefined {
  try {
    return loadSettings(file);
  } catch (thrown) {
    onTrouble(`${asTrestleError(thrown).message} Until then no server is used.`);
    return undefined;
  }
}
