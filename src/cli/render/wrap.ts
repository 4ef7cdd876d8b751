/** Lines of whole words. */

/** Where a line may end: not inside a bracket that has just opened, nor before one that closes. */
const breaks = /(?<![{[]) (?![}\]])/;

/** `text` in lines of at most `room` characters; a longer word stands alone. */
export function wrapped(text: string, room: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(breaks)) {
    const line = lines.at(-1) ?? '';
    if (line === '' || line.length + 1 + word.length <= room)
      lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
