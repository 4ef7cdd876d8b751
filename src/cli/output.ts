/** The command's two streams. Standard output carries results only; everything else goes to standard error. */
import { fileError, pasteable, type Program, type TrestleError } from '../base/index.ts';
import { cleanLine, cleanText } from '../policy/index.ts';
import { createStyle, type Style } from './render/style.ts';

/** What a stream of the process offers; narrowed so that tests can hand in their own. */
export interface TextStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(chunk: string | Uint8Array, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface Output {
  readonly json: boolean;
  /** Style of standard output and of standard error. */
  readonly style: Style;
  readonly errorStyle: Style;
  /** Whether a person reads standard output (and standard error) directly. */
  readonly terminal: boolean;
  readonly errorTerminal: boolean;
  /** Columns to fill on standard output, and on standard error: of the terminal, else 100. */
  readonly columns: number;
  readonly errorColumns: number;
  /** Writes a part of the result as it is; resolves when the stream took it. A reader that left is no error. */
  write(result: string | Uint8Array): Promise<void>;
  /** Writes result lines; what servers said must be cleaned before. */
  lines(lines: readonly string[]): Promise<void>;
  /** Our own text with our commands in it as they can be pasted. */
  readonly pasteable: (text: string) => string;
  /** A line for the person, cleaned, on standard error. */
  note(text: string): void;
  /** Text on standard error as it is. */
  error(text: string): void;
  /** Set by what draws progress: called before other text goes to the terminal. */
  beforeText(hide: (() => void) | undefined): void;
  /** Shows what is under way in place of what it showed before, where that is not on standard error; no lines: nothing is. */
  readonly progressPlace?: (lines: readonly string[]) => void;
  /** Until it is disposed of, nobody draws: a person is being asked. */
  hold(): Disposable;
  readonly isHeld: boolean;
  /** Resolves when both streams took everything they will take. */
  drained(): Promise<void>;
  /** Why standard output is not whole, such as a full disk; undefined when it is, or when its reader left. */
  loss(): TrestleError | undefined;
}

export interface OutputOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  readonly program: Program;
  readonly progressPlace?: Output['progressPlace'];
}

/** Columns where nobody says how many there are. */
const usualColumns = 100;
/** Longest line of a note; messages of servers may be of any length. */
const noteCharacters = 4_000;

export function createOutput(options: OutputOptions): Output {
  const { env } = options;
  const stdout = createWriter(options.stdout);
  const stderr = createWriter(options.stderr);
  let hide: (() => void) | undefined;
  let holds = 0;
  let style: Style | undefined;
  let errorStyle: Style | undefined;
  const styleOfErrors = (): Style => (errorStyle ??= createStyle(options.stderr.isTTY === true, env));
  const told = (text: string): string => pasteable(text, options.program);
  const error = (text: string): void => {
    hide?.();
    void stderr.write(text);
  };
  return {
    json: options.json,
    ...(options.progressPlace === undefined ? {} : { progressPlace: options.progressPlace }),
    get style() {
      return (style ??= createStyle(options.stdout.isTTY === true, env));
    },
    get errorStyle() {
      return styleOfErrors();
    },
    get terminal() {
      return options.stdout.isTTY === true;
    },
    get errorTerminal() {
      return options.stderr.isTTY === true;
    },
    get columns() {
      return columnsOf(options.stdout);
    },
    get errorColumns() {
      return columnsOf(options.stderr);
    },
    write: (result) => {
      if (options.stdout.isTTY === true) hide?.();
      return stdout.write(result);
    },
    lines: (lines) => (lines.length === 0 ? Promise.resolve() : stdout.write(`${lines.join('\n')}\n`)),
    pasteable: told,
    note: (text) => error(`${styleOfErrors().dim('note:')} ${cleanLine(cleanText(told(text)), noteCharacters)}\n`),
    error,
    beforeText: (listener) => {
      hide = listener;
    },
    hold() {
      hide?.();
      holds += 1;
      return { [Symbol.dispose]: () => void (holds -= 1) };
    },
    get isHeld() {
      return holds > 0;
    },
    drained: async () => {
      await Promise.all([stdout.drained(), stderr.drained()]);
    },
    loss: () => {
      const failure = stdout.failure();
      return failure === undefined || isReaderGone(failure)
        ? undefined
        : fileError('standard output', 'write', failure);
    },
  };
}

// A terminal that does not know its width says 0.
function columnsOf(stream: TextStream): number {
  return stream.columns || usualColumns;
}

interface Writer {
  write(chunk: string | Uint8Array): Promise<void>;
  drained(): Promise<void>;
  /** What ended the writing. */
  failure(): Error | undefined;
}

// As in `trestle list | head`; a socket tells it by a code of its own, and Node.js by others when it knew before us.
function isReaderGone(failure: Error): boolean {
  const code = 'code' in failure ? String(failure.code) : '';
  return code === 'EPIPE' || code === 'ECONNRESET' || code.startsWith('ERR_STREAM_');
}

// Once a write failed the rest is dropped: a part of a result that is missing in the middle is worse than none.
function createWriter(stream: TextStream): Writer {
  let failure: Error | undefined;
  let last: Promise<void> = Promise.resolve();
  stream.on('error', (error) => {
    failure ??= error;
  });
  return {
    write(chunk) {
      if (failure !== undefined || chunk.length === 0) return last;
      const written = new Promise<void>((resolve) => {
        stream.write(chunk, (error) => {
          if (error) failure ??= error;
          resolve();
        });
      });
      last = Promise.all([last, written]).then(() => undefined);
      return last;
    },
    drained: () => last,
    failure: () => failure,
  };
}
