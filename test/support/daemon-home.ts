import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { createDaemonClient, type DaemonOptions, runDaemon } from '../../src/daemon/index.ts';
import { type RemoteMethod, remoteMethods } from '../../src/daemon/protocol.ts';
import { createRuntime, type HostPorts, placesOf, type Runtime } from '../../src/runtime/index.ts';
import { eventually } from './eventually.ts';
import { configureServers } from './home.ts';
import { cliPath, stopDaemon } from './cli.ts';
import { tempFolder } from './temp-folder.ts';

export interface RunningDaemon {
  /** Resolves when it has ended: false when another one was at work. */
  readonly ended: Promise<boolean>;
  /** Tells it to end. */
  stop(): void;
}

export interface ClientOfDaemon {
  readonly runtime: Runtime;
  /** Lines told to the person. */
  readonly notes: readonly string[];
  /** How many requests for a server were done here: what the daemon does not do. */
  readonly locals: () => number;
}

export interface ClientChoice {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Default true. */
  readonly projectTrusted?: boolean;
  readonly version?: string;
  /** What starts a daemon; default the built command. */
  readonly program?: string;
  /** Answers questions. */
  readonly ask?: HostPorts['ask'];
  /** Signs in. */
  readonly person?: HostPorts['person'];
}

/** A home for one test, whose daemon runs in the test's own process where one is asked for. */
export interface DaemonHome {
  readonly folder: string;
  readonly runFolder: string;
  configure(servers: Readonly<Record<string, unknown>>): void;
  /** Starts a daemon here; resolves when it can be reached. */
  start(options?: Partial<DaemonOptions>): Promise<RunningDaemon>;
  client(choice?: ClientChoice): ClientOfDaemon;
}

/** `runtime`, telling `count` of each request for a server. */
function counted(runtime: Runtime, count: () => void): Runtime {
  const requests = Object.entries(remoteMethods).flatMap(([name, { starts }]) =>
    starts ? [name as RemoteMethod] : [],
  );
  const told = requests.map((name) => {
    const method = runtime[name] as (...params: readonly unknown[]) => unknown;
    return [name, (...params: readonly unknown[]) => (count(), method(...params))];
  });
  return { ...runtime, ...(Object.fromEntries(told) as Partial<Runtime>) };
}

export function daemonHome(servers: Readonly<Record<string, unknown>> = {}): DaemonHome {
  const folder = tempFolder();
  const work = join(folder, 'work');
  mkdirSync(work);
  const places = placesOf(folder);
  const { runFolder } = places;
  onTestFinished(() => {
    const file = join(runFolder, 'daemon.json');
    if (!existsSync(file)) return;
    const { process: of } = JSON.parse(readFileSync(file, 'utf8')) as { readonly process: { readonly pid: number } };
    // One that a client has started; those of the test itself end by its own hooks.
    if (of.pid !== process.pid) stopDaemon(folder);
  });
  const home: DaemonHome = {
    folder,
    runFolder,
    configure: (named) => configureServers(folder, named),
    async start(options = {}) {
      const abort = new AbortController();
      const before = existsSync(join(runFolder, 'daemon.json'))
        ? readFileSync(join(runFolder, 'daemon.json'), 'utf8')
        : '';
      const ended = runDaemon({
        runFolder,
        temporaryFolder: tmpdir(),
        platform: process.platform,
        program: cliPath,
        signal: abort.signal,
        ...options,
      });
      onTestFinished(async () => {
        abort.abort();
        await ended;
      });
      const file = join(options.runFolder ?? runFolder, 'daemon.json');
      await Promise.race([ended, eventually(() => existsSync(file) && readFileSync(file, 'utf8') !== before)]);
      return { ended, stop: () => abort.abort() };
    },
    client({ env = {}, cwd = work, projectTrusted = true, version, program = cliPath, ask, person } = {}) {
      const notes: string[] = [];
      let locals = 0;
      const caller = { env: { PATH: process.env['PATH'], ...env }, cwd, projectTrusted };
      const scope = `project:${cwd}` as const;
      const ports = { ...(ask === undefined ? {} : { ask }), ...(person === undefined ? {} : { person }) };
      const runtime = createDaemonClient({
        openLocal: () =>
          counted(
            createRuntime({ places, userHome: folder, platform: process.platform, scope, ...caller, ports }),
            () => {
              locals += 1;
            },
          ),
        caller,
        scope,
        home: { places, userHome: folder },
        command: [process.execPath, program],
        platform: process.platform,
        clock: systemClock,
        onNote: (text) => notes.push(text),
        ...ports,
        ...(version === undefined ? {} : { version }),
      });
      onTestFinished(() => runtime.close());
      return { runtime, notes, locals: () => locals };
    },
  };
  home.configure(servers);
  return home;
}
