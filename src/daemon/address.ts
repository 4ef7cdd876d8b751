/** Where a daemon listens: a name that no other daemon has, in a folder that is its user's alone. */
import { basename, dirname, join } from 'node:path';
import {
  limits,
  lookAtPrivate,
  makeUniqueFolderSync,
  randomHex,
  removeEmptyFolderSync,
  removePath,
} from '../base/index.ts';
import { isPipe } from './record.ts';

export interface AddressOptions {
  readonly runFolder: string;
  readonly platform: string;
  /** Where short-lived files go; used when the home's path is too long for a socket. */
  readonly temporaryFolder: string;
}

/**
 * A new address. In the run folder, so that nothing lies about; the system limits the length of such paths, so a deep home gets
 * a folder of its own elsewhere. Throws `file_error`.
 */
export function newAddress({ runFolder, platform, temporaryFolder }: AddressOptions): string {
  const name = `${randomHex(4)}.sock`;
  if (platform === 'win32') return String.raw`\\.\pipe\trestle-${randomHex(16)}`;
  const beside = join(runFolder, name);
  if (Buffer.byteLength(beside) <= limits.socketPathBytes) return beside;
  return join(makeUniqueFolderSync(join(temporaryFolder, folderPrefix)), name);
}

const folderPrefix = 'trestle-';

/** Removes what a dead daemon left of its address. */
export async function removeAddress(address: string, runFolder: string): Promise<void> {
  if (isPipe(address) || lookAtPrivate(address, 'socket').kind === 'not-private') return;
  await removePath(address);
  const folder = dirname(address);
  // Made for this one socket.
  if (folder !== runFolder && basename(folder).startsWith(folderPrefix)) removeEmptyFolderSync(folder);
}
