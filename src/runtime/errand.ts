/** A request whose answer may need a person's word. */
import type { Outcome } from './outcome.ts';
import type { Answer, Question } from './question.ts';

/** What is known of a request whose answer may need a person's word. */
export interface Errand {
  readonly signal?: AbortSignal | undefined;
  /** Tells the answer to whoever asked. Rejects with `unknown_question`. */
  readonly answer: (answer: Answer) => Promise<void>;
}

/** The question that stands in an outcome's way. */
export function questionOf(outcome: Outcome<unknown>): Question | undefined {
  if (outcome.kind !== 'denied' || outcome.failure.code !== 'approval_needed') return undefined;
  return outcome.failure.details?.['question'] as Question | undefined;
}
