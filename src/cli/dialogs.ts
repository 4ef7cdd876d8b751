/** How a host asks its person, where that is not by lines at a terminal. */

export interface Dialogs {
  /** Whether the person says yes to what `about` asks; closing the dialog means no. */
  confirm(about: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** A line of text; undefined where the person closes the dialog, and after `signal`. */
  enter(about: readonly string[], signal: AbortSignal): Promise<string | undefined>;
}
