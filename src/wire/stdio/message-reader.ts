/** The reader for a framing; for `auto`, one that finds out which it is. */
import { Buffer } from 'node:buffer';
import { beginsBlock, HeaderBlock, looksLikeHeader } from './frame-header.ts';
import { FrameReader } from './frame-reader.ts';
import type { Framing, MessageReader, PieceHandlers, ReadingLimits } from './framing.ts';
import { createLineSplitter } from './line-splitter.ts';

export interface MessageReaderOptions extends ReadingLimits, PieceHandlers {
  readonly framing: Framing;
  /** `auto`: the server speaks frames, which is known before the first of them is delivered. */
  readonly onFrames: () => void;
}

export function createMessageReader(options: MessageReaderOptions): MessageReader {
  switch (options.framing) {
    case 'newline':
      return lineReader(options, options.onText);
    case 'content-length':
      return new FrameReader(options);
    case 'auto':
    default:
      return new AutoReader(options);
  }
}

function lineReader(
  { messageBytes, unbrokenBytes, keptBytes, onDropped, onFlood }: ReadingLimits & PieceHandlers,
  onLine: (text: string) => void,
): MessageReader {
  return createLineSplitter({
    lineBytes: messageBytes,
    unbrokenBytes,
    keptBytes,
    onLine,
    onDropped,
    onFlood: () => onFlood(),
  });
}

const lineEnd = 0x0a;

/**
 * Reads lines until one of them is a message, which decides for lines for good, or until a whole block of headers has come, which
 * decides for frames for good. Noise before either, such as a banner, decides nothing.
 */
class AutoReader implements MessageReader {
  readonly #options: MessageReaderOptions;
  #reader: MessageReader;
  #isDecided = false;
  /** Lines that may be the beginning of a block. */
  #held: string[] = [];
  #heldBytes = 0;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
    this.#reader = lineReader(options, (text) => (this.#isDecided ? options.onText(text) : this.#judge(text)));
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    // Line by line, so that the bytes behind the headers are left to whoever reads frames.
    while (!this.#isDecided && rest.length > 0) {
      const end = rest.indexOf(lineEnd) + 1;
      const piece = end === 0 ? rest : rest.subarray(0, end);
      rest = rest.subarray(piece.length);
      this.#reader.push(piece);
    }
    if (rest.length > 0) this.#reader.push(rest);
  }

  end(): void {
    this.#reader.end();
    this.#giveUpHeld();
  }

  stop(): void {
    this.#held = [];
    this.#reader.stop();
  }

  #judge(line: string): void {
    const text = line.replace(/\r$/, '');
    if (this.#held.length > 0 && text.trim() === '') {
      if (this.#isBlock()) this.#readFrames();
      else this.#giveUpHeld();
      return;
    }
    if (beginsBlock(text) || (this.#held.length > 0 && looksLikeHeader(text))) {
      this.#held.push(text);
      this.#heldBytes += text.length;
      if (this.#heldBytes > this.#options.headerBytes) this.#giveUpHeld();
      return;
    }
    this.#giveUpHeld();
    if (this.#options.onText(line) === 'messages') this.#isDecided = true;
  }

  #isBlock(): boolean {
    const block = new HeaderBlock({ blockBytes: this.#options.headerBytes, onJunk() {} });
    for (const line of this.#held) block.add(line, false);
    return block.end() !== undefined;
  }

  #readFrames(): void {
    this.#isDecided = true;
    const block = `${this.#held.join('\r\n')}\r\n\r\n`;
    this.#held = [];
    this.#options.onFrames();
    this.#reader = new FrameReader(this.#options);
    this.#reader.push(Buffer.from(block));
  }

  /** They were noise. */
  #giveUpHeld(): void {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const line of held) this.#options.onText(line);
  }
}
