/**
 * The watcher: one small `sh` process a keeper, which ends the servers when their host died and could not.
 *
 * It reads `=OWNER`, `+GROUP`, `-GROUP` and `.` (all is well, exit) on a pipe that ends with the host, whatever killed it.
 * Then it sends SIGTERM to every group, SIGKILL after a grace, and SIGKILL to every process whose environment holds the
 * owner's mark: those that left their group, and one that was started but not yet told of. It is a text so that it
 * survives bundling, and plain POSIX sh so that it costs next to nothing.
 *
 * Windows has no such watcher: there the end of a dead host's pipes is what tells servers to leave, and what ignores it stays.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { type Clock, limits, type Log } from '../../base/index.ts';
import { ownerVariable, watcherVariable } from './process-marks.ts';

/*
 * `kill -s KILL -- -GROUP` is the one spelling that both dash and bash take. The mark comes by the pipe, never as an argument,
 * so that no search for it finds the searcher. Groups are kept with blanks around them and only as digits, not 0 and not 1.
 */
const script = `
trap '' INT TERM HUP
owner= groups=' '
while read -r line; do
  case $line in
    =*) owner=\${line#=} ;;
    +*[!0-9]* | +0* | +1 | +) ;;
    +*) groups="$groups\${line#+} " ;;
    -*) gone=\${line#-} kept=' '
      for group in $groups; do [ "$group" = "$gone" ] || kept="$kept$group "; done
      groups=$kept ;;
    .) exit 0 ;;
  esac
done
send() { for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done; }
some() { for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && return 0; done; return 1; }
marked() {
  [ -n "$owner" ] || return 0
  if [ -r /proc/self/environ ]; then
    grep -l -F "${ownerVariable}=$owner" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
  else
    ps axeww -o pid= -o command= 2>/dev/null | while read -r pid rest; do
      case " $rest " in *" ${ownerVariable}=$owner "*) echo "$pid" ;; esac
    done
  fi
}
send TERM
left=$1
while [ "$left" -gt 0 ] && some; do sleep 0.1 2>/dev/null || { sleep 1; left=$((left - 9)); }; left=$((left - 1)); done
send KILL
tries=20
while [ "$tries" -gt 0 ]; do
  found=
  for pid in $(marked); do
    kill -s KILL -- "$pid" 2>/dev/null && found=yes
  done
  [ -n "$found" ] || break
  tries=$((tries - 1))
  sleep 0.1 2>/dev/null || sleep 1
done
`;

export interface Watcher {
  /** A group to end when the host dies. */
  add(group: number): void;
  /** The group is empty; its number may soon be somebody else's. */
  remove(group: number): void;
  /** Lets it go without ending anything. Resolves when it is gone. */
  close(): Promise<void>;
}

export interface WatcherOptions {
  /** The owner's mark, looked for in environments. */
  readonly owner: string;
  /** Called when it ended without being told to: somebody killed it. */
  readonly onLost: () => void;
  /** PATH to find `sleep`, `grep` and `ps` in where they are not in the usual places. */
  readonly path: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Resolves when it runs and is told its owner, so that whatever is started next is watched; with undefined when it could not
 * be started.
 */
export async function startWatcher(options: WatcherOptions): Promise<Watcher | undefined> {
  const child = await spawnShell(options.path);
  if (child === undefined) {
    options.log.warn('No watcher process could be started: servers may stay behind if this process is killed.');
    return undefined;
  }
  const { stdin } = child;
  let isClosing = false;
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      isGone = true;
      resolve();
      if (!isClosing) options.onLost();
    });
  });
  const tell = (line: string): void => {
    if (!isGone) stdin.write(`${line}\n`);
  };
  stdin.on('error', () => {});
  tell(`=${options.owner}`);
  // Neither the process nor the pipe to it may keep the host alive.
  child.unref();
  (stdin as Socket).unref();
  return {
    add: (group) => tell(`+${group}`),
    remove: (group) => tell(`-${group}`),
    async close() {
      isClosing = true;
      child.ref();
      tell('.');
      stdin.end();
      const timer = options.clock.after(limits.watcherCloseMs, () => child.kill('SIGKILL'));
      await gone;
      timer.cancel();
    },
  };
}

type Shell = ChildProcessByStdio<Writable, null, null>;

async function spawnShell(path: string | undefined): Promise<Shell | undefined> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  try {
    const graceTenths = String(Math.ceil(limits.watcherGraceMs / 100));
    const child = spawn('/bin/sh', ['-c', script, 'trestle-watcher', graceTenths], {
      // Out of the host's session: a signal from its terminal ends the host, never the watcher.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: `/usr/bin:/bin:${path ?? ''}`, LC_ALL: 'C', [watcherVariable]: '1' },
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.on('error', reject);
    });
    return child;
  } catch {
    return undefined;
  }
}
