import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Pids of live processes whose environment holds `NAME=value`; Linux only. */
export function processesWithEnvironment(entry: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`.includes(`\0${entry}\0`);
      } catch {
        return false;
      }
    })
    .map(Number)
    .filter(isAlive);
}
