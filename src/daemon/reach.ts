/** From a home to a connection with its daemon: look, greet, judge; start one where there is none. */
import { asTrestleError, limits, shellQuote, type TrestleError, version as packageVersion } from '../base/index.ts';
import type { ClientOptions } from './client-options.ts';
import { DaemonConnection } from './connection.ts';
import { greet, type Greeting, type MetDaemon } from './greet.ts';
import { type ClientProof, protocolNumber } from './protocol.ts';
import { type DaemonRecord, findRecord, programStamp, recordFile, socketProblem } from './record.ts';
import { judge } from './verdict.ts';

export type Reached =
  /** `started`: by this client. */
  | { readonly kind: 'connected'; readonly connection: DaemonConnection; readonly started: boolean }
  /** None runs, and none was to be started. */
  | { readonly kind: 'none' }
  /** The client has to work by itself; `why` is a sentence without its end, `mend` the command that puts it right, if there is one. */
  | { readonly kind: 'alone'; readonly why: string; readonly mend?: string | undefined };

export interface ReachWish {
  /** Whether an older daemon will do as long as it speaks this protocol: for what only looks or closes. */
  readonly older: boolean;
  /** Given where a daemon is to be started when none will do; the start ends when it aborts. */
  readonly start?: AbortSignal;
}

/** Connects to the daemon of a home. Rejects with the reason of `start` only. */
export async function reach(options: ClientOptions, wish: ReachWish): Promise<Reached> {
  let started = false;
  try {
    for (let attempt = 0; attempt < limits.daemonAttempts; attempt += 1) {
      const met = await meet(options, wish);
      if (met.kind === 'alone') return met;
      if (met.kind === 'met') return { kind: 'connected', connection: enter(met.daemon, options), started };
      if (wish.start === undefined) return { kind: 'none' };
      // Loaded here: with a daemon running, nothing of this is needed.
      const { startDaemon } = await import('./start.ts');
      started = await startDaemon(options, { gone: met.gone, signal: wish.start });
    }
    return { kind: 'alone', why: 'the daemon ends whenever it is reached' };
  } catch (thrown) {
    wish.start?.throwIfAborted();
    return { kind: 'alone', why: withoutEnd(asTrestleError(thrown)) };
  }
}

/** Whom a client met; `gone` is the record of a daemon that cannot be used any more. */
export type Met =
  | { readonly kind: 'met'; readonly daemon: MetDaemon; readonly record: DaemonRecord }
  | { readonly kind: 'nobody'; readonly gone: DaemonRecord | undefined }
  /** `hangs`: the daemon takes connections and answers none. */
  | { readonly kind: 'alone'; readonly why: string; readonly hangs?: DaemonRecord; readonly mend?: string | undefined };

/** The daemon of a home that this client may use. One that is to be replaced counts as gone, and is told to end when another starts. */
async function meet(options: ClientOptions, wish: ReachWish): Promise<Met> {
  const met = await findDaemon(options);
  if (met.kind !== 'met') return met;
  const { daemon, record } = met;
  const { version = packageVersion, command } = options;
  const verdict = judge(
    { protocol: protocolNumber, version, program: programStamp(command[1]) },
    { protocol: daemon.protocol, version: daemon.version, program: record.program },
  );
  const isSpoken = daemon.protocol === protocolNumber;
  if (verdict.kind === 'use' || (verdict.kind === 'replace' && wish.older && isSpoken)) return met;
  if (verdict.kind === 'replace' && wish.start !== undefined) {
    daemon.enter({ wants: 'drain' }, { onFrame() {}, onEnd() {} });
    daemon.socket.unref();
  } else daemon.leave();
  return verdict.kind === 'replace' ? { kind: 'nobody', gone: record } : verdict;
}

/** The daemon of a home, whatever its version. */
export async function findDaemon(options: ClientOptions): Promise<Met> {
  const { runFolder } = options.home.places;
  const found = findRecord(runFolder);
  if (found.kind === 'none') return { kind: 'nobody', gone: undefined };
  if (found.kind === 'unusable') return { kind: 'alone', why: found.why, mend: found.mend };
  const { record } = found;
  if (found.kind === 'foreign') {
    const alive = options.clock.now() - found.touchedMs < limits.daemonForeignMs;
    return alive
      ? { kind: 'alone', why: `the daemon of this home runs on another machine or in another container` }
      : { kind: 'nobody', gone: record };
  }
  const problem = socketProblem(record.address);
  if (problem !== undefined) return { kind: 'alone', why: problem.why, mend: problem.mend };
  const greeting = await greet(record, {
    clock: options.clock,
    version: options.version ?? packageVersion,
    looking: options.looking,
  });
  return greeting.kind === 'met'
    ? { kind: 'met', daemon: greeting.daemon, record }
    : unmet(greeting, record, runFolder);
}

/** What comes of a greeting that was not answered by the daemon. */
function unmet(greeting: Exclude<Greeting, { readonly kind: 'met' }>, record: DaemonRecord, runFolder: string): Met {
  switch (greeting.kind) {
    case 'stranger':
      return {
        kind: 'alone',
        why: `what listens at ${record.address} is not the daemon`,
        // Whoever that is is left alone: without the record nobody is sent to them.
        mend: `rm ${shellQuote(recordFile(runFolder))}`,
      };
    case 'silent':
      return {
        kind: 'alone',
        why: `the daemon (pid ${record.process.pid}) does not answer`,
        mend: 'trestle daemon stop',
        hangs: record,
      };
    default:
      return greeting.kind === 'refused' && greeting.refusal === 'busy'
        ? { kind: 'alone', why: 'the daemon has too much to do' }
        : { kind: 'nobody', gone: record };
  }
}

export function enter(daemon: MetDaemon, options: ClientOptions): DaemonConnection {
  const connection = new DaemonConnection(daemon.socket, options);
  const wish: Omit<ClientProof, 'proof'> = { wants: 'serve', home: options.home };
  daemon.enter(wish, { onFrame: (frame) => connection.take(frame), onEnd: () => connection.lost() });
  return connection;
}

function withoutEnd(error: TrestleError): string {
  return error.message.replace(/\.$/, '');
}
