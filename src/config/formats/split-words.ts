/** A pasted line as a shell would take it apart; nothing in it is expanded. */

/** The words; undefined where a quote is not closed. Lines may go on behind a backslash. */
export function splitWords(line: string): readonly string[] | undefined {
  const word = /\s*((?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+)/y;
  const words: string[] = [];
  const text = line
    .replaceAll(/\\\r?\n/g, ' ')
    .replace(/^\s*\$\s+/, '')
    .trimEnd();
  while (word.lastIndex < text.length) {
    const [, found] = word.exec(text) ?? [];
    if (found === undefined) return undefined;
    words.push(unquoted(found));
  }
  return words;
}

function unquoted(word: string): string {
  const parts = word.match(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|[^\\'"]+/g) ?? [];
  return parts.map(unquotedPart).join('');
}

function unquotedPart(part: string): string {
  if (part.startsWith('\\')) return part.slice(1);
  if (part.startsWith("'")) return part.slice(1, -1);
  return part.startsWith('"') ? part.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1') : part;
}
