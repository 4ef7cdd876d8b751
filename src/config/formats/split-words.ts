/** A pasted text as a shell would take it apart; nothing in it is expanded. */

/** One word, whatever is quoted in it. */
const word = String.raw`(?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+`;

/** The words; undefined where a quote is not closed. Lines may go on behind a backslash. */
export function splitWords(line: string): readonly string[] | undefined {
  const text = line
    .replaceAll(/\\\r?\n/g, ' ')
    .replace(/^\s*\$\s+/, '')
    .trimEnd();
  return tokensOf(text, new RegExp(`\\s*(${word})`, 'y'))?.map(unquoted);
}

/**
 * The commands of several lines, each as its words; undefined where a quote is not closed. A line goes on behind the mark of any
 * shell, and inside of quotes. Comments, prompts and `&&` belong to no command.
 */
export function splitCommands(lines: string): readonly (readonly string[])[] | undefined {
  const text = lines
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\\`^]\n/g, ' ')
    .trimEnd();
  const tokens = tokensOf(text, new RegExp(`[^\\S\\n]*(\\n|#[^\\n]*|${word})`, 'y'));
  if (tokens === undefined) return undefined;
  const commands: string[][] = [[]];
  for (const token of tokens) {
    if (token === '\n' || token === '&&') commands.push([]);
    else if (!token.startsWith('#')) commands.at(-1)?.push(unquoted(token));
  }
  return commands.map((words) => (isPrompt(words[0]) ? words.slice(1) : words)).filter(({ length }) => length > 0);
}

const isPrompt = (first: string | undefined): boolean => first === '$' || first === '%' || first === '>';

function tokensOf(text: string, token: RegExp): readonly string[] | undefined {
  const tokens: string[] = [];
  while (token.lastIndex < text.length) {
    const [, found] = token.exec(text) ?? [];
    if (found === undefined) return undefined;
    tokens.push(found);
  }
  return tokens;
}

function unquoted(quoted: string): string {
  const parts = quoted.match(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|[^\\'"]+/g) ?? [];
  return parts.map(unquotedPart).join('');
}

function unquotedPart(part: string): string {
  if (part.startsWith('\\')) return part.slice(1);
  if (part.startsWith("'")) return part.slice(1, -1);
  return part.startsWith('"') ? part.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1') : part;
}
