/** Esc in Pi's own window, where it ends what a command is doing as it ends a turn. */
import { isDialogOpen } from './dialogs.ts';
import type { PiContext } from './pi.ts';

/** As terminals send it, behind the sign of that name: plain, or in the ways that tell keys apart; pressed or held, whatever locks are on. */
const escapeKey = /^(?:\[27(?:;(?:1|65|129|193)(?::[12])?)?u|\[27;1;27~)?$/;

/** What is said beside that which Esc would end now; '' where it would not. */
export function escapeHint(context: PiContext): string {
  return isForCommand(context) ? ' · Esc ends it' : '';
}

/** Calls `run` at an Esc that nothing else in the window wants, which then goes nowhere else. Returns what ends that. */
export function onEscape(context: PiContext, run: () => void): () => void {
  const listen = (data: string): { readonly consume: true } | undefined => {
    if (!data.startsWith('\u001B') || !escapeKey.test(data.slice(1)) || !isForCommand(context)) return undefined;
    run();
    return { consume: true };
  };
  return context.ui.onTerminalInput?.(listen) ?? (() => {});
}

/** A turn that runs, a dialog and a line that is being typed have Esc for themselves. */
function isForCommand(context: PiContext): boolean {
  try {
    const { ui, mode = 'tui' } = context;
    if (mode !== 'tui' || ui.onTerminalInput === undefined || isDialogOpen()) return false;
    return context.isIdle?.() !== false && (ui.getEditorText?.() ?? '') === '';
  } catch {
    // Pi has replaced the session.
    return false;
  }
}
