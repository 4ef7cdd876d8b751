import { join } from 'node:path';
import { serverNameProblem } from '../../base/index.ts';
import { type Definition, registryDefinition } from '../../config/index.ts';
import type { Core } from '../core.ts';

/** A server of the user's that the registry knows, as it stands there; undefined where it knows none of the name. Throws where it cannot be used. */
export function registeredDefinition(core: Core, server: string): Definition | undefined {
  const registered = serverNameProblem(server) === undefined ? core.registry.meta(server).value : undefined;
  if (registered === undefined || registered.project !== undefined) return undefined;
  const file = join(core.registry.path(server), 'meta.json');
  const { transport, auth, description, lifecycle } = registered;
  const signIn = core.registry.signIn(server).value;
  return registryDefinition({ name: server, file, transport, auth: auth.kind, signIn, description, lifecycle });
}
