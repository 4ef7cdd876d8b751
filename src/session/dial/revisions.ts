/** The revisions Trestle speaks, and the words a 2026-07-28 message carries in `_meta`. */
import type { JsonObject } from '../../base/index.ts';
import { tasksExtension } from '../calls/task.ts';

/** The revision without a handshake: every request names its own version. */
export const modernRevision = '2026-07-28';

/** The revisions that begin with `initialize`, newest first. */
const legacyRevisions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export interface LegacyOffer {
  readonly offered: string;
  readonly accepted: readonly string[];
}

/** What is offered in an initialize and accepted in its answer; dates of the definition come first. */
export function legacyOffer(definitionVersions: readonly string[]): LegacyOffer {
  const accepted = [...definitionVersions, ...legacyRevisions];
  return { offered: accepted[0] ?? legacyRevisions[0] ?? '', accepted };
}

/** Who Trestle is and what it can do for a server, as told in the handshake and in every modern request. */
export interface ClientFace {
  readonly info: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
}

/** What is declared to a modern server: also the extensions that only the server makes use of (basic/versioning, "Extension Negotiation"). */
function modernCapabilities(face: ClientFace): JsonObject {
  return { ...face.capabilities, extensions: { [tasksExtension]: {} } };
}

/** `_meta` of a modern request (2026-07-28, basic/index, `_meta`). */
export function modernMeta(face: ClientFace): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': modernRevision,
    'io.modelcontextprotocol/clientInfo': face.info,
    'io.modelcontextprotocol/clientCapabilities': modernCapabilities(face),
  };
}

/** Member of a modern result's `_meta` in which a server says who it is. */
export const serverInfoMember = 'io.modelcontextprotocol/serverInfo';
