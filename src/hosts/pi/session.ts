/** The runtime of one session of Pi: over Pi's own files, in this process, or by the daemon where its person wants to share servers. */
import {
  asTrestleError,
  canonicalPathSync,
  type Clock,
  projectScope,
  type Scope,
  sessionScope,
} from '../../base/index.ts';
import { chooseHome } from '../../cli/index.ts';
import { loadSettings, type Settings } from '../../config/index.ts';
import { createRuntime, type HostPorts, type Runtime } from '../../runtime/index.ts';
import type { PiContext } from './pi.ts';
import { surroundingsOf } from './surroundings.ts';

export interface SessionOptions {
  readonly program: string;
  readonly clock: Clock;
  /** Of the person; none where nobody can be asked. */
  readonly ports: HostPorts;
  /** What the person has to know. */
  readonly onTrouble: (text: string) => void;
}

export interface Session {
  readonly runtime: Runtime;
  readonly scope: Scope;
  /** Undefined where they cannot be read: no request is let through then, and the person was told. */
  readonly settings: Settings | undefined;
  /** Whether the registry is for this session to bring up to date: what is shared is, for all who share it, by the daemon. */
  readonly reconciles: boolean;
}

/** Opens it. Starts no server. */
export async function openSession(context: PiContext, options: SessionOptions): Promise<Session> {
  const { program, clock, ports, onTrouble } = options;
  const surroundings = surroundingsOf(context, program);
  const { env, userHome, platform, command } = surroundings;
  const places = chooseHome('pi', surroundings);
  const settings = readSettings(places.settingsFile, onTrouble);
  const cwd = canonicalPathSync(context.cwd);
  const projectTrusted = context.isProjectTrusted?.() ?? true;
  const isShared = settings?.shareServers === true && canStartDaemon();
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
  if (!isShared) return { runtime: openLocal(), scope, settings, reconciles: true };
  const { createDaemonClient } = await import('../../daemon/index.ts');
  const runtime = createDaemonClient({
    openLocal,
    caller: { env, cwd, projectTrusted },
    scope,
    home: { places, userHome },
    command,
    platform,
    clock,
    onNote: () => {},
    ask: ports.ask,
    person: ports.person,
  });
  return { runtime, scope, settings, reconciles: false };
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
