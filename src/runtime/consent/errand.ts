/** A request whose answer may need a person's word. */
import type { SignInWanted } from '../../session/index.ts';
import type { Failed, Outcome } from '../outcome.ts';
import type { Answer, Question } from './question.ts';

/** What is known of a request whose answer may need a person's word. */
export interface Errand {
  readonly signal?: AbortSignal | undefined;
  /** Tells the answer to whoever asked. Rejects with `unknown_question`. */
  readonly answer: (answer: Answer) => Promise<void>;
  /** Signs the person in to the server of the request; undefined where no page can be shown to them. Never rejects. */
  readonly signIn?: (() => Promise<Outcome<unknown>>) | undefined;
}

/** The question that stands in an outcome's way. */
export function questionOf(outcome: Outcome<unknown>): Question | undefined {
  if (outcome.kind !== 'denied' || outcome.failure.code !== 'approval_needed') return undefined;
  return outcome.failure.details?.['question'] as Question | undefined;
}

/** A request that a sign-in stands in the way of: refused for the lack of one that a person can make. */
export interface SignInLacking {
  readonly outcome: Failed;
  readonly wanted: SignInWanted;
}

/** Undefined also where the server may have executed what it was asked: a sign-in would not undo that, and it must not be sent again. */
export function signInLacking(outcome: Outcome<unknown>): SignInLacking | undefined {
  if (outcome.kind !== 'unavailable' || outcome.failure.code !== 'auth_required') return undefined;
  if (outcome.execution !== 'not-sent' && outcome.execution !== 'rejected') return undefined;
  const wanted = outcome.failure.details?.['signIn'] as SignInWanted | undefined;
  return wanted === undefined ? undefined : { outcome, wanted };
}
