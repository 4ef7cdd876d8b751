/** Where a command of `/mcp-bridge` answers. Nothing of it goes to standard output, which is Pi's, or to the model. */
import type { TextStream } from '../../cli/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { answerType } from './answer-type.ts';
import type { Pi, PiContext } from './pi.ts';

/** What Pi keeps of an answer, as an entry of its session that no model sees. */
export interface Answer {
  /** The command's name alone: what was typed behind it may hold a secret. */
  readonly command: string;
  readonly text: string;
  /** As in a shell. */
  readonly exitCode: number;
}

export interface Answering {
  readonly pi: Pick<Pi, 'appendEntry' | 'registerEntryRenderer'>;
  readonly context: PiContext;
  readonly runtime: Pick<Runtime, 'present' | 'redact'>;
}

export interface AnswerPlace {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Whether what is under way is shown by other means than lines on `stderr`. */
  readonly isQuiet: boolean;
  /** Shows what was written so far: a person is about to be asked about it. */
  showSoFar(command: string): Promise<void>;
  /** Shows what was written, where it does not stand there yet. */
  end(ended: Ended): Promise<void>;
}

export interface Ended extends Omit<Answer, 'text'> {
  /** Whether the result is for a program, which is not told of anything else. */
  readonly json: boolean;
}

/**
 * By mode: in Pi's own window a line or two are a notice and more is an entry; over RPC all of it is a notice; a JSON run has a record of
 * it; elsewhere it goes to standard error as it comes. A run without a person ends with the exit code of a command that failed.
 */
export function answerPlace(answering: Answering): AnswerPlace {
  const { pi, context } = answering;
  // Both came to Pi together: an entry that is neither drawn nor told of would be lost.
  const append = pi.registerEntryRenderer === undefined ? undefined : pi.appendEntry?.bind(pi);
  const { hasUI, mode } = context;
  if (!hasUI && (mode !== 'json' || append === undefined)) return onStandardError(answering);
  return collected(answering, (answer) => {
    if (!hasUI) endWith(answer.exitCode);
    const isShort = answer.exitCode === 0 && answer.text.split('\n').length <= noticeLines;
    if (append !== undefined && (mode === 'json' || (mode === 'tui' && !isShort))) append(answerType, answer);
    else context.ui.notify(answer.text, answer.exitCode === 0 ? 'info' : 'error');
  });
}

const noticeLines = 2;

function collected({ runtime }: Answering, show: (answer: Answer) => void): AnswerPlace {
  let written: { readonly text: string; readonly isResult: boolean }[] = [];
  let isShown = false;
  const stream = (isResult: boolean): TextStream =>
    streamInto((text) => written.push({ text, isResult }), process.stdout.columns);
  return {
    stdout: stream(true),
    stderr: stream(false),
    isQuiet: true,
    async showSoFar(command) {
      if (written.length === 0) return;
      const text = await shown(textOf(written), runtime);
      written = [];
      isShown = true;
      show({ command, text, exitCode: 0 });
    },
    async end({ command, exitCode, json }) {
      if (isShown && written.length === 0 && exitCode === 0) return;
      const results = json ? written.filter(({ isResult }) => isResult) : [];
      const text = await shown(textOf(results.length > 0 ? results : written), runtime);
      show({ command, text: text === '' ? 'There is nothing to show.' : text, exitCode });
    },
  };
}

function textOf(written: readonly { readonly text: string }[]): string {
  return written
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}

/** Without secrets, cut where it is too long, with where the whole is. */
async function shown(text: string, runtime: Answering['runtime']): Promise<string> {
  const { blocks } = await runtime.present([{ type: 'text', text }], 'mcp-bridge');
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function onStandardError({ runtime }: Answering): AnswerPlace {
  const stream = streamInto((text) => process.stderr.write(runtime.redact(text)), process.stderr.columns);
  return {
    stdout: stream,
    stderr: stream,
    isQuiet: false,
    showSoFar: () => Promise.resolve(),
    end({ exitCode }) {
      endWith(exitCode);
      return Promise.resolve();
    },
  };
}

/** The first failure of a run stays. */
function endWith(exitCode: number): void {
  if (exitCode !== 0) process.exitCode ||= exitCode;
}

/** Room that Pi's window leaves at its sides. */
const marginColumns = 4;

function streamInto(take: (text: string) => void, columns: number | undefined): TextStream {
  const decoder = new TextDecoder();
  return {
    columns: columns === undefined ? undefined : columns - marginColumns,
    write(chunk, done) {
      take(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
      done();
      return true;
    },
    on() {},
  };
}
