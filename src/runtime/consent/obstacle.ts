/** What stands in a request's way until a person says yes, and what is done about it then. */
import { TrestleError } from '../../base/index.ts';
import { type Failed, failedOutcome, hasValue, type Outcome } from '../outcome.ts';
import { type Errand, questionOf, signInLacking } from './errand.ts';
import type { ChoiceId, Question } from './question.ts';
import { signInQuestion } from './sign-in-question.ts';

export interface Obstacle {
  readonly question: Question;
  /** What the request comes to where nobody answers. */
  readonly unanswered: Failed;
  /**
   * Does what was chosen. Resolves with what the request comes to, or with undefined where it is to be tried once more. Rejects with why
   * that could not be done.
   */
  readonly settle: (choice: ChoiceId) => Promise<Failed | undefined>;
}

/** Undefined where nothing that a person could say would help. `hasSignedIn`: for this request, by an answer of before. */
export function obstacleOf(outcome: Outcome<unknown>, errand: Errand, hasSignedIn: boolean): Obstacle | undefined {
  const question = questionOf(outcome);
  return question === undefined ? signInObstacle(outcome, errand, hasSignedIn) : approvalObstacle(question, errand);
}

function approvalObstacle(question: Question, { answer }: Errand): Obstacle {
  return {
    question,
    unanswered: refused(question, undefined),
    async settle(choice) {
      await answer({ question: question.id, choice });
      return choice === 'no' ? refused(question, choice) : undefined;
    },
  };
}

function signInObstacle(outcome: Outcome<unknown>, { signIn }: Errand, hasSignedIn: boolean): Obstacle | undefined {
  const lacking = signIn === undefined ? undefined : signInLacking(outcome);
  if (signIn === undefined || lacking === undefined) return undefined;
  // A server that refuses what a person has just signed in for would refuse the next one as well; it may only want more than before.
  if (hasSignedIn && lacking.outcome.failure.details?.['status'] !== 403) return undefined;
  return {
    question: signInQuestion(lacking),
    unanswered: lacking.outcome,
    async settle(choice) {
      // What is no choice of this question is no yes.
      if (choice !== 'once') return lacking.outcome;
      const signedIn = await signIn();
      return hasValue(signedIn) ? undefined : { ...signedIn, execution: lacking.outcome.execution };
    },
  };
}

function refused({ server, title }: Question, choice: 'no' | undefined): Failed {
  const message = choice === 'no' ? `The answer to "${title}" was no.` : `Nobody answered "${title}", which means no.`;
  return failedOutcome(new TrestleError({ code: 'denied', message, server, execution: 'not-sent' }));
}
