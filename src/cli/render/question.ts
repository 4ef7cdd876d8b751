/** A question as a person reads it. */
import { limits } from '../../base/index.ts';
import type { QuestionTexts } from '../../runtime/index.ts';
import type { Output } from '../output.ts';
import { cell } from './cell.ts';
import { createStyle } from './style.ts';
import { wrapped } from './wrap.ts';

/** The texts of a question are short already, and say what they leave out. */
const factCharacters = limits.questionEntryCharacters + 100;

/** The sentence that asks, what is known, and what a yes covers. */
export function renderQuestion(
  { title, facts, covers }: QuestionTexts,
  { errorStyle: style, errorColumns }: Pick<Output, 'errorStyle' | 'errorColumns'>,
): readonly string[] {
  const width = Math.max(0, ...facts.map(({ label }) => label.length));
  return [
    style.bold(cell(title, factCharacters)),
    ...facts.map(
      ({ label, value }) => `  ${style.dim(`${cell(label)}:`.padEnd(width + 1))} ${cell(value, factCharacters)}`,
    ),
    ...wrapped(cell(covers, factCharacters), errorColumns),
  ];
}

/** As {@link renderQuestion}, for a host that breaks lines itself. */
export function questionText(question: QuestionTexts): string {
  return renderQuestion(question, { errorStyle: createStyle(false, {}), errorColumns: Infinity }).join('\n');
}
