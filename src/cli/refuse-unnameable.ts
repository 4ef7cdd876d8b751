import { serverNameProblem } from '../base/index.ts';
import type { Runtime } from '../runtime/index.ts';
import { knownServers } from './known-names.ts';
import type { TypedName } from './suggest.ts';
import type { TypedCommand } from './typed-command.ts';

/** Refuses a word that can name no server: nothing is looked up by it. Throws `unknown_server`. */
export async function refuseUnnameable(runtime: Runtime, typed: TypedCommand, target: TypedName): Promise<void> {
  if (serverNameProblem(target.name) === undefined || knownServers(runtime).includes(target.name)) return;
  throw (await import('./suggest.ts')).unknownServer(runtime, typed, target);
}
