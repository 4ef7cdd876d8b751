/** A definition, whatever shape it was written in, as an entry of `mcpServers`. */
import type { JsonObject, JsonValue } from '../../base/index.ts';
import type { Definition } from '../definition.ts';

/** The entry; members that have their usual value are left out. Values stay as written. */
export function entryOfDefinition(definition: Definition): JsonObject {
  const { timeoutMs, tools } = definition;
  const members: Readonly<Record<string, JsonValue | undefined>> = {
    ...transportMembers(definition),
    timeout: timeoutMs === undefined ? undefined : timeoutMs / 1_000,
    enabled: definition.enabled ? undefined : false,
    description: definition.description,
    lifecycle: unless(definition.lifecycle, 'lazy'),
    idleTimeoutMinutes: definition.idleMinutes,
    sharing: unless(definition.sharing, 'scope'),
    protocol: unless(definition.protocol, 'auto'),
    protocolVersions: definition.protocolVersions.length === 0 ? undefined : definition.protocolVersions,
    tools:
      tools === undefined
        ? undefined
        : withoutAbsent({ allow: tools.allow, deny: filled(tools.deny), ask: filled(tools.ask) }),
    auth: authMember(definition),
  };
  return withoutAbsent(members);
}

function transportMembers({ transport }: Definition): Readonly<Record<string, JsonValue | undefined>> {
  if (transport.kind === 'http') {
    const { url, headers, choice, redirects } = transport;
    return {
      url,
      transport: unless(choice, 'auto'),
      headers: filledMap(headers),
      redirects: unless(redirects, 'same-origin'),
    };
  }
  const { command, args, env, cwd, framing } = transport;
  return { command, args: filled(args), env: filledMap(env), cwd, framing: unless(framing, 'auto') };
}

function authMember({ auth }: Definition): JsonValue | undefined {
  if (auth === undefined) return undefined;
  if (auth.kind === 'none') return false;
  const { kind, values, redirectPort, dpop } = auth;
  return withoutAbsent({ type: kind, ...values, redirectPort, dpop: dpop ? true : undefined });
}

function unless<T extends string>(value: T, usual: T): T | undefined {
  return value === usual ? undefined : value;
}

function filled(items: readonly string[]): readonly string[] | undefined {
  return items.length === 0 ? undefined : items;
}

function filledMap(members: Readonly<Record<string, string>>): JsonObject | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

function withoutAbsent(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(present);
}
