/** Diagnostics for people who run Trestle. Goes to stderr or a log file by the choice of the door, never to stdout. */

export type LogLevel = 'debug' | 'info' | 'warn';

export interface LogEntry {
  readonly level: LogLevel;
  /** One line, already redacted. */
  readonly text: string;
  readonly server?: string | undefined;
}

export interface Log {
  debug(text: string, server?: string): void;
  info(text: string, server?: string): void;
  warn(text: string, server?: string): void;
}

export interface LogOptions {
  readonly write: (entry: LogEntry) => void;
  /** Replaces every known secret. */
  readonly redact: (text: string) => string;
  readonly level?: LogLevel;
}

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2 };

/** A log that redacts and passes on what is at least `level` (default `info`). */
export function createLog(options: LogOptions): Log {
  const least = ranks[options.level ?? 'info'];
  const at =
    (level: LogLevel) =>
    (text: string, server?: string): void => {
      if (ranks[level] >= least) options.write({ level, text: options.redact(text), server });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn') };
}

/** A log that drops everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {} };
