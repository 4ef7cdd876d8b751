/**
 * Finds the era of a stdio server: probe and handshake happen on one process wherever the server lets them, since a second
 * process of the same server may fight with the first over a lock or a port.
 */
import { limits, type TrestleError } from '../../base/index.ts';
import type { Framing, Link, StdioEndpoint } from '../../wire/index.ts';
import { lastWordsOf } from '../last-words.ts';
import { type Connection, type Dialling, notModern } from './dialling.ts';
import { type Found, greet } from './greet.ts';
import { probe, stdioSilence } from './probe.ts';

/** The running server and its introduction. Links that were given up on the way are ended. */
export async function dialStdio(dialling: Dialling, endpoint: StdioEndpoint): Promise<Found> {
  try {
    return await find(dialling, endpoint);
  } finally {
    dialling.deadline.explain(undefined);
  }
}

async function find(dialling: Dialling, endpoint: StdioEndpoint): Promise<Found> {
  const { options, openers } = dialling;
  if (openers.launcherState(endpoint) === 'uncached') {
    dialling.deadline.allow(limits.launcherFirstStartMs);
    options.onStep?.(`${endpoint.command} is downloading it for its first start`);
  }
  if (options.protocol === 'legacy') return await startLegacy(dialling, endpoint);
  if (dialling.recall()?.era === 'legacy') {
    try {
      return await startLegacy(dialling, endpoint);
    } catch (error) {
      dialling.forget();
      if (!mayProbeAgain(error as TrestleError)) throw error;
      await dialling.endAllBut(undefined);
    }
  }
  return await startUnknown(dialling, endpoint);
}

function start(dialling: Dialling, endpoint: StdioEndpoint): Promise<Connection> {
  const { server, wire } = dialling.options;
  const link = dialling.openers.stdio(endpoint, server, wire);
  dialling.deadline.explain(() => ({
    hint: framingAdvice(link, endpoint.framing ?? 'auto'),
    details: lastWordsOf(link),
  }));
  return dialling.connect(link);
}

/** A server that says nothing, or nothing that is a message, may wait for another framing: nobody starts it again to find out. */
function framingAdvice(link: Link, framing: Framing): string | undefined {
  const { messagesIn, bytesIn } = link.stats();
  if (messagesIn > 0) return undefined;
  if (framing === 'content-length') {
    return 'Its definition says "framing": "content-length"; take that out, since nearly all servers write lines.';
  }
  const isSilent = bytesIn === 0;
  return isSilent || framing === 'newline'
    ? `It wrote ${isSilent ? 'nothing' : 'no message'} to stdout. If it is slow, raise the limit with --timeout SECONDS; if it speaks Content-Length frames, as servers of editors do, set "framing": "content-length" in its definition.`
    : undefined;
}

async function startLegacy(dialling: Dialling, endpoint: StdioEndpoint): Promise<Found> {
  const connection = await start(dialling, endpoint);
  return await greet(dialling, connection);
}

async function startUnknown(dialling: Dialling, endpoint: StdioEndpoint): Promise<Found> {
  const { options } = dialling;
  const connection = await start(dialling, endpoint);
  const mustBeModern = options.protocol === 'modern';
  const silence = mustBeModern ? new Promise<void>(() => {}) : stdioSilence(dialling, connection.link);
  const verdict = await probe(dialling, connection, silence);
  if (verdict.era === 'modern') {
    dialling.remember(connection, { era: 'modern', fromSilence: false });
    return { connection, introduction: verdict.introduction };
  }
  if (mustBeModern) throw notModern(options.server, verdict.failure);
  if (verdict.restart) return await restart(dialling, endpoint);
  try {
    // A server answers in order, so nothing is waited for once initialize has failed.
    const found = await greet(dialling, connection, { late: verdict.late, patience: Promise.resolve() });
    const { era } = found.introduction;
    dialling.remember(connection, { era, fromSilence: era === 'legacy' && verdict.fromSilence });
    return found;
  } catch (error) {
    // Slow to start, it has met the probe only now, and ended.
    if (verdict.fromSilence && connection.link.ended !== undefined && !dialling.deadline.signal.aborted) {
      return await restart(dialling, endpoint);
    }
    throw error;
  }
}

/** The probe ended the process: once more, with initialize as its first message. */
async function restart(dialling: Dialling, endpoint: StdioEndpoint): Promise<Found> {
  // The old process may hold a lock that the new one needs.
  await dialling.endAllBut(undefined);
  const found = await startLegacy(dialling, endpoint);
  dialling.remember(found.connection, { era: 'legacy', fromSilence: false });
  return found;
}

/** Whether a remembered verdict may be what failed: the server ran and reacted. */
function mayProbeAgain(error: TrestleError): boolean {
  return ['protocol_error', 'broken_reply', 'version_mismatch', 'server_exited', 'connection_closed'].includes(
    error.code,
  );
}
