import { checkedUserHome } from '../../base/index.ts';
import type { Surroundings } from '../../cli/index.ts';
import type { PiContext } from './pi.ts';

/** What Pi runs in, for the commands of `cli`: its process's environment, its session's folder, and nobody who types on standard input. */
export function surroundingsOf({ cwd }: Pick<PiContext, 'cwd'>, program: string): Surroundings {
  return {
    env: process.env,
    cwd,
    get userHome() {
      return checkedUserHome(() => process.getBuiltinModule('node:os').homedir());
    },
    platform: process.platform,
    command: [process.execPath, program],
    get temporaryFolder() {
      return process.getBuiltinModule('node:os').tmpdir();
    },
    readInput: () => Promise.resolve(new Uint8Array()),
    inputTerminal: false,
  };
}
