/**
 * The handshake of both eras, spoken by us through the gate: `server/discover` (modern) and `initialize` (legacy), and what
 * their answers say. Lenient where a defect is harmless, strict about versions.
 */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
  limits,
  nestsDeeper,
  shorten,
  TrestleError,
} from '../../base/index.ts';
import type { Gate } from '../gate.ts';
import { brokenReply } from '../reply.ts';
import type { Era, SessionInfo } from '../session.ts';
import { type ClientFace, type LegacyOffer, modernMeta, modernRevision, serverInfoMember } from './revisions.ts';

/** What a server said of itself. */
export interface Introduction {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: SessionInfo['serverInfo'];
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/**
 * Ids of the handshake: numbers, since some old servers read no others, and out of reach of the gate's counter, so that
 * a late answer never meets another request.
 */
export const handshakeIds = { discover: 2 ** 31 - 2, discoverAgain: 2 ** 31 - 3, initialize: 2 ** 31 - 1 } as const;

/** Asks `server/discover`; resolves with the raw result. */
export function askDiscover(gate: Gate, face: ClientFace, id: number = handshakeIds.discover): Promise<JsonObject> {
  return gate.ask(id, 'server/discover', { _meta: modernMeta(face) });
}

/** What a DiscoverResult says; its versions were judged before. */
export function readDiscover(result: JsonObject): Introduction {
  const meta = result['_meta'];
  return {
    era: 'modern',
    protocolVersion: modernRevision,
    serverInfo: readServerInfo(isObject(meta) ? meta[serverInfoMember] : undefined),
    capabilities: readCapabilities(result),
    instructions: readInstructions(result),
  };
}

export interface InitializeContext {
  readonly server: string;
  readonly face: ClientFace;
  readonly offer: LegacyOffer;
}

/** Sends `initialize`; resolves with what its answer says. Rejects with `version_mismatch` when the answer's date is none of the offer's. */
export async function askInitialize(gate: Gate, context: InitializeContext): Promise<Introduction> {
  const { server, face, offer } = context;
  const result = await gate.ask(handshakeIds.initialize, 'initialize', {
    protocolVersion: offer.offered,
    capabilities: face.capabilities,
    clientInfo: face.info,
  });
  const version = result['protocolVersion'];
  if (typeof version !== 'string') {
    throw brokenReply({ server, method: 'initialize' }, `names no protocolVersion (${quote(version)})`);
  }
  if (!offer.accepted.includes(version)) throw versionMismatch(server, [version], offer);
  return {
    era: 'legacy',
    protocolVersion: version,
    serverInfo: readServerInfo(result['serverInfo']),
    capabilities: readCapabilities(result),
    instructions: readInstructions(result),
  };
}

/** Neither side knows a version of the other; both are named. */
export function versionMismatch(server: string, theirs: readonly string[], offer: LegacyOffer): TrestleError {
  const spoken = shorten(theirs.join(', '), limits.quotedCharacters);
  const ours = [modernRevision, ...offer.accepted];
  return new TrestleError({
    code: 'version_mismatch',
    message: `Server "${server}" speaks protocol version ${spoken}; Trestle speaks ${ours.join(', ')}.`,
    hint: `If the server is to be trusted with it, add "protocolVersions": [${stringifyJson(theirs[0] ?? '')}] to its definition.`,
    server,
    execution: 'not-sent',
    details: { theirs, ours },
  });
}

function readCapabilities(result: JsonObject): JsonObject {
  const capabilities = result['capabilities'];
  if (!isObject(capabilities)) return {};
  // Those that cannot be kept are not there.
  const kept = Object.entries(capabilities).filter(([, value]) => !nestsDeeper(value, limits.storedLevels / 2));
  return Object.fromEntries(kept);
}

function readInstructions(result: JsonObject): string | undefined {
  const instructions = result['instructions'];
  return typeof instructions === 'string' ? instructions : undefined;
}

function readServerInfo(info: JsonValue | undefined): SessionInfo['serverInfo'] {
  if (!isObject(info) || typeof info['name'] !== 'string') return undefined;
  const { name, version, title } = info;
  return {
    name,
    version: typeof version === 'string' ? version : '',
    ...(typeof title === 'string' ? { title } : {}),
  };
}

function quote(value: JsonValue | undefined): string {
  return value === undefined ? 'it is absent' : shorten(stringifyJson(value), 40);
}
