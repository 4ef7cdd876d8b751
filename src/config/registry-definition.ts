/** A server that only the registry knows, as a definition: whoever wrote the registry may have written it, so that it waits for approval (R6). */
import { type JsonObject, limits, TrestleError } from '../base/index.ts';
import { authKinds } from './auth.ts';
import type { Definition } from './definition.ts';
import { readEntry } from './entries.ts';

export interface RegisteredEntry {
  readonly name: string;
  /** Its meta.json. */
  readonly file: string;
  /** As recorded: what was replaced is lost. */
  readonly transport:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        readonly cwd?: string;
      }
    | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** The kind of sign-in, as recorded. */
  readonly auth: string;
  /** What else stands there of the sign-in, by name, as pi-mcp-bridge notes it. */
  readonly signIn: Readonly<Record<string, string>>;
  readonly description: string;
  /** 0: as the settings say. */
  readonly lifecycle: {
    readonly mode: 'lazy' | 'eager' | 'keep-alive';
    readonly idleTimeoutMinutes: number;
    readonly requestTimeoutMs: number;
  };
}

/** What stands in a record where a secret was. */
const placeholder = '[redacted]';

/** Throws `not_configured` where the record has lost a part, `config_entry_invalid` for what is no entry. */
export function registryDefinition(registered: RegisteredEntry): Definition {
  const { name, file, transport } = registered;
  const { kind: _kind, ...reached } = transport;
  const entry = { ...reached, ...authMember(registered), ...useMembers(registered) };
  if (JSON.stringify(entry).includes(placeholder)) throw lost(registered, `has ${placeholder} in their place`);
  const source = { file, shape: 'registry', scope: 'project' } as const;
  return { ...readEntry({ name, source }, entry), registryName: name };
}

/** The sign-in as an entry has it; none where it needs nothing, or a person who is asked by the server. */
function authMember(registered: RegisteredEntry): JsonObject {
  const { auth: kind, signIn, transport } = registered;
  if (transport.kind === 'stdio' || kind === 'none' || !authKinds.some((known) => known === kind)) return {};
  const { bearerTokenEnv, bearerToken, clientId, clientSecret, scope, grantType } = signIn;
  if (kind === 'bearer') {
    const isHeader = Object.keys(transport.headers).some((header) => header.toLowerCase() === 'authorization');
    const token = bearerTokenEnv === undefined ? bearerToken : `\${${bearerTokenEnv}}`;
    if (isHeader) return {};
    if (token === undefined) throw lost(registered, 'has no token');
    return { auth: { type: 'bearer', token } };
  }
  if (kind !== 'oauth') throw lost(registered, `has nothing of the sign-in of kind ${kind} but its name`);
  const client = Object.fromEntries(
    Object.entries({ clientId, clientSecret, scope }).flatMap(([member, value]) =>
      value === undefined ? [] : [[member, value] as const],
    ),
  );
  if (Object.keys(client).length === 0) return {};
  return { auth: { type: grantType === 'client_credentials' ? 'client-credentials' : 'oauth', ...client } };
}

/** No configuration says what a sync would record instead. */
function useMembers({ description, lifecycle }: RegisteredEntry): JsonObject {
  const { mode, idleTimeoutMinutes: idle, requestTimeoutMs: timeout } = lifecycle;
  return {
    lifecycle: mode,
    ...(description === '' ? {} : { description }),
    ...(idle === 0 ? {} : { idleTimeoutMinutes: Math.min(idle, limits.idleMinutesMost) }),
    ...(timeout === 0 ? {} : { timeout: Math.min(timeout / 1_000, limits.timeoutSeconds) }),
  };
}

function lost({ name, file }: RegisteredEntry, what: string): TrestleError {
  return new TrestleError({
    code: 'not_configured',
    message: `${name} stands in the registry but in no configuration, and the registry keeps no secrets: ${file} ${what}.`,
    hint: `Configure it with "trestle add ${name} …".`,
    server: name,
  });
}
