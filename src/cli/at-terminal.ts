/** Whether somebody sits at the terminal that a command was started from. */
import type { Output } from './output.ts';
import type { Surroundings } from './surroundings.ts';

/** What tells of a person. */
export interface Seat {
  readonly surroundings: Pick<Surroundings, 'env' | 'inputTerminal'>;
  readonly output: Pick<Output, 'errorTerminal'>;
}

/**
 * Whether a person can be asked: one who sees a question and types the answer, at a terminal. A pseudo-terminal that a build server or an
 * agent has opened looks like one; nobody is asked there who says so by `CI`, as all build servers do, or `TRESTLE_NO_QUESTIONS`.
 */
export function personSits({ surroundings, output }: Seat): boolean {
  const { env, inputTerminal } = surroundings;
  return inputTerminal && output.errorTerminal && !isSet(env['CI']) && !isSet(env['TRESTLE_NO_QUESTIONS']);
}

/** Whether a variable says yes: that of a word that means no, or of nothing, does not. */
function isSet(variable: string | undefined): boolean {
  return variable !== undefined && !['', '0', 'false'].includes(variable.toLowerCase());
}
