/** Builds the keeper: starts servers with their marks, and owns their trees and the watcher until it is closed. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Clock, limits, type Log, TrestleError } from '../../base/index.ts';
import type { StdioEndpoint } from '../endpoint.ts';
import { prepareCommand, prepareProgram, spawnError } from './command.ts';
import { type Launch, type LauncherMemory, resolveLaunch } from './launcher.ts';
import type { KeptProcess, ProcessKeeper } from './process-keeper.ts';
import { newOwnerMark, treeMarks } from './process-marks.ts';
import { endTree } from './process-tree.ts';
import { startWatcher, type Watcher } from './watcher.ts';
import { endWindowsTree } from './windows-tree.ts';

export interface ProcessKeeperOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Default: nothing is remembered, so that a package that may be out of date goes through its launcher every time. */
  readonly launchers?: LauncherMemory;
}

export function createProcessKeeper(options: ProcessKeeperOptions): ProcessKeeper {
  const { clock, log, launchers = { ranAtMs: () => undefined, ran() {} } } = options;
  const owner = newOwnerMark();
  const trees = new Map<number, () => Promise<void>>();
  let watcher: Promise<Watcher | undefined> | undefined;
  let started = 0;
  let losses = 0;
  let closing: Promise<void> | undefined;

  const watch = (path: string | undefined): Promise<Watcher | undefined> => {
    if (process.platform === 'win32') return Promise.resolve(undefined);
    watcher ??= startWatcher({ owner, path, clock, log, onLost: () => replaceWatcher(path) }).then((fresh) => {
      if (fresh === undefined) watcher = undefined;
      for (const group of trees.keys()) fresh?.add(group);
      return fresh;
    });
    return watcher;
  };

  const replaceWatcher = (path: string | undefined): void => {
    watcher = undefined;
    losses += 1;
    if (closing !== undefined || losses > limits.watcherLosses) return;
    log.warn('The watcher process was killed and is started anew.');
    void watch(path);
  };

  /** From here on the tree is ended by `close` and, should this process die, by the watcher. */
  const keep = (child: ChildProcessWithoutNullStreams, mark: string, server: string): Omit<KeptProcess, 'answered'> => {
    const pid = child.pid ?? 0;
    const tree = { child, pid, mark, server, clock, log };
    const end = once(async () => {
      letGo(child);
      await (process.platform === 'win32' ? endWindowsTree(tree) : endTree(tree));
      // What the pipes still hold is nobody's any more, and open pipes would keep this process alive.
      for (const stream of child.stdio) stream?.destroy();
      trees.delete(pid);
      (await watcher)?.remove(pid);
    });
    trees.set(pid, end);
    return { child, pid, end };
  };

  const start = async (endpoint: StdioEndpoint, server: string): Promise<KeptProcess> => {
    refuseWhenClosed(closing, server);
    const mark = `${owner}.${(started += 1)}`;
    // Before the server, so that there is no moment in which nobody would end it.
    const watching = await watch(endpoint.env['PATH']);
    refuseWhenClosed(closing, server);
    const marked = { ...endpoint, env: { ...endpoint.env, ...treeMarks(owner, mark, server) } };
    const facts = { nowMs: clock.now(), platform: process.platform, memory: launchers };
    const launch = resolveLaunch(marked, facts);
    const { child, spawned } = spawnServer(marked, launch, server);
    // Without a wait between spawn and this, so that a `close` meanwhile finds it.
    const kept = child.pid === undefined ? undefined : keep(child, mark, server);
    if (kept !== undefined) watching?.add(kept.pid);
    await spawned;
    refuseWhenClosed(closing, server);
    if (kept === undefined) throw spawnError(new Error('it has no process id'), endpoint, server);
    const answered = (): void => {
      if (launch.runsFor !== undefined) launchers.ran(launch.runsFor, clock.now());
    };
    return { ...kept, answered };
  };

  return {
    start,
    close() {
      closing ??= (async () => {
        await Promise.allSettled([...trees.values()].map((end) => end()));
        await (await watcher)?.close();
      })();
      return closing;
    },
  };
}

/**
 * The end is waited for by timers: whether this process lives on for it is for its clock to say. Where it does not, the watcher goes on.
 */
function letGo(child: ChildProcessWithoutNullStreams): void {
  child.unref();
  for (const stream of child.stdio) (stream as Socket | null)?.unref();
}

function refuseWhenClosed(closing: Promise<void> | undefined, server: string): void {
  if (closing === undefined) return;
  throw new TrestleError({
    code: 'session_closed',
    message: `Server "${server}" was not started: Trestle is closing.`,
    server,
    execution: 'not-sent',
  });
}

interface Spawned {
  readonly child: ChildProcessWithoutNullStreams;
  /** Rejects with a TrestleError when the program could not be started. */
  readonly spawned: Promise<void>;
}

function spawnServer(endpoint: StdioEndpoint, launch: Launch, server: string): Spawned {
  const { file, args, env, verbatim } =
    launch.program === undefined
      ? prepareCommand(endpoint, server, process.platform)
      : prepareProgram(launch.program, endpoint, server);
  const { spawn } = process.getBuiltinModule('node:child_process');
  try {
    const child = spawn(file, [...args], {
      cwd: endpoint.cwd,
      env: { ...env },
      // A group and a session of its own: what is sent to ours (Ctrl-C) does not reach it, what is sent to its reaches all of it.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const spawned = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      // Stays: a later failure (of a signal) is told by its own way and must not end this process.
      child.on('error', (error) => reject(spawnError(error, endpoint, server)));
    });
    return { child, spawned };
  } catch (error) {
    throw spawnError(error, endpoint, server);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
