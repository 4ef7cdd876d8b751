/** The processes of this machine, as far as this user may look: from /proc on Linux, from `ps` on other Unix systems. */
import { listFolderSync, readTextSync } from '../base/index.ts';

export interface ProcessRecord {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it started, in units of the system's own: with the pid it tells a process from a later one of the same number. */
  readonly started: string;
  /** Whether its environment has exactly `entry` (`NAME=value`); false where it may not be read. */
  hasEntry(entry: string): boolean;
}

/** Every live process; those that have ended and only wait to be collected by their parent are left out. */
export async function listProcesses(): Promise<readonly ProcessRecord[]> {
  const names = listFolderSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.length > 0 ? names.flatMap(readProc) : await listByPs();
}

function readProc(name: string): readonly ProcessRecord[] {
  const stat = readQuietly(`/proc/${name}/stat`);
  // The name of the program stands in parentheses and may hold anything, parentheses too.
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || parent === undefined || group === undefined || /^[ZX]?$/.test(state)) return [];
  let environment: string | undefined;
  return [
    {
      pid: Number(name),
      parent: Number(parent),
      group: Number(group),
      // proc(5): field 22, counted from 1 with the name as the second.
      started: rest[16] ?? '',
      hasEntry(entry) {
        environment ??= `\0${readQuietly(`/proc/${name}/environ`)}`;
        return environment.includes(`\0${entry}\0`);
      },
    },
  ];
}

/** '' for what is gone or belongs to somebody else. */
function readQuietly(path: string): string {
  try {
    return readTextSync(path) ?? '';
  } catch {
    return '';
  }
}

async function listByPs(): Promise<readonly ProcessRecord[]> {
  const [records, environments] = await Promise.all([
    runPs(['-axo', 'pid=,ppid=,pgid=,stat=,lstart=']),
    runPs(['axeww', '-o', 'pid=,command=']),
  ]);
  const commands = new Map(
    environments.split('\n').map((line) => {
      const [, pid = '', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
      return [Number(pid), ` ${command} `] as const;
    }),
  );
  return records.split('\n').flatMap((line) => {
    const [, pid, parent, group, state = '', started = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        started: started.trim(),
        hasEntry: (entry: string) => commands.get(Number(pid))?.includes(` ${entry} `) === true,
      },
    ];
  });
}

/** '' when there is no such program: the process group is then all that is known of a tree. */
function runPs(args: readonly string[]): Promise<string> {
  const { execFile } = process.getBuiltinModule('node:child_process');
  const options = { maxBuffer: 64 * 1024 * 1024, timeout: 5_000, env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' } };
  return new Promise((done) => {
    execFile('ps', [...args], options, (_error, stdout) => done(stdout));
  });
}
