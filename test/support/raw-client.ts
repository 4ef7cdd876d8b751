import type { JsonValue } from '../../src/base/index.ts';
import { systemClock } from '../../src/base/index.ts';
import { frameText } from '../../src/daemon/frames.ts';
import { greet, type MetDaemon } from '../../src/daemon/greet.ts';
import { readRecord, recordFile } from '../../src/daemon/record.ts';
import { placesOf } from '../../src/runtime/index.ts';
import type { DaemonHome } from './daemon-home.ts';

/** A client of a daemon that says and hears frames as they are. */
export interface RawClient {
  readonly met: MetDaemon;
  readonly frames: readonly JsonValue[];
  /** Resolves with the end of the connection. */
  readonly ended: Promise<void>;
  call(id: number, tool: string, args?: object): void;
}

/** Greets the daemon of a home, and enters unless told otherwise. */
export async function rawClient(home: DaemonHome, { enters = true } = {}): Promise<RawClient> {
  const record = readRecord(recordFile(home.runFolder));
  if (record === undefined) throw new Error('no record');
  const greeting = await greet(record, { clock: systemClock, version: record.version });
  if (greeting.kind !== 'met') throw new Error(greeting.kind);
  const { daemon: met } = greeting;
  const frames: JsonValue[] = [];
  const ended = new Promise<void>((resolve) => met.socket.on('close', () => resolve()));
  const homeOf = { places: placesOf(home.folder), userHome: home.folder };
  if (enters) met.enter({ wants: 'serve', home: homeOf }, { onFrame: (frame) => frames.push(frame), onEnd() {} });
  const caller = { env: { PATH: process.env['PATH'] ?? '' }, cwd: home.folder };
  return {
    met,
    frames,
    ended,
    call(id, tool, args = {}) {
      const request = { server: 'counting', tool, arguments: args, present: false };
      met.socket.write(frameText({ id, method: 'call', params: [request], caller }));
    },
  };
}
