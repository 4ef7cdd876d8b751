/** What a command is doing, in Pi's footer beside whatever stands there. */
import { escapeHint } from './escape.ts';
import type { PiContext } from './pi.ts';

const key = 'mcp-bridge-progress';

/** Shows lines in place of those before, as one; no lines: it is gone. */
export function progressIn(context: PiContext): (lines: readonly string[]) => void {
  return ([first, ...others]) => {
    const more = others.length > 0 ? ` +${others.length} more` : '';
    context.ui.setStatus(key, first === undefined ? undefined : `${first}${more}${escapeHint(context)}`);
  };
}
