/**
 * The one error class and the one table of codes.
 *
 * A code is stable: scripts and hosts may match on it. A message is one sentence for people and may change. Nothing in
 * Trestle decides anything by reading a message.
 */

/**
 * Whether the server may have executed the request that failed.
 *
 * - `not-sent`: no byte of it reached the server.
 * - `rejected`: the server refused it in a way that the protocol defines as unexecuted.
 * - `unknown`: it was written, and what the server did with it cannot be known.
 * - `done`: the server answered that it ran.
 */
export type Execution = 'not-sent' | 'rejected' | 'unknown' | 'done';

/** What a code means to somebody who has to react to it; the command line derives its exit code from it. */
export type ErrorCategory = 'usage' | 'unavailable' | 'denied' | 'timed-out' | 'cancelled' | 'failed' | 'internal';

/** Every code Trestle uses, with its category. */
export const errorCodes = {
  // What was asked for is wrong; nothing was started.
  usage: 'usage',
  unknown_server: 'usage',
  unknown_tool: 'usage',
  unknown_resource: 'usage',
  unknown_prompt: 'usage',
  invalid_arguments: 'usage',
  invalid_name: 'usage',
  invalid_path: 'usage',
  exists: 'usage',
  unknown_question: 'usage',
  // A file on disk is wrong.
  config_unreadable: 'usage',
  config_entry_invalid: 'usage',
  registry_unreadable: 'usage',
  registry_invalid: 'usage',
  missing_variable: 'usage',
  missing_secret: 'usage',
  unsupported_setting: 'usage',
  file_error: 'usage',
  locked: 'unavailable',
  secrets_unavailable: 'unavailable',
  // The server cannot be reached or does not work.
  disabled: 'unavailable',
  not_configured: 'unavailable',
  command_not_found: 'unavailable',
  cwd_not_found: 'unavailable',
  spawn_failed: 'unavailable',
  server_exited: 'unavailable',
  connection_failed: 'unavailable',
  connection_closed: 'unavailable',
  http_error: 'unavailable',
  not_mcp: 'unavailable',
  auth_required: 'unavailable',
  sign_in_failed: 'unavailable',
  forbidden: 'denied',
  redirect_refused: 'unavailable',
  origin_refused: 'unavailable',
  address_refused: 'unavailable',
  version_mismatch: 'unavailable',
  capability_missing: 'unavailable',
  session_lost: 'unavailable',
  session_closed: 'unavailable',
  flooded: 'unavailable',
  pool_full: 'unavailable',
  // The daemon between commands and servers.
  daemon_unavailable: 'unavailable',
  daemon_lost: 'unavailable',
  // What Trestle keeps for itself.
  state_unusable: 'usage',
  // The server answered, but not usably.
  message_too_large: 'failed',
  broken_reply: 'failed',
  protocol_error: 'failed',
  list_too_long: 'failed',
  list_cursor_repeated: 'failed',
  input_required: 'failed',
  denied: 'denied',
  // A person has to say yes first; the question is in `details.question`.
  approval_needed: 'denied',
  timed_out: 'timed-out',
  cancelled: 'cancelled',
  internal: 'internal',
} as const satisfies Record<string, ErrorCategory>;

/** One of the stable codes of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/** What a {@link TrestleError} is made from. */
export interface ErrorFacts {
  readonly code: ErrorCode;
  /** One clear sentence naming the server, file, field or variable concerned. */
  readonly message: string;
  /** What to do about it, one sentence. */
  readonly hint?: string | undefined;
  /** Name of the server concerned. */
  readonly server?: string | undefined;
  /** Whether the failed request may have been executed; absent when no request is concerned. */
  readonly execution?: Execution | undefined;
  /** Plain data for `--json` and hosts, e.g. `{ exitCode: 1, stderr: '…' }`. Never secrets. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** The foreign error this one translates. */
  readonly cause?: unknown;
}

/** The only error class thrown across a room's door. */
export class TrestleError extends Error {
  override readonly name = 'TrestleError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly server: string | undefined;
  readonly execution: Execution | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.hint = facts.hint;
    this.server = facts.server;
    this.execution = facts.execution;
    this.details = facts.details;
  }

  /** Category of this error's code. */
  get category(): ErrorCategory {
    return errorCodes[this.code];
  }

  /** A copy with some facts replaced; used where an outer room knows more (the server's name, the execution). */
  with(facts: Partial<ErrorFacts>): TrestleError {
    return new TrestleError({
      code: this.code,
      message: this.message,
      hint: this.hint,
      server: this.server,
      execution: this.execution,
      details: this.details,
      cause: this.cause,
      ...facts,
    });
  }
}

/** The serialisable form of an error: what `--json`, details and events carry. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly server?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The serialisable form of `error`, without undefined members. */
export function toFailure(error: TrestleError): Failure {
  return {
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.server === undefined ? {} : { server: error.server }),
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** `thrown` itself when it is a {@link TrestleError}, else an `internal` error that keeps it as cause. */
export function asTrestleError(thrown: unknown, facts: Partial<ErrorFacts> = {}): TrestleError {
  if (thrown instanceof TrestleError) return Object.keys(facts).length === 0 ? thrown : thrown.with(facts);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new TrestleError({ code: 'internal', message, cause: thrown, ...facts });
}
