/** Questions that a command asks at a terminal. Without one nobody can be asked, and nothing is taken for an answer. */
import type { CommandContext } from './command.ts';
import { cell } from './render/cell.ts';

/** Whether a person can be asked. */
export function canAsk({ surroundings, output }: CommandContext): boolean {
  return surroundings.inputTerminal && !output.json;
}

/** What is typed after `question`; undefined where nobody can answer. */
async function ask(context: CommandContext, question: string): Promise<string | undefined> {
  const { surroundings, output, signal } = context;
  if (!canAsk(context)) return undefined;
  output.error(`${cell(question, 1_000)} `);
  return (await surroundings.readLine(signal))?.trim();
}

/** A yes or no; anything but a yes is a no, and an empty line is `usual`. */
export async function askYesOrNo(context: CommandContext, question: string, usual: boolean): Promise<boolean> {
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
  const answer = (await ask(context, `${question} [${choices.join('/')}]`))?.toLowerCase() ?? '';
  return (answer === '' ? undefined : choices.find((choice) => choice.startsWith(answer))) ?? choices[0];
}

/** A text; a hidden one is not shown. Undefined where nobody answers or the line is empty. */
export async function askText(context: CommandContext, question: string, hidden: boolean): Promise<string | undefined> {
  const { surroundings, output } = context;
  if (!hidden || surroundings.readHidden === undefined) return (await ask(context, `${question}:`)) || undefined;
  if (!canAsk(context)) return undefined;
  output.error(`${cell(question, 1_000)} (not shown): `);
  try {
    return (await surroundings.readHidden()) || undefined;
  } finally {
    output.error('\n');
  }
}
