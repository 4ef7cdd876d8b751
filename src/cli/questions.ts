/** Questions that a command asks at a terminal, or by a host's dialogs. Without either nobody can be asked, and nothing is taken for an answer. */
import type { CommandContext } from './command.ts';
import { cell } from './render/cell.ts';

/** Whether a person can be asked. */
export function canAsk({ surroundings, output, dialogs }: CommandContext): boolean {
  return (dialogs !== undefined || surroundings.inputTerminal) && !output.json;
}

/** What is typed after `question`; undefined where nobody can answer. */
async function ask(context: CommandContext, question: string): Promise<string | undefined> {
  const { surroundings, output, signal } = context;
  if (!canAsk(context)) return undefined;
  output.error(`${shown(question)} `);
  return (await surroundings.readLine(signal))?.trim();
}

/** A yes or no; anything but a yes is a no, and an empty line is `usual`. */
export async function askYesOrNo(context: CommandContext, question: string, usual: boolean): Promise<boolean> {
  const { dialogs } = context;
  if (dialogs !== undefined) return canAsk(context) && dialogs.confirm([shown(question)], context.signal);
  const answer = await ask(context, `${question} ${usual ? '[Y/n]' : '[y/N]'}`);
  if (answer === undefined) return false;
  return answer === '' ? usual : /^y(es)?$/i.test(answer);
}

/** One of several words, by its beginning; the first is taken for an empty line and for what is none of them. */
export async function askChoice<T extends string>(
  context: CommandContext,
  question: string,
  choices: readonly [T, ...(readonly T[])],
): Promise<T> {
  const { dialogs, signal } = context;
  if (dialogs !== undefined && canAsk(context))
    return (await dialogs.choose([shown(question)], choices, signal)) ?? choices[0];
  const answer = (await ask(context, `${question} [${choices.join('/')}]`))?.toLowerCase() ?? '';
  return (answer === '' ? undefined : choices.find((choice) => choice.startsWith(answer))) ?? choices[0];
}

/** A text; a hidden one is not shown. Undefined where nobody answers or the line is empty. */
export async function askText(context: CommandContext, question: string, hidden: boolean): Promise<string | undefined> {
  const { surroundings, output, dialogs, signal } = context;
  if (dialogs !== undefined) {
    // A dialog shows what is typed.
    if (hidden || !canAsk(context)) return undefined;
    return (await dialogs.enter([shown(question)], signal))?.trim() || undefined;
  }
  if (!hidden || surroundings.readHidden === undefined) return (await ask(context, `${question}:`)) || undefined;
  if (!canAsk(context)) return undefined;
  output.error(`${shown(question)} (not shown): `);
  try {
    return (await surroundings.readHidden()) || undefined;
  } finally {
    output.error('\n');
  }
}

function shown(question: string): string {
  return cell(question, 1_000);
}
