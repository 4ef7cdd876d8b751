/** The line behind `/mcp-bridge` as words. */
import { TrestleError } from '../../base/index.ts';
import { isPaste, splitWords } from '../../config/index.ts';

/** Takes a line apart as a shell does; no shell was there to need quotes around what is pasted behind `add`. Throws `usage`. */
export function commandWords(line: string): readonly string[] {
  const pasted = pasteIn(line);
  if (pasted === undefined) return split(line);
  return [...split(pasted.before), pasted.text];
}

interface Pasted {
  readonly before: string;
  readonly text: string;
}

/** JSON, a member of it that was copied without the braces around it, or a block of Markdown; to the line's end. */
const json = /^(\s*add\s(?:[^{}"'`]*\s)?)(\{[^]*\}|"[^"\n]*"\s*:\s*\{[^]*\}\s*,?|```[^]*```)\s*$/;

function pasteIn(line: string): Pasted | undefined {
  const [, before = '', text = ''] = json.exec(line) ?? [];
  // Behind `--` stands the server's own command line.
  if (text !== '' && !/\s--\s/.test(before)) return { before, text };
  const [, command = '', rest = ''] = /^(\s*add\s+)(\S[^]*)$/.exec(line) ?? [];
  // A quote may begin a name.
  return !/^["{]/.test(rest) && isPaste(rest) ? { before: command, text: rest.trim() } : undefined;
}

function split(line: string): readonly string[] {
  const words = splitWords(line);
  if (words !== undefined) return words;
  throw new TrestleError({
    code: 'usage',
    // The line itself may hold a secret.
    message: 'A quote in the command is not closed, or nothing follows its last backslash.',
    hint: 'Quotes are read as a shell reads them: put what holds one kind of them into the other kind.',
    execution: 'not-sent',
  });
}
