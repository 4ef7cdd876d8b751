/**
 * Bytes of a stream of `Content-Length` frames, in linear time and bounded memory. Headers end with CR LF, a lone LF is taken too.
 * What stands between two frames, and a block of headers without one sure length, is junk up to the next `Content-Length`, which
 * may also stand in the middle of a line.
 *
 * A length that is wrong shows by what follows: where a body is no message and no header comes behind it, body and line are read
 * again as junk, so that the next frame is found though the length cut into it or fell short of it.
 */
import { Buffer } from 'node:buffer';
import { extendEnds, freeBuffer, type KeptEnds, noEnds } from '../kept-ends.ts';
import { beginsBlock, HeaderBlock } from './frame-header.ts';
import type { MessageReader, PieceHandlers, ReadingLimits } from './framing.ts';

const lineEnd = 0x0a;
/** Of a line that is too long for a header, what may be the beginning of one: `Content-Length: ` and any length, with blanks. */
const headerBeginningBytes = 64;

/** Bytes to be read; `isAgain`: for the second time. */
interface Unread {
  readonly bytes: Buffer;
  readonly isAgain: boolean;
}

/** The body being read. */
interface Body {
  readonly length: number;
  receivedBytes: number;
  /** Undefined until it is needed, and where the message is over the limit. */
  buffer: Buffer | undefined;
  /** Of a message over the limit. */
  ends: KeptEnds;
}

export class FrameReader implements MessageReader {
  readonly #options: ReadingLimits & PieceHandlers;
  readonly #block: HeaderBlock;
  /** The line between frames being read, or the end of one that is longer than a header. */
  readonly #line: Buffer;
  #lineBytes = 0;
  /** The beginning of the line was junk and is told already. */
  #isLineTold = false;
  /** Bytes since the last end of a line. */
  #unbrokenBytes = 0;
  #body: Body | undefined;
  /** A body that was no message, until what follows shows whether its length was right. */
  #suspect: string | undefined;
  /** How much may be read again: as much as was read once, so that the work stays linear. */
  #rereadableBytes = 0;
  /** What is to be read, the next at the end. */
  #unread: Unread[] = [];
  #isStopped = false;

  constructor(options: ReadingLimits & PieceHandlers) {
    this.#options = options;
    this.#line = Buffer.alloc(options.headerBytes);
    this.#block = new HeaderBlock({ blockBytes: options.headerBytes, onJunk: options.onJunk });
  }

  push(chunk: Uint8Array): void {
    if (this.#isStopped) return;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let next: Unread | undefined = { bytes, isAgain: false };
    for (; next !== undefined; next = this.#unread.pop()) {
      // What is to be read again comes before the rest.
      const restAt = this.#unread.length;
      const readBytes = this.#body === undefined ? this.#readLinePiece(next) : this.#readBody(this.#body, next);
      if (this.#isStopped) return;
      const rest = next.bytes.subarray(readBytes);
      if (rest.length > 0) this.#unread.splice(restAt, 0, { ...next, bytes: rest });
    }
  }

  end(): void {
    if (this.#isStopped) return;
    const { buffer, receivedBytes = 0 } = this.#body ?? {};
    if (buffer !== undefined) this.#options.onText(buffer.toString('utf8', 0, receivedBytes));
    else if (!this.#isLineTold) this.#options.onJunk(this.#lineText());
    this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    this.#unread = [];
    this.#body = undefined;
    this.#suspect = undefined;
    this.#lineBytes = 0;
  }

  /** Reads up to the next end of a line; returns how many bytes. */
  #readLinePiece({ bytes, isAgain }: Unread): number {
    const found = bytes.indexOf(lineEnd);
    const piece = found === -1 ? bytes : bytes.subarray(0, found);
    for (let at = 0; at < piece.length;) {
      if (this.#lineBytes === this.#line.length) this.#shortenLine();
      const copiedBytes = piece.copy(this.#line, this.#lineBytes, at);
      this.#lineBytes += copiedBytes;
      at += copiedBytes;
    }
    this.#count(piece, isAgain);
    this.#unbrokenBytes += piece.length;
    if (this.#unbrokenBytes >= this.#options.unbrokenBytes) this.#flood();
    else if (found !== -1) this.#finishLine();
    return piece.length + 1;
  }

  /** The line is longer than any header: it is junk but for its end. */
  #shortenLine(): void {
    if (!this.#isLineTold) this.#options.onJunk(this.#lineText());
    this.#isLineTold = true;
    this.#line.copyWithin(0, this.#lineBytes - headerBeginningBytes, this.#lineBytes);
    this.#lineBytes = headerBeginningBytes;
  }

  #finishLine(): void {
    const line = this.#lineText();
    const suspect = this.#suspect;
    this.#suspect = undefined;
    this.#lineBytes = 0;
    this.#unbrokenBytes = 0;
    if (suspect !== undefined && !beginsBlock(line) && this.#readAgain(`${suspect}${line}\n`)) return;
    const isEnd = this.#isLineTold;
    this.#isLineTold = false;
    if (line.trim() !== '') this.#block.add(line, isEnd);
    else if (!isEnd) this.#finishBlock();
  }

  /** Without its line end. */
  #lineText(): string {
    return this.#line.toString('utf8', 0, this.#lineBytes).replace(/\r$/, '');
  }

  /** Reads text of which was told what it is; false when too much was read again already. */
  #readAgain(text: string): boolean {
    const bytes = Buffer.from(text);
    if (bytes.length > this.#rereadableBytes) return false;
    this.#rereadableBytes -= bytes.length;
    this.#isLineTold = true;
    this.#unread.push({ bytes, isAgain: true });
    return true;
  }

  #finishBlock(): void {
    const length = this.#block.end() ?? 0;
    if (length >= this.#options.unbrokenBytes) this.#flood(length);
    else if (length > 0) this.#body = { length, receivedBytes: 0, buffer: undefined, ends: noEnds };
  }

  #count(piece: Buffer, isAgain: boolean): void {
    const most = 2 * this.#options.messageBytes;
    if (!isAgain) this.#rereadableBytes = Math.min(this.#rereadableBytes + piece.length, most);
  }

  /** Reads what there is of the body; returns how many bytes. */
  #readBody(body: Body, { bytes, isAgain }: Unread): number {
    const piece = bytes.subarray(0, body.length - body.receivedBytes);
    this.#count(piece, isAgain);
    const { messageBytes, keptBytes } = this.#options;
    if (body.length > messageBytes) {
      body.ends = extendEnds(body.ends, piece, keptBytes);
    } else if (piece.length < body.length) {
      // Memory that is never touched costs nothing: a length may promise more than comes.
      body.buffer ??= Buffer.allocUnsafeSlow(body.length);
      piece.copy(body.buffer, body.receivedBytes);
    }
    body.receivedBytes += piece.length;
    if (body.receivedBytes === body.length) this.#finishBody(body, piece);
    return piece.length;
  }

  /** `piece` is the whole of a body that came in one read, as nearly all do: nothing was copied. */
  #finishBody({ length, buffer, ends }: Body, piece: Buffer): void {
    this.#body = undefined;
    if (length > this.#options.messageBytes) {
      this.#options.onDropped({ sizeBytes: length, ...ends });
      return;
    }
    const text = (buffer ?? piece).toString('utf8');
    // Freed before the text is parsed: a large message then stands in memory twice, not three times.
    if (buffer !== undefined) freeBuffer(buffer);
    const kind = this.#options.onText(text);
    if (kind === 'broken' || kind === 'noise') this.#suspect = text;
  }

  #flood(announcedBytes?: number): void {
    this.stop();
    this.#options.onFlood(announcedBytes);
  }
}
