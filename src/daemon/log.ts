/** The daemon's log: lines with time and process, bounded. */
import { appendLineSync, type Clock, createLog, limits, type Log, olderLog, readTextSync } from '../base/index.ts';
import { logFile } from './record.ts';

/** Writes to the log of a home. What comes from servers was redacted by the runtime. */
export function openDaemonLog(runFolder: string, clock: Clock): Log {
  const path = logFile(runFolder);
  return createLog({
    level: 'debug',
    redact: (text) => text,
    write: ({ text, server }) => {
      const about = server === undefined ? '' : `${server}: `;
      const line = `${new Date(clock.now()).toISOString()} ${process.pid} ${about}${text.replaceAll(/[\r\n]+/g, ' ')}`;
      appendLineSync(path, line, limits.daemonLogBytes);
    },
  });
}

/** What daemons of a home wrote, oldest first. Throws `file_error`. */
export function readDaemonLog(runFolder: string): readonly string[] {
  const path = logFile(runFolder);
  return [olderLog(path), path].flatMap((file) => (readTextSync(file) ?? '').split('\n').slice(0, -1));
}
