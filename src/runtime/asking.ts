/** A request that a person has to allow: they are asked, and it is done once more. Nothing of it was sent before. */
import { asTrestleError, type Clock, limits, startDeadline, TrestleError, within } from '../base/index.ts';
import { type Errand, questionOf } from './errand.ts';
import { failedOutcome, type Outcome } from './outcome.ts';
import type { HostPorts } from './ports.ts';
import type { ChoiceId, Question } from './question.ts';

/** One question after another: an answer may spare the questions that wait behind it. */
export interface Asking {
  /** For an attempt that met a question: done anew when it is its turn, since what was answered meanwhile may be enough. */
  ask<T>(attempt: () => Promise<Outcome<T>>, errand: Errand): Promise<Outcome<T>>;
}

/** Asks whoever answers at `ask`. */
export function createAsking(ask: NonNullable<HostPorts['ask']>, clock: Clock): Asking {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = last;
    const turn = Promise.withResolvers<void>();
    last = before.then(() => turn.promise);
    try {
      await before;
      return await work();
    } finally {
      turn.resolve();
    }
  };
  const asked = async <T>(attempt: () => Promise<Outcome<T>>, { signal, answer }: Errand): Promise<Outcome<T>> => {
    for (let questions = 0; ; questions += 1) {
      const outcome = await attempt();
      const question = questionOf(outcome);
      if (question === undefined || questions >= limits.questionsARequest) return outcome;
      try {
        const choice = await choiceOf(ask, question, { clock, signal });
        await answer({ question: question.id, choice: choice ?? 'no' });
        if (choice === undefined || choice === 'no') return failedOutcome(refused(question, choice));
      } catch (error) {
        return failedOutcome(asTrestleError(error, { execution: 'not-sent' }));
      }
    }
  };
  return { ask: (attempt, errand) => inTurn(() => asked(attempt, errand)) };
}

interface Waiting {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** Undefined where nobody answers in time. Rejects with `cancelled`, and what the port rejects with. */
async function choiceOf(
  ask: NonNullable<HostPorts['ask']>,
  question: Question,
  { clock, signal }: Waiting,
): Promise<ChoiceId | undefined> {
  using deadline = startDeadline({
    clock,
    idleMs: question.deadlineMs,
    totalMs: question.deadlineMs,
    signal,
    subject: `${question.server}: ask a person`,
    server: question.server,
  });
  try {
    return await within(deadline, ask(question, deadline.signal));
  } catch (error) {
    if (deadline.signal.aborted && asTrestleError(error).code === 'timed_out') return undefined;
    throw error;
  }
}

function refused({ server, title }: Question, choice: 'no' | undefined): TrestleError {
  const message = choice === 'no' ? `The answer to "${title}" was no.` : `Nobody answered "${title}", which means no.`;
  return new TrestleError({ code: 'denied', message, server, execution: 'not-sent' });
}
