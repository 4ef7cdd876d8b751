/** Why a link, or one request on it, failed, whatever its transport: the sentences. */
import { formatBytes, limits, TrestleError } from '../base/index.ts';

/** The most that a message may have, for people. */
export const messageLimit = formatBytes(limits.messageBytes);

export const closed = (server: string): TrestleError =>
  new TrestleError({
    code: 'session_closed',
    message: `The connection to server "${server}" was closed.`,
    server,
  });

export const requestTooLarge = (server: string, bytes: number): TrestleError =>
  new TrestleError({
    code: 'message_too_large',
    message: `The message for server "${server}" has ${formatBytes(bytes)}; at most ${messageLimit} can be sent.`,
    hint: 'Pass less at once, or a path or URL in place of the contents.',
    server,
    execution: 'not-sent',
  });
