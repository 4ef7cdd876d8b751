/** Asks `server/discover` and says how the server reacted. */
import { delay, type JsonObject, limits, TrestleError, within } from '../../base/index.ts';
import type { Link } from '../../wire/index.ts';
import { rpcCodeOf } from '../reply.ts';
import type { Connection, Dialling } from './dialling.ts';
import { judgeEra, type EraJudgement, type ProbeReaction } from './era-decider.ts';
import type { Found } from './greet.ts';
import { askDiscover, handshakeIds, type Introduction, readDiscover, versionMismatch } from './handshake.ts';

export type ProbeVerdict =
  | { readonly era: 'modern'; readonly introduction: Introduction }
  | {
      readonly era: 'legacy';
      readonly restart: boolean;
      readonly fromSilence: boolean;
      /** What the probe failed with, if with anything. */
      readonly failure: TrestleError | undefined;
      /** A modern answer that comes after all; undefined when the probe ended otherwise. Never rejects. */
      readonly late: Promise<Found | undefined>;
    };

/**
 * Probes the server behind `connection`; `silence` resolves when it has been quiet for too long. Rejects when the failure
 * says nothing of the era, when a modern server has no version in common, and with the deadline's reason.
 */
export async function probe(dialling: Dialling, connection: Connection, silence: Promise<void>): Promise<ProbeVerdict> {
  const answer = askDiscover(connection.gate, dialling.face).then(answered, failed(connection.link));
  const first = await within(dialling.deadline, Promise.race([answer, silence.then(silent)]));
  const late = answer.then((observed) => lateFind(connection, observed));
  if (judgeEra(first.reaction).kind !== 'ask-again') return conclude(dialling, first, late);
  const again = askDiscover(connection.gate, dialling.face, handshakeIds.discoverAgain);
  const second = await within(dialling.deadline, again.then(answered, failed(connection.link)));
  return conclude(dialling, second, late);
}

/** When a stdio server counts as silent: 3 s from its first byte, at most 10 s from its start. */
export async function stdioSilence(dialling: Dialling, link: Link): Promise<void> {
  await Promise.race([
    silenceOf(dialling, limits.probeFromSpawnMs),
    link.firstByte.then(() => silenceOf(dialling, limits.probeFromFirstByteMs)),
  ]);
}

/** Resolves after `mostMs` from now; earlier where too little would be left of the time there is. */
export async function silenceOf({ deadline, options, finished }: Dialling, mostMs: number): Promise<void> {
  const silenceMs = Math.min(mostMs, deadline.remainingMs() * limits.probeShare);
  await delay(options.wire.clock, silenceMs, finished);
}

interface Observed {
  readonly reaction: ProbeReaction;
  readonly failure: TrestleError | undefined;
}

function conclude(dialling: Dialling, observed: Observed, late: Promise<Found | undefined>): ProbeVerdict {
  const { reaction, failure } = observed;
  const judgement: EraJudgement = judgeEra(reaction);
  switch (judgement.kind) {
    case 'modern':
      return { era: 'modern', introduction: readDiscover(resultOf(reaction)) };
    case 'mismatch':
      throw versionMismatch(dialling.options.server, judgement.theirs, dialling.handshake.offer);
    case 'none':
      throw failure ?? new TrestleError({ code: 'internal', message: 'A probe failed without a reason.' });
    case 'legacy': {
      const { restart, fromSilence } = judgement;
      return { era: 'legacy', restart, fromSilence, failure, late };
    }
    case 'ask-again':
    default: {
      const isBrokenOff = reaction.kind === 'broken-off';
      // To a server that is modern for sure a bad line is nothing but that.
      if (isBrokenOff && failure !== undefined && dialling.options.protocol === 'modern') throw failure;
      return { era: 'legacy', restart: false, fromSilence: isBrokenOff, failure, late };
    }
  }
}

function lateFind(connection: Connection, { reaction }: Observed): Found | undefined {
  if (judgeEra(reaction).kind !== 'modern') return undefined;
  return { connection, introduction: readDiscover(resultOf(reaction)) };
}

function resultOf(reaction: ProbeReaction): JsonObject {
  return reaction.kind === 'result' ? reaction.result : {};
}

function answered(result: JsonObject): Observed {
  return { reaction: { kind: 'result', result }, failure: undefined };
}

function silent(): Observed {
  return { reaction: { kind: 'silence' }, failure: undefined };
}

function failed(link: Link): (failure: TrestleError) => Observed {
  return (failure) => ({ reaction: reactionOf(failure, link), failure });
}

function reactionOf(failure: TrestleError, link: Link): ProbeReaction {
  const code = rpcCodeOf(failure);
  if (code !== undefined) return { kind: 'rpc-error', code, data: failure.details?.['rpcData'] as never };
  if (link.kind === 'stdio') return link.ended === undefined ? { kind: 'unusable' } : { kind: 'exited' };
  if (failure.code === 'connection_failed' && failure.execution !== 'not-sent') return { kind: 'broken-off' };
  return isWayBlocked(failure) ? { kind: 'unreachable' } : { kind: 'unusable' };
}

/** Failures of the way to a server, which say nothing about what it speaks and end every search with their own words. */
export function isWayBlocked(failure: TrestleError): boolean {
  switch (failure.code) {
    case 'auth_required':
    case 'sign_in_failed':
    case 'secrets_unavailable':
    case 'locked':
    case 'forbidden':
    case 'connection_failed':
    case 'redirect_refused':
    case 'origin_refused':
    case 'address_refused':
    case 'config_entry_invalid':
    case 'unsupported_setting':
    case 'timed_out':
    case 'cancelled':
      return true;
    case 'http_error': {
      const status = failure.details?.['status'];
      return typeof status === 'number' && (status >= 500 || status === 429);
    }
    default:
      return false;
  }
}
