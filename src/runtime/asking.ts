/** A request that a person has to allow: they are asked, and it is done once more. Nothing of it was sent before. */
import { asTrestleError, type Clock, limits, startDeadline, TrestleError, within } from '../base/index.ts';
import { type Errand, questionOf } from './errand.ts';
import { failedOutcome, type Outcome } from './outcome.ts';
import type { HostPorts } from './ports.ts';
import type { ChoiceId, Question } from './question.ts';

/** One question after another: an answer may spare the questions that wait behind it. */
export interface Asking {
  /** How many were answered by yes: what was attempted before one of them may be let through by it. */
  readonly answered: number;
  /** Goes on after an attempt that met a question: asks in turn, and does it once more. */
  ask<T>(met: Met<T>, attempt: () => Promise<Outcome<T>>, errand: Errand): Promise<Outcome<T>>;
}

/** What an attempt came to. */
export interface Met<T> {
  readonly outcome: Outcome<T>;
  /** {@link Asking.answered} as it was before. */
  readonly answered: number;
}

/** A question in the queue: it waits for its turn, and then for its answer, each no longer than its deadline and its request. */
interface Waiting {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly question: Question;
}

/** Asks whoever answers at `ask`. A turn lasts as long as a question: what it allows runs outside of it, and keeps nobody waiting. */
export function createAsking(ask: NonNullable<HostPorts['ask']>, clock: Clock): Asking {
  let last: Promise<unknown> = Promise.resolve();
  let answered = 0;
  let unanswered = 0;

  /** Undefined where its turn does not come in time. */
  const inTurn = async <T>(waiting: Waiting, work: () => Promise<T>): Promise<T | undefined> => {
    const before = last.then(() => true);
    const turn = Promise.withResolvers<void>();
    last = before.then(() => turn.promise);
    try {
      return (await waitFor(waiting, () => before)) === true ? await work() : undefined;
    } finally {
      turn.resolve();
    }
  };
  const choiceOf = async (waiting: Waiting, answer: Errand['answer']): Promise<ChoiceId | undefined> => {
    const choice = await waitFor(waiting, (over) => ask(waiting.question, over));
    await answer({ question: waiting.question.id, choice: choice ?? 'no' });
    if (choice === undefined) unanswered += 1;
    else if (choice !== 'no') answered += 1;
    return choice;
  };
  /** Resolves when it is to be tried once more, with whether anybody was asked for that. Rejects with what stands against it. */
  const allowed = async (question: Question, before: number, { signal, answer }: Errand): Promise<boolean> => {
    const waiting = { clock, signal, question };
    const silent = unanswered;
    const choice = await inTurn(waiting, async () => {
      if (answered !== before) return 'not asked';
      // Who did not answer the question before this one is not there.
      return unanswered === silent ? choiceOf(waiting, answer) : undefined;
    });
    if (choice === undefined || choice === 'no') throw refused(question, choice);
    return choice !== 'not asked';
  };
  return {
    get answered() {
      return answered;
    },
    async ask(met, attempt, { signal, answer }) {
      let { outcome, answered: before } = met;
      for (let asked = 0; asked < limits.questionsARequest;) {
        const question = questionOf(outcome);
        if (question === undefined) return outcome;
        try {
          if (await allowed(question, before, { signal, answer })) asked += 1;
        } catch (error) {
          return failedOutcome(asTrestleError(error, { execution: 'not-sent' }));
        }
        before = answered;
        outcome = await attempt();
      }
      return outcome;
    },
  };
}

/** Undefined where that takes too long. Rejects with `cancelled`, and what `work` rejects with. */
async function waitFor<T>(
  { clock, signal, question }: Waiting,
  work: (over: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  using deadline = startDeadline({
    clock,
    idleMs: question.deadlineMs,
    totalMs: question.deadlineMs,
    signal,
    subject: `${question.server}: ask a person`,
    server: question.server,
  });
  try {
    return await within(deadline, work(deadline.signal));
  } catch (error) {
    if (deadline.signal.aborted && asTrestleError(error).code === 'timed_out') return undefined;
    throw error;
  }
}

function refused({ server, title }: Question, choice: 'no' | undefined): TrestleError {
  const message = choice === 'no' ? `The answer to "${title}" was no.` : `Nobody answered "${title}", which means no.`;
  return new TrestleError({ code: 'denied', message, server, execution: 'not-sent' });
}
