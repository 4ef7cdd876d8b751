/** The processes of this machine, as far as this user may look: from /proc on Linux, from `ps` on other Unix systems. */
import { listFolderSync, readLinkSync, readTextSync } from '../../base/index.ts';

export interface ProcessRecord {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it started, in units of the system's own: with the pid it tells a process from a later one of the same number. */
  readonly started: number;
  /** How long ago that was. */
  readonly ageMs: number;
  /** The program's name as the system knows it, perhaps cut. */
  readonly name: string;
  /** The user it runs as; undefined where that may not be read. */
  userId(): number | undefined;
  /** A variable of its environment, without blanks; undefined when it has none, and where environments may not be read. */
  variable(name: string): string | undefined;
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
  // proc(5): field 22, counted from 1 with the name as the second.
  const started = Number(rest[16] ?? 0);
  let environment: string | undefined;
  return [
    {
      pid: Number(name),
      parent: Number(parent),
      group: Number(group),
      started,
      ageMs: Math.max(0, (process.getBuiltinModule('node:os').uptime() - started / procTicksASecond) * 1_000),
      get name() {
        const known = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        return known === nodeThread ? (programOf(name) ?? known) : known;
      },
      userId: () => readNumber(/^Uid:\s*(\d+)/m.exec(readQuietly(`/proc/${name}/status`))?.[1]),
      variable(wanted) {
        environment ??= `\0${readQuietly(`/proc/${name}/environ`)}`;
        return valueAfter(environment, `\0${wanted}=`, '\0');
      },
    },
  ];
}

/** How Node.js names the first thread of a process, which is the process's own name to the system: of no use to a person. */
const nodeThread = 'MainThread';

/** Undefined for what is gone or belongs to somebody else. */
function programOf(name: string): string | undefined {
  const program = readLinkSync(`/proc/${name}/exe`);
  return program?.replace(/ \(deleted\)$/, '').replace(/^.*\//s, '');
}

/** What the kernel shows to programs, whatever it counts in itself (USER_HZ). */
const procTicksASecond = 100;

const readNumber = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);

/** What stands between the last `start` and the next `end`. */
function valueAfter(text: string, start: string, end: string): string | undefined {
  const at = text.lastIndexOf(start);
  if (at === -1) return undefined;
  const from = at + start.length;
  const to = text.indexOf(end, from);
  return text.slice(from, to === -1 ? text.length : to);
}

/** '' for what is gone or belongs to somebody else. */
function readQuietly(path: string): string {
  try {
    return readTextSync(path) ?? '';
  } catch {
    return '';
  }
}

/** Process id, parent, group, user, state, age (as `5-01:02:03`), start (as `Mon Jan  5 10:20:30 2026`), program. */
const psLine = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

/** The same from `ps`, which shows starts in whole seconds, and environments only of this user's processes. */
export async function listByPs(): Promise<readonly ProcessRecord[]> {
  const [records, environments] = await Promise.all([
    runPs(['-axo', 'pid=,ppid=,pgid=,uid=,stat=,etime=,lstart=,comm=']),
    runPs(['axeww', '-o', 'pid=,command=']),
  ]);
  const commands = new Map(
    environments.split('\n').map((line) => {
      const [, pid = '', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
      return [Number(pid), ` ${command} `] as const;
    }),
  );
  return records.split('\n').flatMap((line) => {
    const [, pid, parent, group, user, state = '', age = '', start = '', program = ''] = psLine.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        started: Date.parse(start),
        ageMs: readAge(age),
        name: program.slice(program.lastIndexOf('/') + 1),
        userId: () => Number(user),
        variable: (wanted: string) => valueAfter(commands.get(Number(pid)) ?? '', ` ${wanted}=`, ' '),
      },
    ];
  });
}

/** `[[days-]hours:]minutes:seconds` in milliseconds. */
function readAge(text: string): number {
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = text.split(/[-:]/).toReversed().map(Number);
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}

/** '' when there is no such program: the process group is then all that is known of a tree. */
function runPs(args: readonly string[]): Promise<string> {
  const { execFile } = process.getBuiltinModule('node:child_process');
  const options = { maxBuffer: 64 * 1024 * 1024, timeout: 5_000, env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' } };
  return new Promise((done) => {
    execFile('ps', [...args], options, (_error, stdout) => done(stdout));
  });
}
