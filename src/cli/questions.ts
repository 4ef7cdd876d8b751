/** Questions that a command asks at a terminal, or by a host's dialogs. Without either nobody can be asked, and nothing is taken for an answer. */
import { personSits } from './at-terminal.ts';
import type { CommandContext } from './command.ts';
import { cell } from './render/cell.ts';

/** Whether a person can be asked. */
export function canAsk({ surroundings, output, dialogs }: CommandContext): boolean {
  return (dialogs !== undefined || personSits({ surroundings, output })) && !output.json;
}

/** What is typed after `question`; undefined where nobody can answer. */
async function ask(context: CommandContext, question: string): Promise<string | undefined> {
  const { surroundings, output, signal } = context;
  if (!canAsk(context)) return undefined;
  output.error(`${shown(question)} `);
  return (await surroundings.readLine?.(signal))?.trim();
}

/** A yes or no; anything but a yes is a no, and an empty line is `usual`. Undefined where nobody answers. */
export async function askYesOrNo(
  context: CommandContext,
  question: string,
  usual: boolean,
): Promise<boolean | undefined> {
  const { dialogs, signal } = context;
  if (dialogs !== undefined) return canAsk(context) ? dialogs.confirm([shown(question)], usual, signal) : undefined;
  const answer = await ask(context, `${question} ${usual ? '[Y/n]' : '[y/N]'}`);
  if (answer === undefined) return undefined;
  return answer === '' ? usual : /^y(es)?$/i.test(answer);
}

/** One of several words, or as much of it as only that one begins with; asks again after anything else. The first is taken for an empty line. */
export async function askChoice<T extends string>(
  context: CommandContext,
  question: string,
  choices: readonly [T, ...(readonly T[])],
): Promise<T> {
  const { dialogs, signal, output } = context;
  const [usual] = choices;
  if (dialogs !== undefined && canAsk(context))
    return (await dialogs.choose([shown(question)], choices, signal)) ?? usual;
  for (;;) {
    const answer = await ask(context, `${question} [${choices.join('/')}] (Enter: ${usual})`);
    if (answer === undefined || answer === '') return usual;
    const meant = chosen(answer.toLowerCase(), choices);
    if (meant !== undefined) return meant;
    output.error(`${shown(`Type one of ${choices.join(', ')}.`)}\n`);
  }
}

function chosen<T extends string>(answer: string, choices: readonly T[]): T | undefined {
  const begun = choices.filter((choice) => choice.toLowerCase().startsWith(answer));
  return begun.length === 1 ? begun[0] : begun.find((choice) => choice.toLowerCase() === answer);
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
