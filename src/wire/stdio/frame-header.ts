/** A block of headers before a frame, line by line, as text without line ends. */

/** Whether a block begins here for certain: nobody begins one with others than these two. */
export function beginsBlock(line: string): boolean {
  return /^\uFEFF?content-(?:length|type)[ \t]*:/i.test(line);
}

/** Any header, or the continuation of one; it may also be a line of a log. */
export function looksLikeHeader(line: string): boolean {
  return /^(?:\uFEFF?[\w!#$%&'*+.^`|~-]+[ \t]*:|[ \t])/.test(line);
}

/** Greedy: the last one counts. A name that only ends like it is another header's. */
const lengthHeader = /^(.*)(?<![a-z\d]-)(content-length[ \t]*:(.*))$/is;

/** NaN for what is no number; what no number can tell is as much as one can. */
function readLength(value: string): number {
  return /^[ \t]*\d+[ \t]*$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : Number.NaN;
}

export interface HeaderBlockOptions {
  /** Longest block. */
  readonly blockBytes: number;
  /** A line that turned out to be no header. */
  readonly onJunk: (line: string) => void;
}

/** One block after another. Names are compared without case, blanks around the colon are tolerated, other headers are ignored. */
export class HeaderBlock {
  readonly #options: HeaderBlockOptions;
  /** NaN for what is no number. */
  readonly #lengths = new Set<number>();
  #lines: string[] = [];
  #bytes = 0;

  constructor(options: HeaderBlockOptions) {
    this.#options = options;
  }

  /**
   * One line that is not blank. `isEnd`: its beginning was junk and is told. A length header may stand behind something else, the end
   * of a message whose own length was too short: that is junk then, and so is what was read of a block before it.
   */
  add(line: string, isEnd: boolean): void {
    const [, before = '', header, value = ''] = lengthHeader.exec(line) ?? [];
    if (header !== undefined) {
      if (isEnd || before.trim() !== '') this.#drop(isEnd ? [] : [before]);
      this.#keep(header);
      this.#lengths.add(readLength(value));
    } else if (this.#lengths.size > 0 || (looksLikeHeader(line) && !isEnd)) {
      this.#keep(line);
    } else {
      this.#drop(isEnd ? [] : [line]);
    }
  }

  /** A blank line: the length the block gives; undefined when there is none, or none that is sure. */
  end(): number | undefined {
    const [length = Number.NaN] = this.#lengths;
    if (this.#lengths.size !== 1 || Number.isNaN(length)) {
      this.#drop([]);
      return undefined;
    }
    const junk = this.#lines.filter((line) => !looksLikeHeader(line));
    this.#lines = [];
    this.#drop(junk);
    return length;
  }

  /** A block that grows too long was none; lines of a log that look like headers do not count against those behind them. */
  #keep(line: string): void {
    if (this.#bytes + line.length > this.#options.blockBytes) this.#drop([]);
    this.#lines.push(line);
    this.#bytes += line.length;
  }

  /** Forgets the block: its lines, and `further` ones, were no headers. */
  #drop(further: readonly string[]): void {
    for (const line of [...this.#lines, ...further]) this.#options.onJunk(line);
    this.#lengths.clear();
    this.#lines = [];
    this.#bytes = 0;
  }
}
