/** How a process that keeps values notices that another one changed them, without asking the keychain. */
import { join } from 'node:path';
import { type FileStamp, statSync, writeFileAtomic } from '../base/index.ts';
import { secretsFileOf } from './file-store.ts';

const stampFileOf = (stateFolder: string): string => join(stateFolder, 'secrets.changed');

/** Equal while no secret of this home was set or removed through {@link openSecretStore}; costs two looks at files. */
export function secretsStamp(stateFolder: string): string {
  return [secretsFileOf(stateFolder), stampFileOf(stateFolder)].map((path) => text(statSync(path))).join(' ');
}

/** Called after each change. Throws `file_error`. */
export async function markChanged(stateFolder: string): Promise<void> {
  await writeFileAtomic(stampFileOf(stateFolder), '', { mode: 0o600, durable: false });
}

function text(stamp: FileStamp | undefined): string {
  return stamp === undefined ? '-' : `${stamp.inode}:${stamp.modifiedMs}:${stamp.sizeBytes}`;
}
