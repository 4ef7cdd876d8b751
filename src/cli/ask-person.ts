/** Asks a person at the terminal. Questions stand on standard error: standard output carries results only. */
import type { ChoiceId, Question } from '../runtime/index.ts';
import type { Output } from './output.ts';
import { renderQuestion } from './render/question.ts';
import type { Surroundings } from './surroundings.ts';

export interface Terminal {
  readonly surroundings: Pick<Surroundings, 'readLine'>;
  readonly output: Output;
}

/** The choice; undefined where the terminal's input ends. Asks again after a line that is no choice. */
export async function askPerson(
  question: Question,
  signal: AbortSignal,
  { surroundings, output }: Terminal,
): Promise<ChoiceId | undefined> {
  // What draws progress would draw over the question.
  using held = output.hold();
  void held;
  // Where there is one yes, that is what is typed for it.
  const isPlain = question.choices.length === 2;
  const letters = question.choices.map(({ id, label }) => {
    const word = isPlain && id !== 'no' ? 'yes' : id;
    return { id, label, word, letter: word.charAt(0) };
  });
  const menu = letters.map(({ letter, label }) => `[${letter}] ${label}`).join('  ');
  output.error(`${renderQuestion(question, output).join('\n')}\n`);
  for (;;) {
    output.error(`${menu}\nYour choice (Enter means no): `);
    const line = await lineOf({ surroundings, output }, signal);
    if (line === undefined) return undefined;
    const said = line.trim().toLowerCase();
    if (said === '') return 'no';
    const chosen = letters.find(({ word, letter }) => said === letter || said === word);
    if (chosen !== undefined) return chosen.id;
    output.error(`There is no choice ${JSON.stringify(said)}.\n`);
  }
}

/** A question of yes or no; only a plain yes is one. */
export async function askYes(text: string, signal: AbortSignal, { surroundings, output }: Terminal): Promise<boolean> {
  output.error(`${text} [y/N] `);
  const line = await lineOf({ surroundings, output }, signal);
  return line !== undefined && ['y', 'yes'].includes(line.trim().toLowerCase());
}

/** What is written after an interrupt, or the end of the input, does not stand behind the question. */
async function lineOf({ surroundings, output }: Terminal, signal: AbortSignal): Promise<string | undefined> {
  try {
    const line = await surroundings.readLine?.(signal);
    if (line === undefined) output.error('\n');
    return line;
  } catch (error) {
    output.error('\n');
    throw error;
  }
}
