/** A line that a person types at a terminal without its being shown. */
import { TrestleError } from '../base/index.ts';

/** What of a terminal is needed; narrowed so that tests can hand in their own. */
export interface HiddenTerminal {
  setRawMode(raw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (text: string) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  removeAllListeners(event: 'data' | 'end'): unknown;
  resume(): unknown;
  pause(): unknown;
}

const ends: ReadonlySet<string> = new Set(['\r', '\n', '\u0004']);
// eslint-disable-next-line no-control-regex -- what arrow keys and their kin send
const keySequence = /\u001b(?:\[[\d;]*[~A-Za-z]|O[A-Z]|.)/g;

/** The line, without its end. Throws `cancelled` on Ctrl-C. */
export async function readHidden(terminal: HiddenTerminal): Promise<string> {
  const read = Promise.withResolvers<string>();
  let line = '';
  terminal.setRawMode(true);
  terminal.setEncoding('utf8');
  terminal.on('end', () => read.resolve(line));
  terminal.on('data', (text) => {
    for (const sign of text.replaceAll(keySequence, '')) {
      if (sign === '\u0003') read.reject(new TrestleError({ code: 'cancelled', message: 'Nothing was kept.' }));
      else if (ends.has(sign)) read.resolve(line);
      else if (sign === '\u007f' || sign === '\b') line = line.replace(/.$/su, '');
      else line += sign;
      if (ends.has(sign)) return;
    }
  });
  // Whoever read a line before left it paused, and a listener alone does not wake it.
  terminal.resume();
  try {
    return await read.promise;
  } finally {
    terminal.removeAllListeners('data');
    terminal.removeAllListeners('end');
    terminal.setRawMode(false);
    terminal.pause();
  }
}
