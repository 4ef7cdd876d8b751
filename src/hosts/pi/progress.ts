/** What a command is doing, in Pi's footer beside whatever stands there. */
import type { PiUi } from './pi.ts';

const key = 'mcp-bridge-progress';

/** Shows lines in place of those before, as one; no lines: it is gone. */
export function progressIn(ui: Pick<PiUi, 'setStatus'>): (lines: readonly string[]) => void {
  return ([first, ...others]) => {
    const more = others.length > 0 ? ` +${others.length} more` : '';
    ui.setStatus(key, first === undefined ? undefined : `${first}${more}`);
  };
}
