import { temporaryBeside } from './temporary-name.ts';

const fs = process.getBuiltinModule('node:fs');

/**
 * Writes a file that can be made anew at any time: atomic for readers, not durable, and without a turn of the event loop.
 * False when it cannot be written.
 */
export function writeCacheSync(path: string, contents: string): boolean {
  const temporary = temporaryBeside(path);
  try {
    fs.writeFileSync(temporary, contents, { flag: 'wx' });
    fs.renameSync(temporary, path);
    return true;
  } catch {
    fs.rmSync(temporary, { force: true });
    return false;
  }
}
