/** Contents of files. */
import { fileError, isMissing, orUndefined } from './file-error.ts';

const fs = process.getBuiltinModule('node:fs');

/** Contents as UTF-8 text, or undefined when there is no such file. A pipe or device there is refused: its reader may wait for ever. */
export function readTextSync(path: string): string | undefined {
  return orUndefined(path, 'read', () => (refuseEndless(path), fs.readFileSync(path, 'utf8')));
}

/** As {@link readTextSync}, as bytes; for large files of which little is looked at. */
export function readBytesSync(path: string): Buffer | undefined {
  return orUndefined(path, 'read', () => (refuseEndless(path), fs.readFileSync(path)));
}

/**
 * Contents as UTF-8 text of a file that somebody unknown named, or undefined when there is none: at most `limitBytes`, no pipe, device
 * or folder. What is opened is what was looked at, and opening waits for nobody.
 */
export function readNamedTextSync(path: string, limitBytes: number): string | undefined {
  return orUndefined(path, 'read', () => {
    refuseEndless(path);
    const { O_RDONLY, O_NONBLOCK } = fs.constants;
    // Should a pipe stand there by now, opening it must not wait for its writer. Windows has no such flag.
    const descriptor = fs.openSync(path, O_RDONLY | (O_NONBLOCK ?? 0));
    try {
      const stat = fs.fstatSync(descriptor);
      if (!stat.isFile()) throw notAFile(stat.isDirectory() ? 'EISDIR' : 'ENOTFILE');
      // Files of /proc say that they are empty: what counts is what is read.
      const bytes = Buffer.allocUnsafe(Math.min(stat.size === 0 ? limitBytes : stat.size, limitBytes) + 1);
      const length = stat.size > limitBytes ? bytes.length : readFully(descriptor, bytes);
      if (length > limitBytes) throw notAFile('EFBIG');
      return bytes.toString('utf8', 0, length);
    } finally {
      fs.closeSync(descriptor);
    }
  });
}

/** Reads until `bytes` are full or the file ends. */
function readFully(descriptor: number, bytes: Uint8Array): number {
  let length = 0;
  while (length < bytes.length) {
    const count = fs.readSync(descriptor, bytes, length, bytes.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length;
}

/** Only these have an end that comes by itself; reading a folder fails at once. */
function refuseEndless(path: string): void {
  const stat = fs.statSync(path);
  if (stat.isFile() || stat.isDirectory()) return;
  throw notAFile('ENOTFILE');
}

function notAFile(code: 'ENOTFILE' | 'EISDIR' | 'EFBIG'): Error {
  return Object.assign(new Error('it is no file that can be read'), { code });
}

/** Contents as bytes, or undefined when there is no such file. A pipe is read to its end: for what a person names. */
export async function readBytes(path: string): Promise<Uint8Array | undefined> {
  try {
    return await fs.promises.readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(path, 'read', error);
  }
}
