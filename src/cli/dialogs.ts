/** How a host asks its person, where that is not by lines at a terminal. */

export interface Dialogs {
  /** Whether the person says yes to what `about` asks; closing the dialog means no. */
  confirm(about: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** One of `choices`; undefined where the person closes the dialog. */
  choose<T extends string>(
    about: readonly string[],
    choices: readonly T[],
    signal: AbortSignal,
  ): Promise<T | undefined>;
  /** A line of text, which everybody can see; undefined where the person closes the dialog, and after `signal`. */
  enter(about: readonly string[], signal: AbortSignal): Promise<string | undefined>;
}
