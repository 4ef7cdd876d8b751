/** How a host asks its person, where that is not by lines at a terminal. */

export interface Dialogs {
  /** Whether the person says yes to what `about` asks, where `usual` is chosen already; undefined where they close the dialog. */
  confirm(about: readonly string[], usual: boolean, signal: AbortSignal): Promise<boolean | undefined>;
  /** One of `choices`; undefined where the person closes the dialog. */
  choose<T extends string>(
    about: readonly string[],
    choices: readonly T[],
    signal: AbortSignal,
  ): Promise<T | undefined>;
  /** A line of text, which everybody can see; undefined where the person closes the dialog, and after `signal`. */
  enter(about: readonly string[], signal: AbortSignal): Promise<string | undefined>;
}
