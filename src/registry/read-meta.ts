/**
 * meta.json as the rest of Trestle sees it. Written by hand, since it stands on the start-up path: a missing member
 * becomes its default, and only a transport that cannot be understood makes the whole unusable. `validate` is strict.
 */
import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { RecordedLifecycle, RecordedTransport, ServerMeta } from './records.ts';

export interface MetaReading {
  readonly meta: ServerMeta | undefined;
  readonly problems: readonly { readonly field: string; readonly problem: string }[];
}

/** `server` is the folder's name, which counts more than the name inside. */
export function readMeta(raw: JsonObject, server: string): MetaReading {
  const problems: { field: string; problem: string }[] = [];
  if (raw['name'] !== undefined && raw['name'] !== server) {
    problems.push({ field: '/name', problem: `is not the folder's name, ${JSON.stringify(server)}` });
  }
  const transport = readTransport(raw['transport']);
  if (transport === undefined) {
    problems.push({ field: '/transport', problem: 'is neither {kind: "stdio", command} nor {kind: "http", url}' });
    return { meta: undefined, problems };
  }
  const auth = raw['auth'];
  const meta: ServerMeta = {
    name: server,
    ...(typeof raw['project'] === 'string' ? { project: raw['project'] } : {}),
    description: text(raw['description']),
    instructions: text(raw['instructions']),
    transport,
    auth: { kind: isObject(auth) && typeof auth['kind'] === 'string' ? auth['kind'] : 'none' },
    lifecycle: readLifecycle(raw['lifecycle']),
    capabilities: isObject(raw['capabilities']) ? raw['capabilities'] : {},
    syncedFrom: raw['syncedFrom'] === 'manual' ? 'manual' : 'live-server',
    syncedAt: text(raw['syncedAt']),
  };
  return { meta, problems };
}

/**
 * What stands in `auth` beside its kind, as whoever wrote it by hand left it there (pi-mcp-bridge notes a token, or the variable that
 * has it). It may hold secrets.
 */
export function readSignIn({ auth }: JsonObject): Readonly<Record<string, string>> {
  const { kind: _kind, ...members } = textMembers(auth);
  return members;
}

function readTransport(raw: JsonValue | undefined): RecordedTransport | undefined {
  if (!isObject(raw)) return undefined;
  if (raw['kind'] === 'http' && typeof raw['url'] === 'string') {
    return { kind: 'http', url: raw['url'], headers: textMembers(raw['headers']) };
  }
  if (raw['kind'] !== 'stdio' || typeof raw['command'] !== 'string') return undefined;
  const args = Array.isArray(raw['args']) ? (raw['args'] as readonly JsonValue[]) : [];
  return {
    kind: 'stdio',
    command: raw['command'],
    args: args.filter((item) => typeof item === 'string'),
    env: textMembers(raw['env']),
    ...(typeof raw['cwd'] === 'string' ? { cwd: raw['cwd'] } : {}),
  };
}

function readLifecycle(raw: JsonValue | undefined): RecordedLifecycle {
  const from = isObject(raw) ? raw : {};
  const mode = from['mode'];
  return {
    mode: mode === 'eager' || mode === 'keep-alive' ? mode : 'lazy',
    idleTimeoutMinutes: count(from['idleTimeoutMinutes']),
    requestTimeoutMs: count(from['requestTimeoutMs']),
  };
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const count = (value: JsonValue | undefined): number => (typeof value === 'number' && value >= 0 ? value : 0);

function textMembers(raw: JsonValue | undefined): Readonly<Record<string, string>> {
  if (!isObject(raw)) return {};
  return Object.fromEntries(
    Object.entries(raw).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
