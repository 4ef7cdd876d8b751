/** What the command's exit code says. */
import { type ErrorCode, errorCodes, type ErrorCategory } from '../base/index.ts';

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unavailable: 3,
  denied: 4,
  timedOut: 5,
  interrupted: 130,
} as const;

const byCategory: Readonly<Record<ErrorCategory, number>> = {
  usage: exitCodes.usage,
  unavailable: exitCodes.unavailable,
  denied: exitCodes.denied,
  'timed-out': exitCodes.timedOut,
  cancelled: exitCodes.interrupted,
  failed: exitCodes.failed,
  internal: exitCodes.failed,
};

/** The exit code an error stands for. */
export function exitCodeOf(code: ErrorCode): number {
  return byCategory[errorCodes[code]];
}
