import type { PiContext } from './pi.ts';

/** A line for the person: in Pi's own window where there is one, else on standard error; standard output is Pi's. */
export function tell(context: PiContext, text: string, level: 'info' | 'warning' | 'error'): void {
  if (context.hasUI) context.ui.notify(text, level);
  else process.stderr.write(`${text}\n`);
}
