/** A request that a person has to allow: they are asked, and it is done once more. Nothing of it was executed before. */
import { asTrestleError, type Clock, limits, startDeadline, within } from '../../base/index.ts';
import { type Failed, failedOutcome, type Outcome } from '../outcome.ts';
import type { HostPorts } from '../ports.ts';
import type { Errand } from './errand.ts';
import { type Obstacle, obstacleOf } from './obstacle.ts';
import type { Question } from './question.ts';

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

/** What came of a question: what its request ends with, or that it is to be tried once more, after an answer or without being asked. */
type Settled = Failed | 'once more' | 'not asked';

/** A question in the queue: it waits for its turn, and then for its answer, each no longer than its deadline and its request. */
interface Waiting {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly question: Question;
  /** What was asked before its turn came, in the same words, was answered by no. */
  isRefused: boolean;
}

/** Asks whoever answers at `ask`. A turn lasts as long as a question: what it allows runs outside of it, and keeps nobody waiting. */
export function createAsking(ask: NonNullable<HostPorts['ask']>, clock: Clock): Asking {
  let last: Promise<unknown> = Promise.resolve();
  const queue = new Set<Waiting>();
  let answered = 0;
  let unanswered = 0;

  /** Undefined where its turn does not come in time. */
  const inTurn = async <T>(waiting: Waiting, work: () => Promise<T>): Promise<T | undefined> => {
    const before = last.then(() => true);
    const turn = Promise.withResolvers<void>();
    last = before.then(() => turn.promise);
    queue.add(waiting);
    try {
      return (await waitFor(waiting, () => before)) === true ? await work() : undefined;
    } finally {
      queue.delete(waiting);
      turn.resolve();
    }
  };
  /** Asks, and does what was chosen: while a person signs in they are asked nothing else. */
  const settled = async (waiting: Waiting, obstacle: Obstacle): Promise<Settled> => {
    const choice = await waitFor(waiting, (over) => ask(waiting.question, over));
    // One no is enough for what was asked many times at once.
    if (choice === 'no') for (const one of queue) one.isRefused ||= isSame(one.question, waiting.question);
    const failed = await obstacle.settle(choice ?? 'no');
    if (choice === undefined) {
      unanswered += 1;
      return obstacle.unanswered;
    }
    if (failed !== undefined) return failed;
    answered += 1;
    return 'once more';
  };
  /** What becomes of a request that was attempted when so many questions were answered. Rejects with what stands against it. */
  const passed = async (obstacle: Obstacle, before: number, signal: Errand['signal']): Promise<Settled> => {
    const waiting: Waiting = { clock, signal, question: obstacle.question, isRefused: false };
    const silent = unanswered;
    const end = await inTurn(waiting, async () => {
      if (waiting.isRefused) return (await obstacle.settle('no')) ?? obstacle.unanswered;
      if (answered !== before) return 'not asked';
      // Who did not answer the question before this one is not there.
      return unanswered === silent ? settled(waiting, obstacle) : obstacle.unanswered;
    });
    return end ?? obstacle.unanswered;
  };
  return {
    get answered() {
      return answered;
    },
    async ask(met, attempt, errand) {
      let { outcome, answered: before } = met;
      let hasSignedIn = false;
      for (let asked = 0; asked < limits.questionsARequest;) {
        const obstacle = obstacleOf(outcome, errand, hasSignedIn);
        if (obstacle === undefined) return outcome;
        const { execution } = outcome;
        try {
          const end = await passed(obstacle, before, errand.signal);
          if (typeof end === 'object') return end;
          if (end === 'once more') {
            asked += 1;
            hasSignedIn ||= obstacle.question.kind === 'sign-in';
          }
        } catch (error) {
          return failedOutcome(asTrestleError(error, { execution }));
        }
        before = answered;
        outcome = await attempt();
      }
      return outcome;
    },
  };
}

/** Whether a no to one of them is one to the other: about a server as a whole, whatever it is wanted for; else about the same use. */
function isSame(one: Question, other: Question): boolean {
  if (one.title !== other.title) return false;
  if (one.kind === 'connect' || one.kind === 'sign-in') return one.kind === other.kind;
  return JSON.stringify(one.facts) === JSON.stringify(other.facts);
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
