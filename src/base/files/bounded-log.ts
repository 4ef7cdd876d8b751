/** A text file that grows by lines and is never larger than a bound. */

const fs = process.getBuiltinModule('node:fs');

/** Where the lines go that a log had to give up; they are kept until there are as many again. */
export const olderLog = (path: string): string => `${path}.old`;

/**
 * Appends a line to the log at `path` (mode 0600, no link followed); at `mostBytes` the log is set aside first. A log that
 * cannot be written must not stop what it tells of, so nothing is thrown.
 */
export function appendLineSync(path: string, line: string, mostBytes: number): void {
  try {
    const size = fs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size >= mostBytes) fs.renameSync(path, olderLog(path));
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;
    // Windows has no O_NOFOLLOW; an undefined bit is none.
    const file = fs.openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      fs.writeSync(file, `${line}\n`);
    } finally {
      fs.closeSync(file);
    }
  } catch {
    // The folder is gone, the disk is full.
  }
}
