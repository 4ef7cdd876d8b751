/** Why a stdio link, or one request on it, failed: the sentences, with the server's last words (`stderr`, as the link gives it). */
import type { ChildProcess } from 'node:child_process';
import { formatBytes, limits, TrestleError } from '../../base/index.ts';
import { messageLimit } from '../link-reasons.ts';
import { plainText } from '../plain-text.ts';

export { closed, requestTooLarge } from '../link-reasons.ts';

export const exited = (server: string, child: ChildProcess, stderr: string): TrestleError => {
  const how =
    child.signalCode === null ? `exited with code ${child.exitCode ?? 'unknown'}` : `was ended by ${child.signalCode}`;
  return new TrestleError({
    code: 'server_exited',
    message: `The process of server "${server}" ${how}${lastWords(stderr)}.`,
    hint: 'Run its command by hand to see why; the next call starts it anew.',
    server,
    details: { exitCode: child.exitCode, signal: child.signalCode, ...stderrDetail(stderr) },
  });
};

export const outputClosed = (server: string, stderr: string): TrestleError =>
  new TrestleError({
    code: 'connection_closed',
    message: `Server "${server}" closed its output without exiting${lastWords(stderr)}.`,
    hint: 'The next call starts it anew.',
    server,
    details: stderrDetail(stderr),
  });

export const inputClosed = (server: string, stderr: string, cause: Error): TrestleError =>
  new TrestleError({
    code: 'connection_closed',
    message: `Server "${server}" closed its input without exiting${lastWords(stderr)}.`,
    hint: 'The next call starts it anew.',
    server,
    details: stderrDetail(stderr),
    cause,
  });

/** `announcedBytes`: the length that stood before a message, if that is what was too much. */
export const flooded = (server: string, stderr: string, announcedBytes?: number): TrestleError =>
  new TrestleError({
    code: 'flooded',
    message:
      announcedBytes === undefined
        ? `Server "${server}" wrote ${formatBytes(limits.unbrokenBytes)} without the end of a message and was stopped.`
        : `Server "${server}" announced a message of ${formatBytes(announcedBytes)} and was stopped.`,
    hint: 'Its stdout is no MCP stream; check that its command starts an MCP server in stdio mode.',
    server,
    details: stderrDetail(stderr),
  });

export const notStarted = (server: string): TrestleError =>
  new TrestleError({
    code: 'connection_closed',
    message: `Server "${server}" is not started yet.`,
    server,
    execution: 'not-sent',
  });

export const startFailed = (server: string, cause: unknown): TrestleError =>
  new TrestleError({
    code: 'spawn_failed',
    message: `Server "${server}" could not be started: ${cause instanceof Error ? cause.message : String(cause)}.`,
    server,
    cause,
  });

export const replyTooLarge = (server: string, bytes: number): TrestleError =>
  new TrestleError({
    code: 'message_too_large',
    message: `The answer of server "${server}" has ${formatBytes(bytes)}; at most ${messageLimit} can be received.`,
    hint: 'Ask for less: a filter, a page, a smaller range.',
    server,
    // It answered, but whether with a result or an error was not read.
    execution: 'unknown',
  });

export const replyBroken = (server: string, text: string): TrestleError =>
  new TrestleError({
    code: 'broken_reply',
    message: `The answer of server "${server}" is no valid JSON: ${plainText(text, limits.noiseSampleCharacters)}`,
    hint: 'This is a fault of the server; report it there.',
    server,
    execution: 'unknown',
  });

/** What servers print as the reason of their death: the last line, or in Node.js's report of a crash the one above the stack. */
function lastWords(stderr: string): string {
  const lines = stderr.split('\n');
  const last = lines.at(-1) ?? '';
  const reason = /^Node\.js v\d/.test(last)
    ? lines.findLast((line, index) => !isStackFrame(line) && isStackFrame(lines[index + 1] ?? ''))
    : undefined;
  const shown = (line: string): string => plainText(line, limits.noiseSampleCharacters);
  if (reason !== undefined) return `; its stderr says: ${shown(reason)}`;
  return last === '' ? '' : `; its last line of stderr: ${shown(last)}`;
}

const isStackFrame = (line: string): boolean => /^\s+at /.test(line);

const stderrDetail = (stderr: string): { readonly stderr?: string } => (stderr === '' ? {} : { stderr });
