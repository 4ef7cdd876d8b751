/** The wish of whoever runs a command that it should end. */
export interface Interruption extends Disposable {
  /** Aborts when the end is wished for; its reason is a TrestleError of code `cancelled`. */
  readonly signal: AbortSignal;
  /** Exit code that tells of it; undefined before it came. */
  exitCode(): number | undefined;
}
