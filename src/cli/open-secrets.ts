/** The secrets of the home that a command works on. */
import type { SecretStore } from '../secrets/index.ts';
import type { CommandContext } from './command.ts';

/** Opens the store; what keeps them is asked only when a secret is. */
export async function openSecrets(context: CommandContext): Promise<SecretStore> {
  const { openSecretStore } = await import('../secrets/index.ts');
  const { env, platform } = context.surroundings;
  const runtime = context.runtime();
  const prefer = runtime.settings().secretStore;
  return openSecretStore({ stateFolder: runtime.places.stateFolder, env, platform, prefer });
}
