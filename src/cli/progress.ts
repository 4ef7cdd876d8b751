/**
 * Progress of long work: one line a server that is rewritten, on the terminal's standard error or where a host shows it; elsewhere plain
 * lines on standard error.
 */
import { type Clock, systemClock, type Timer } from '../base/index.ts';
import { cleanLine } from '../policy/index.ts';
import type { Progress as ServerProgress } from '../session/index.ts';
import type { Output } from './output.ts';

/** Work shorter than this shows nothing on a terminal. */
const quietMs = 400;
/** A terminal is redrawn this often. */
const redrawMs = 120;
/** Elsewhere a server's progress is told at most this often. */
const plainEveryMs = 1_000;
const messageCharacters = 160;

export interface Progress extends Disposable {
  /** Callbacks for one server's request. */
  for(server: string): {
    readonly onStep: (line: string) => void;
    readonly onProgress: (progress: ServerProgress) => void;
    /** The server's line goes. */
    readonly end: () => void;
  };
}

/** Starts showing; dispose it before the result is printed. */
export function showProgress(output: Output, clock: Clock = systemClock): Progress {
  if (output.progressPlace !== undefined) return drawLines(placeOf(output.progressPlace), clock);
  return output.errorTerminal ? drawLines(terminalOf(output), clock) : tellLines(output, clock);
}

/** Progress of work on servers that come up by themselves. */
export interface Steps extends Disposable {
  readonly onStep: (server: string, line: string) => void;
  /** The server's line goes. */
  readonly end: (server: string) => void;
}

/** As {@link showProgress}, for work that names its servers as it goes. */
export function showSteps(output: Output): Steps {
  const progress = showProgress(output);
  const lines = new Map<string, ReturnType<Progress['for']>>();
  return {
    onStep(server, text) {
      const line = lines.get(server) ?? progress.for(server);
      lines.set(server, line);
      line.onStep(text);
    },
    end: (server) => lines.get(server)?.end(),
    [Symbol.dispose]: () => progress[Symbol.dispose](),
  };
}

function tellLines(output: Output, clock: Clock): Progress {
  return {
    for(server) {
      let toldMs = Number.NEGATIVE_INFINITY;
      const tell = (text: string): void => output.error(`${cleanLine(`${server}: ${text}`, messageCharacters)}\n`);
      return {
        onStep: tell,
        onProgress(progress) {
          if (clock.monotonicMs() - toldMs < plainEveryMs) return;
          toldMs = clock.monotonicMs();
          tell(describe(progress));
        },
        end() {},
      };
    },
    [Symbol.dispose]() {},
  };
}

/** Where lines are rewritten. */
interface Canvas extends Disposable {
  readonly columns: number;
  /** Whether nothing may be drawn now. */
  readonly isHeld: boolean;
  draw(lines: readonly string[]): void;
}

function terminalOf(output: Output): Canvas {
  let drawn = 0;
  let writing = false;
  const erase = (): string => {
    const codes = drawn === 0 ? '' : `\u001B[${drawn}F\u001B[J`;
    drawn = 0;
    return codes;
  };
  const write = (text: string): void => {
    if (text === '') return;
    writing = true;
    output.error(text);
    writing = false;
  };
  // The block's own writes come through here too.
  output.beforeText(() => {
    if (!writing) write(erase());
  });
  return {
    get columns() {
      return output.errorColumns - 1;
    },
    get isHeld() {
      return output.isHeld;
    },
    draw(lines) {
      write(`${erase()}${lines.map((line) => `${output.errorStyle.dim(line)}\n`).join('')}`);
      drawn = lines.length;
    },
    [Symbol.dispose]() {
      output.beforeText(undefined);
      write(erase());
    },
  };
}

function placeOf(show: NonNullable<Output['progressPlace']>): Canvas {
  let shown = '';
  const draw = (lines: readonly string[]): void => {
    const text = lines.join('\n');
    if (text === shown) return;
    shown = text;
    show(lines);
  };
  return { columns: messageCharacters, isHeld: false, draw, [Symbol.dispose]: () => draw([]) };
}

function drawLines(canvas: Canvas, clock: Clock): Progress {
  const texts = new Map<string, { text: string; readonly sinceMs: number }>();
  let timer: Timer | undefined;
  let over = false;
  const tick = (): void => {
    if (over) return;
    if (!canvas.isHeld) canvas.draw(shownLines(texts, canvas.columns, clock.monotonicMs()));
    timer = clock.after(redrawMs, tick, { keepAlive: false });
  };
  tick();
  return {
    for(server) {
      const line = { text: 'working', sinceMs: clock.monotonicMs() };
      texts.set(server, line);
      return {
        onStep: (text) => {
          line.text = text;
        },
        onProgress: (progress) => {
          line.text = describe(progress);
        },
        end: () => texts.delete(server),
      };
    },
    [Symbol.dispose]() {
      over = true;
      timer?.cancel();
      canvas[Symbol.dispose]();
    },
  };
}

function shownLines(
  texts: ReadonlyMap<string, { readonly text: string; readonly sinceMs: number }>,
  columns: number,
  nowMs: number,
): readonly string[] {
  return [...texts]
    .filter(([, { sinceMs }]) => nowMs - sinceMs >= quietMs)
    .map(([server, { text, sinceMs }]) => {
      const seconds = Math.floor((nowMs - sinceMs) / 1000);
      return cleanLine(`${server}: ${text} (${seconds} s)`, Math.max(20, columns));
    });
}

function describe(progress: ServerProgress): string {
  const share = progress.total === undefined ? String(progress.progress) : `${progress.progress} of ${progress.total}`;
  return progress.message === undefined ? `progress ${share}` : `${progress.message} (${share})`;
}
