/**
 * Which era a server speaks, judged from its reaction to `server/discover` (2026-07-28, "Backward Compatibility with
 * Initialization-Based Versions"). Pure: the reaction comes in, the verdict goes out.
 *
 * Anything but a recognised modern answer means `initialize`: old servers react to an unknown first message in every way
 * one can think of, by the end of the connection among them. Only an answer about the way there (sign-in, a failing front end, no
 * connection at all) says nothing about the era.
 */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { modernRevision } from './revisions.ts';

/** How a server reacted to the probe. */
export type ProbeReaction =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'rpc-error'; readonly code: number; readonly data: JsonValue | undefined }
  /** A reply that breaks JSON-RPC, a page, an empty body, a 4xx: an answer, but none of a modern server. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'silence' }
  /** The process ended (stdio). */
  | { readonly kind: 'exited' }
  /** The connection broke after the question (HTTP). */
  | { readonly kind: 'broken-off' }
  /** The way to the server failed: 401, 403, 5xx, no connection, a refused redirect. */
  | { readonly kind: 'unreachable' };

export type EraJudgement =
  | { readonly kind: 'modern' }
  /** `restart`: the probed process is gone. `fromSilence`: may be wrong, a slow start or a bad line looks the same. */
  | { readonly kind: 'legacy'; readonly restart: boolean; readonly fromSilence: boolean }
  /** It names the version that was asked for as supported, or did not get to answer: asked once more, and otherwise `initialize`. */
  | { readonly kind: 'ask-again' }
  /** A modern server without a version in common. */
  | { readonly kind: 'mismatch'; readonly theirs: readonly string[] }
  /** No verdict; the failure speaks for itself. */
  | { readonly kind: 'none' };

const unsupportedVersionCode = -32022;
const legacy = { kind: 'legacy', restart: false, fromSilence: false } as const;

/** The verdict on one reaction. */
export function judgeEra(reaction: ProbeReaction): EraJudgement {
  switch (reaction.kind) {
    case 'result':
      // Versions that are all unknown may belong to a server of both eras; initialize will tell.
      return textsOf(reaction.result['supportedVersions']).includes(modernRevision) ? { kind: 'modern' } : legacy;
    case 'rpc-error':
      return reaction.code === unsupportedVersionCode && isObject(reaction.data)
        ? judgeRefusedVersion(textsOf(reaction.data['supported']))
        : legacy;
    case 'unusable':
      return legacy;
    case 'broken-off':
      return { kind: 'ask-again' };
    case 'silence':
      return { kind: 'legacy', restart: false, fromSilence: true };
    case 'exited':
      return { kind: 'legacy', restart: true, fromSilence: false };
    case 'unreachable':
    default:
      return { kind: 'none' };
  }
}

function judgeRefusedVersion(supported: readonly string[]): EraJudgement {
  if (supported.includes(modernRevision)) return { kind: 'ask-again' };
  // Revision names are dates, so their order as text is their order in time.
  const onlyLater = supported.length > 0 && supported.every((version) => version > modernRevision);
  return onlyLater ? { kind: 'mismatch', theirs: supported } : legacy;
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
