/** Becoming the daemon of a home: one process can, however many try. */
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import {
  type Clock,
  fileError,
  lifeOf,
  limits,
  makePrivateFolderSync,
  makePrivateSync,
  removePath,
  withLock,
} from '../base/index.ts';
import { type AddressOptions, newAddress, removeAddress } from './address.ts';
import { greet } from './greet.ts';
import { type DaemonRecord, findRecord, isPipe, readRecord, recordFile, writeRecord } from './record.ts';

export interface ListenOptions extends AddressOptions {
  readonly clock: Clock;
  /** The record to be, but for its address. */
  readonly record: Omit<DaemonRecord, 'address'>;
  readonly onConnection: (socket: Socket) => void;
}

export interface Listening {
  readonly record: DaemonRecord;
  /** Whether this is still the daemon of the home: nobody has removed or replaced its record. */
  isOurs(): boolean;
  /** Gives the home up, at once: takes no more connections, and removes record and socket where they are still its own. */
  release(): Promise<void>;
}

/** Listens, and writes the record; undefined when another daemon is at work. Throws `file_error`, `locked`. */
export async function listen(options: ListenOptions): Promise<Listening | undefined> {
  const { runFolder } = options;
  makePrivateFolderSync(runFolder);
  return withLock(join(runFolder, 'listen.lock'), () => listenLocked(options), { waitMs: limits.daemonStartMs });
}

async function listenLocked(options: ListenOptions): Promise<Listening | undefined> {
  const { runFolder, clock } = options;
  const found = findRecord(runFolder);
  if (found.kind === 'foreign' && clock.now() - found.touchedMs < limits.daemonForeignMs) return undefined;
  if (found.kind === 'record') {
    if (await isAtWork(found.record, options)) return undefined;
    await removeAddress(found.record.address, runFolder);
  }
  const address = newAddress(options);
  const server = await open(address, options.onConnection);
  const record = { ...options.record, address };
  await writeRecord(runFolder, record);
  const path = recordFile(runFolder);
  const isOurs = (): boolean => readRecord(path)?.token === record.token;
  return {
    record,
    isOurs,
    async release() {
      if (isOurs()) await removePath(path).catch(() => {});
      // Connections that are open stay so; only the socket's own name goes.
      server.close();
      await removeAddress(address, runFolder).catch(() => {});
    },
  };
}

/** Removes what a dead daemon has left of itself, unless another one has taken its place. Throws `file_error`, `locked`. */
export async function clearAway(record: DaemonRecord, runFolder: string): Promise<void> {
  await withLock(
    join(runFolder, 'listen.lock'),
    async () => {
      const path = recordFile(runFolder);
      if (readRecord(path)?.token !== record.token) return;
      await removePath(path);
      await removeAddress(record.address, runFolder);
    },
    { waitMs: limits.daemonStartMs },
  );
}

/** A daemon that drains has given its record up, so one with a record that answers in any way is at work. */
async function isAtWork(record: DaemonRecord, { clock, record: own }: ListenOptions): Promise<boolean> {
  if (lifeOf(record.process) === 'dead') return false;
  const greeting = await greet(record, { clock, version: own.version });
  if (greeting.kind === 'met') greeting.daemon.leave();
  if (greeting.kind === 'refused') return greeting.refusal === 'busy';
  return greeting.kind !== 'gone';
}

function open(address: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = process.getBuiltinModule('node:net').createServer(onConnection);
  // Beyond its limit the daemon answers that it has too much to do; beyond this one nobody is answered.
  server.maxConnections = 2 * limits.daemonConnections;
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(fileError(address, 'listen at', error)));
    server.listen(address, () => {
      try {
        if (!isPipe(address)) makePrivateSync(address);
        resolve(server);
      } catch (error) {
        server.close();
        reject(error);
      }
    });
  });
}
