/** Frames on the socket: one JSON value a line, of bounded length. */
import { formatBytes, type JsonValue, limits, parseJson, stringifyJson, TrestleError } from '../base/index.ts';

const lineEnd = 0x0a;

/** Throws `message_too_large` for a frame that the other side would take for a broken one, and leave. */
export function frameText(frame: object): string {
  const text = stringifyJson(frame);
  // A UTF-16 code unit takes at most three bytes: short frames need no count.
  const bytes = text.length * 3 <= limits.daemonFrameBytes ? 0 : Buffer.byteLength(text);
  if (bytes > limits.daemonFrameBytes) throw tooLarge(bytes);
  return `${text}\n`;
}

/** Makes frames of the chunks of one connection. */
export class FrameReader {
  readonly #mostBytes: () => number;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** `mostBytes` is asked anew for each chunk: more is allowed once the other side has proven itself. */
  constructor(mostBytes: () => number) {
    this.#mostBytes = mostBytes;
  }

  /** The frames that `chunk` completes, one by one. Throws `broken_reply` for a line that is too long or no JSON. */
  *read(chunk: Buffer): Generator<JsonValue> {
    let from = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      yield this.#take();
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#mostBytes()) throw broken('a frame is too long');
    this.#parts.push(part);
  }

  #take(): JsonValue {
    const [only] = this.#parts;
    const line = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    try {
      return parseJson(line.toString('utf8'));
    } catch (error) {
      throw broken('a frame is no JSON', error);
    }
  }
}

function tooLarge(bytes: number): TrestleError {
  return new TrestleError({
    code: 'message_too_large',
    message: `Between a client and the daemon at most ${formatBytes(limits.daemonFrameBytes)} go at once, and this has ${formatBytes(bytes)}.`,
    hint: 'Pass less, or ask for less: a path in place of contents, a page, a filter.',
  });
}

function broken(what: string, cause?: unknown): TrestleError {
  return new TrestleError({ code: 'broken_reply', message: `The daemon's socket: ${what}.`, cause });
}
