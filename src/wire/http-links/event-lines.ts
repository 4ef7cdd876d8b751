/** The lines of an event stream: ended by LF, CR or CRLF, in chunks cut anywhere. Keeps no bytes. */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * A function that takes the chunks of a stream and passes on each line in pieces; `ended` says that a line end follows the
 * piece. Lines end on ASCII bytes, so that a whole line is whole UTF-8 characters. A CR ends its line at once, although an LF
 * that belongs to it may come with the next chunk.
 */
export function createLineCutter(onPiece: (piece: Uint8Array, ended: boolean) => void): (chunk: Uint8Array) => void {
  let feedBelongsToReturn = false;
  return (chunk) => {
    if (chunk.length === 0) return;
    let start = feedBelongsToReturn && chunk[0] === lineFeed ? 1 : 0;
    feedBelongsToReturn = false;
    // Each search goes on from where it last found something: a chunk is searched once for either byte, however long its lines.
    let feedAt = indexFrom(chunk, lineFeed, start);
    let returnAt = indexFrom(chunk, carriageReturn, start);
    while (start < chunk.length) {
      const end = Math.min(feedAt, returnAt);
      onPiece(chunk.subarray(start, end), end < chunk.length);
      if (end === chunk.length) return;
      start = end + 1;
      if (end === returnAt) {
        feedBelongsToReturn = start === chunk.length;
        if (chunk[start] === lineFeed) start += 1;
        returnAt = indexFrom(chunk, carriageReturn, start);
      }
      if (feedAt < start) feedAt = indexFrom(chunk, lineFeed, start);
    }
  };
}

/** Where `byte` stands at or after `start`; the length of the chunk when nowhere. */
function indexFrom(chunk: Uint8Array, byte: number, start: number): number {
  const found = chunk.indexOf(byte, start);
  return found === -1 ? chunk.length : found;
}
