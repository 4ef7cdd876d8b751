/**
 * A mutant breaks the source in one named line; the tests it names must turn red. `npm run mutants` applies them one by one.
 * Every requirement id under T, H, P, R and K that the project claims has at least one.
 */
export interface Mutant {
  /** Requirement id, e.g. `T3`. */
  readonly id: string;
  /** What the broken program does wrong, one clause. */
  readonly breaks: string;
  /** Source file, relative to the project root. */
  readonly file: string;
  /** Text that occurs exactly once in the file, within one line. */
  readonly find: string;
  readonly replace: string;
  /** Test files to run, relative to the project root. */
  readonly tests: readonly string[];
  /** Narrows the run: a part of a test's title. */
  readonly title?: string;
}
