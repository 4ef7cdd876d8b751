import { proxyVariables } from '../../base/index.ts';
import {
  type Definition,
  referencedSecrets,
  referencedVariables,
  type ResolveContext,
  resolveDefinition,
  type ResolvedServer,
  type Settings,
} from '../../config/index.ts';
import type { Caller } from '../caller.ts';

interface Kept {
  readonly resolved: ResolvedServer;
  /** The variables it rests on, with their values then. */
  readonly variables: readonly (readonly [name: string, value: string | undefined])[];
  /** Of the secrets it rests on: whether they are still as they were. */
  readonly secretsHold: () => boolean;
}

export interface Resolutions {
  /** An earlier resolution for the caller, if it still holds. */
  known(definition: Definition, caller: Caller): ResolvedServer | undefined;
  /** Resolves anew. Throws as `resolveDefinition` does. */
  resolve(definition: Definition, caller: Caller): Promise<ResolvedServer>;
}

/** What is the same for every caller. */
export interface Host {
  readonly platform: string;
  readonly userHome: string;
  /** Where secrets are kept. */
  readonly stateFolder: string;
  /** The settings in force. */
  readonly settings: () => Pick<Settings, 'secretStore'>;
}

/**
 * Resolutions of definitions, which hold until a variable that the definition names, PATH, or for a URL a proxy, has another
 * value, or a secret was set: a warm call must not pay for them.
 *
 * Secrets are read by whoever starts the server, a daemon included: it is the same user's process, and so no value travels between
 * processes. Where the keychain of the session is, the caller's environment says.
 */
export function createResolutions(host: Host): Resolutions {
  const callers = new WeakMap<Caller, WeakMap<Definition, Kept>>();
  const path = host.platform === 'win32' ? ['PATH', 'Path'] : ['PATH'];
  return {
    known(definition, caller) {
      const known = callers.get(caller)?.get(definition);
      const holds = known?.variables.every(([name, value]) => caller.env[name] === value) === true;
      return holds && known.secretsHold() ? known.resolved : undefined;
    },
    async resolve(definition, caller) {
      const proxies = definition.transport.kind === 'http' ? proxyVariables : [];
      const names = [...referencedVariables(definition), ...path, ...proxies];
      const variables = names.map((name) => [name, caller.env[name]] as const);
      const { secretsHold, ...secrets } = await secretsFor(host, definition, caller);
      const resolved = await resolveDefinition(definition, { ...host, ...caller, ...secrets });
      const kept = callers.get(caller) ?? new WeakMap<Definition, Kept>();
      callers.set(caller, kept.set(definition, { resolved, variables, secretsHold }));
      return resolved;
    },
  };
}

interface SecretsFor extends Pick<ResolveContext, 'secrets'> {
  readonly secretsHold: () => boolean;
}

/** Loaded for those definitions only that refer to secrets. */
async function secretsFor(host: Host, definition: Definition, { env }: Caller): Promise<SecretsFor> {
  if (referencedSecrets(definition).length === 0) return { secretsHold: () => true };
  const { openSecretStore, secretsStamp } = await import('../../secrets/index.ts');
  const { stateFolder, platform } = host;
  // Looked at before the values are: a change between the two is noticed at the next use.
  const stamp = secretsStamp(stateFolder);
  return {
    secrets: openSecretStore({ stateFolder, platform, env, prefer: host.settings().secretStore }),
    secretsHold: () => secretsStamp(stateFolder) === stamp,
  };
}
