/** What a person does with the daemon itself: look at it, start it, stop it. */
import { delay, lifeOf, limits, TrestleError } from '../base/index.ts';
import type { Runtime } from '../runtime/index.ts';
import { type AboutDaemon, protocolNumber } from './protocol.ts';
import type { ClientOptions } from './client-options.ts';
import { clearAway } from './listen.ts';
import { type OnBehalf, reconciling } from './reconciling.ts';
import { enter, findDaemon, reach } from './reach.ts';
import type { DaemonRecord, Unusable } from './record.ts';

/** What is known of the daemon of a home. */
export type DaemonSight =
  | { readonly kind: 'running'; readonly about: AboutDaemon }
  /** It speaks another protocol; what its record says. */
  | { readonly kind: 'other-version'; readonly version: string; readonly pid: number; readonly startedAt: string }
  /** `lostPid`: of the last one, where that has left its record behind: it was killed, or crashed. */
  | { readonly kind: 'none'; readonly lostPid: number | undefined }
  | Unusable;

/** Looks, and changes nothing. */
export async function lookAtDaemon(options: ClientOptions): Promise<DaemonSight> {
  const met = await findDaemon(options);
  if (met.kind === 'alone') return { kind: 'unusable', why: met.why, mend: met.mend };
  if (met.kind === 'nobody') {
    const last = met.gone?.process;
    return { kind: 'none', lostPid: last !== undefined && lifeOf(last) === 'dead' ? last.pid : undefined };
  }
  const { daemon, record } = met;
  if (daemon.protocol !== protocolNumber) {
    daemon.leave();
    return { kind: 'other-version', version: daemon.version, pid: record.process.pid, startedAt: record.startedAt };
  }
  const connection = enter(daemon, options);
  try {
    const about = (await connection.request({ frame: { method: 'about', params: [] } })) as AboutDaemon;
    return { kind: 'running', about };
  } finally {
    connection.close();
  }
}

export interface EnsureOptions extends ClientOptions, OnBehalf {
  /** Of the same home, in this process. */
  readonly local: Pick<Runtime, 'variables'>;
}

/**
 * Starts the daemon unless it runs; says which it was. Where it is new to this home it goes on with bringing the registry to the
 * configuration. Throws `daemon_unavailable`, `daemon_lost`, `cancelled`.
 */
export async function ensureDaemon(options: EnsureOptions, signal: AbortSignal): Promise<'started' | 'running'> {
  const reached = await reach(options, { older: false, start: signal });
  if (reached.kind === 'connected') {
    const { connection, started } = reached;
    try {
      // By its answer we know whether it is new to the home.
      await connection.request({ frame: { method: 'about', params: [] } });
      if (connection.isUnreconciled) await connection.request(reconciling(options, options.local));
    } finally {
      connection.close();
    }
    return started ? 'started' : 'running';
  }
  const { why, mend } = reached.kind === 'alone' ? reached : { why: 'it did not start' };
  throw new TrestleError({
    code: 'daemon_unavailable',
    message: `The daemon cannot be used: ${why}.`,
    hint: mend ?? 'What it says: trestle daemon logs.',
  });
}

/** How a daemon ended: by itself, or because it did not answer. */
export type Stopped = 'none' | 'stopped' | 'killed';

/** Lets running requests finish, and resolves when nothing of the daemon is left. Throws `daemon_unavailable` when it stays. */
export async function stopDaemon(options: ClientOptions): Promise<Stopped> {
  const met = await findDaemon(options);
  const { runFolder } = options.home.places;
  if (met.kind === 'nobody') {
    if (met.gone !== undefined && lifeOf(met.gone.process) === 'dead') await clearAway(met.gone, runFolder);
    return 'none';
  }
  if (met.kind === 'met') {
    met.daemon.enter({ wants: 'drain' }, { onFrame() {}, onEnd() {} });
    await untilGone(met.record, options);
    return 'stopped';
  }
  if (met.hangs === undefined) throw stays(met.why, met.mend);
  // Its number may be another process's by now.
  if (lifeOf(met.hangs.process) !== 'alive') throw stays(met.why);
  process.kill(met.hangs.process.pid, 'SIGKILL');
  await untilGone(met.hangs, options);
  await clearAway(met.hangs, runFolder);
  return 'killed';
}

async function untilGone(record: DaemonRecord, { clock }: ClientOptions): Promise<void> {
  const endMs = clock.monotonicMs() + limits.daemonDrainMs + limits.daemonEndMs;
  while (lifeOf(record.process) !== 'dead') {
    if (clock.monotonicMs() > endMs) throw stays(`process ${record.process.pid} does not end`);
    await delay(clock, limits.daemonStartPollMs);
  }
}

function stays(why: string, hint?: string): TrestleError {
  return new TrestleError({ code: 'daemon_unavailable', message: `The daemon cannot be stopped: ${why}.`, hint });
}
