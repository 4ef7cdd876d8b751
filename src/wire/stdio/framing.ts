/**
 * How messages stand in a stream of bytes. The specification knows one framing, a line a message; servers that grew out of editors
 * speak the other one, of the Language Server Protocol: a block of headers with `Content-Length`, a blank line, so many bytes.
 */

/** `auto` writes lines until the server's first bytes are a header, and frames from then on. */
export type Framing = 'auto' | 'newline' | 'content-length';

/** What separates a message from its neighbours when it is written: what goes before it and after it. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

/** The envelope of a message of `bytes`. */
export function envelopeOf(framing: Exclude<Framing, 'auto'>, bytes: number): Envelope {
  return framing === 'newline'
    ? { before: '', after: '\n' }
    : { before: `Content-Length: ${bytes}\r\n\r\n`, after: '' };
}

/** What a stream is cut into. */
export interface PieceHandlers {
  /** A piece where a message should stand; says what it was. Bytes that are no UTF-8 became U+FFFD. */
  readonly onText: (text: string) => 'messages' | 'blank' | 'broken' | 'noise';
  /** What stood where no message may stand: noise unless it is blank. */
  readonly onJunk: (text: string) => void;
  /** A message over the limit was dropped while it was read. */
  readonly onDropped: (message: DroppedMessage) => void;
  /** Too much came without structure, or was announced; called once, the last call of all. */
  readonly onFlood: (announcedBytes?: number) => void;
}

/** What is kept of a message that was too long. */
export interface DroppedMessage {
  readonly sizeBytes: number;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** Bounds of the reading of a stream. */
export interface ReadingLimits {
  /** Longest message that is delivered. */
  readonly messageBytes: number;
  /** Longest block of headers. */
  readonly headerBytes: number;
  /** Bytes without structure after which nothing more is read. */
  readonly unbrokenBytes: number;
  /** How much of both ends of a dropped message is kept. */
  readonly keptBytes: number;
}

/** Cuts a stream into messages. */
export interface MessageReader {
  push(chunk: Uint8Array): void;
  /** The stream is over: what has been read of a message is delivered. */
  end(): void;
  /** Nothing more is delivered; what is kept is freed. */
  stop(): void;
}
