/** Which process wrote something, in words that another process can check: a pid alone is used again and again. */
import { readLinkSync } from './files/look.ts';
import { readTextSync } from './files/read.ts';

/** A process as one line of text knows it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Where the pid means something: the host, and on Linux its pid namespace, since containers may share name and folder. */
  readonly machine: string;
  /** When it started, in the kernel's ticks; '' where the system does not tell. */
  readonly started: string;
}

let own: ProcessIdentity | undefined;

/** Where this process runs, as {@link ProcessIdentity} has it. */
export function ownMachine(): string {
  return own?.machine ?? `${process.getBuiltinModule('node:os').hostname()} ${readLinkSync('/proc/self/ns/pid') ?? ''}`;
}

export function ownIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    machine: ownMachine(),
    started: kernelRecord(process.pid)?.started ?? '',
  };
  return own;
}

/** One line for each member. */
export function identityText({ pid, machine, started }: ProcessIdentity): string {
  return `${pid}\n${machine}\n${started}\n`;
}

/** Undefined when the text is not whole (yet). */
export function readIdentity(text: string): ProcessIdentity | undefined {
  const [pid = '', machine, started, end] = text.split('\n');
  if (end === undefined || machine === undefined || started === undefined || !/^\d+$/.test(pid)) return undefined;
  return { pid: Number(pid), machine, started };
}

/**
 * Whether the process is surely dead, surely alive, or on another machine or behind a system that does not tell. A zombie
 * is dead, and so is a process whose pid another one has now.
 */
export function lifeOf(identity: ProcessIdentity): 'dead' | 'alive' | 'unknown' {
  const here = ownIdentity();
  if (identity.machine !== here.machine) return 'unknown';
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return 'dead';
  }
  const record = kernelRecord(identity.pid);
  if (record === undefined || identity.started === '') return 'unknown';
  return record.zombie || record.started !== identity.started ? 'dead' : 'alive';
}

/** Linux: /proc/<pid>/stat, whose second field is a name that may hold anything but ends with the last parenthesis. */
function kernelRecord(pid: number): { readonly zombie: boolean; readonly started: string } | undefined {
  if (process.platform !== 'linux') return undefined;
  const text = readTextSync(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields?.[0], fields?.[19]];
  return state === undefined || started === undefined ? undefined : { zombie: state === 'Z' || state === 'X', started };
}
