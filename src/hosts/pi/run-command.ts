/** `/mcp-bridge`: a command line of `cli` over the session's own runtime, with Pi's dialogs. */
import { asTrestleError, TrestleError } from '../../base/index.ts';
import { type Interruption, isCommand, type ProcessParts, runCommandLine, type Surroundings } from '../../cli/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { type Answering, answerPlace, type AnswerPlace } from './answer.ts';
import type { OpenBridge } from './bridge.ts';
import { commandWords } from './command-words.ts';
import { dialogsOf } from './dialogs.ts';
import { onEscape } from './escape.ts';
import type { PiContext } from './pi.ts';
import { piProgram } from './program.ts';
import { progressIn } from './progress.ts';
import { surroundingsOf } from './surroundings.ts';

export interface CommandParts extends Answering {
  readonly runtime: Runtime;
  readonly surroundings: Surroundings;
  /** Aborts with a TrestleError when the session ends. */
  readonly signal: AbortSignal;
}

/** As {@link runCommand}, in an open session. */
export function commandIn(line: string, { pi, runtime, context, program, signal }: OpenBridge): Promise<void> {
  return runCommand(line, { pi, runtime, context, signal, surroundings: surroundingsOf(context, program) });
}

/** Runs what stands behind `/mcp-bridge`, and shows what it says. Rejects only where Pi cannot show anything. */
export async function runCommand(line: string, parts: CommandParts): Promise<void> {
  const place = answerPlace(parts);
  const words = readWords(line, place);
  if (words === undefined) return place.end({ command: '', exitCode: usageCode, json: false });
  const [name = ''] = words;
  const command = isCommand(name, piProgram) ? name : '';
  const process = processParts(parts, { place, command });
  const exitCode = await runCommandLine(words, process);
  if (command === '' && name !== '' && !name.startsWith('-')) {
    // Behind the refusal of a command that there is not.
    place.stderr.write('\n', () => {});
    await runCommandLine([], process);
  }
  const dashes = words.indexOf('--');
  const json = (dashes === -1 ? words : words.slice(0, dashes)).includes('--json');
  await place.end({ command, exitCode, json });
}

/** As in a shell, what was typed is at fault. */
const usageCode = 2;

function readWords(line: string, { stderr }: AnswerPlace): readonly string[] | undefined {
  try {
    return commandWords(line);
  } catch (thrown) {
    const { code, message, hint } = asTrestleError(thrown);
    stderr.write(`error[${code}]: ${message}\nhint: ${hint ?? ''}\n`, () => {});
    return undefined;
  }
}

interface Answered {
  readonly place: AnswerPlace;
  readonly command: string;
}

function processParts(parts: CommandParts, { place, command }: Answered): ProcessParts {
  const { context, runtime, surroundings, signal } = parts;
  const { stdout, stderr, isQuiet } = place;
  return {
    // Pi colors what it shows by its own theme.
    surroundings: { ...surroundings, env: { ...surroundings.env, NO_COLOR: '1' } },
    stdout,
    stderr,
    runtime,
    program: piProgram,
    interruption: () => interruptionIn(context, signal),
    ...(context.hasUI ? { dialogs: dialogsOf(context, () => place.showSoFar(command)) } : {}),
    ...(isQuiet ? { showProgress: progressIn(context) } : {}),
  };
}

/** The end of the session, and Esc. */
function interruptionIn(context: PiContext, session: AbortSignal): Interruption {
  const ended = new AbortController();
  const end = (): void => ended.abort(new TrestleError({ code: 'cancelled', message: 'Ended by Esc.' }));
  const stopListening = onEscape(context, end);
  const signal = AbortSignal.any([session, ended.signal]);
  return {
    signal,
    exitCode: () => (signal.aborted ? interruptedCode : undefined),
    [Symbol.dispose]: stopListening,
  };
}

const interruptedCode = 130;
