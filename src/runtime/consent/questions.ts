/** Questions that were asked and not yet answered, and what was allowed once. In memory: who asks again gets a new question. */
import { type Clock, limits, randomHex, type Scope, TrestleError } from '../../base/index.ts';
import type { Wanted } from '../../policy/index.ts';
import type { ToolDescriptor } from '../../registry/index.ts';
import type { Answer, ChoiceId, Question, QuestionTexts } from './question.ts';

/** What an answer is about. */
export interface Subject {
  readonly wanted: Wanted;
  readonly scope: Scope;
  /** Equal for equal requests, and for no others: what a yes for once lets through. */
  readonly binding: string;
  /** Of the tool that is called, where it is known. */
  readonly descriptor: ToolDescriptor | undefined;
  /** Where the server's descriptors stand. */
  readonly registryName: string;
}

/** What was asked, and what a person chose. */
export interface Answered extends Subject {
  readonly question: Question;
  readonly choice: ChoiceId;
}

export class Questions {
  readonly #clock: Clock;
  readonly #open = new Map<
    string,
    { readonly question: Question; readonly subject: Subject; readonly endMs: number }
  >();
  readonly #once = new Map<string, { readonly kind: Wanted['kind']; readonly endMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Opens a question about `subject`. */
  ask(subject: Subject, texts: QuestionTexts): Question {
    const question: Question = { id: randomHex(16), ...texts, deadlineMs: limits.questionMs };
    // It may wait for its turn as long as for its answer.
    this.#open.set(question.id, { question, subject, endMs: this.#clock.monotonicMs() + 2 * limits.questionMs });
    dropOldest(this.#open);
    return question;
  }

  /** The question is answered and gone. Throws `unknown_question`, also for one that is too old, and `usage` for no choice of it. */
  take({ question: id, choice }: Answer): Answered {
    const known = this.#open.get(id);
    this.#open.delete(id);
    if (known === undefined || known.endMs < this.#clock.monotonicMs()) {
      throw new TrestleError({
        code: 'unknown_question',
        message: 'There is no such question, or it was answered already, or its time is over.',
        hint: 'Send the request once more; where it still needs an answer, there is a new question.',
      });
    }
    const { question, subject } = known;
    if (!question.choices.some((one) => one.id === choice)) {
      throw new TrestleError({ code: 'usage', message: `${JSON.stringify(choice)} is no choice of this question.` });
    }
    return { ...subject, question, choice };
  }

  /** Lets the next request with this binding through, once. */
  allowOnce({ scope, binding, wanted }: Subject): void {
    const endMs = this.#clock.monotonicMs() + limits.questionMs;
    this.#once.set(onceKey(scope, binding), { kind: wanted.kind, endMs });
    dropOldest(this.#once);
  }

  /** What was allowed once for such a request; it is used up. */
  takeOnce({ scope, binding }: Pick<Subject, 'scope' | 'binding'>): Wanted['kind'] | undefined {
    const key = onceKey(scope, binding);
    const allowed = this.#once.get(key);
    this.#once.delete(key);
    return allowed === undefined || allowed.endMs < this.#clock.monotonicMs() ? undefined : allowed.kind;
  }
}

function onceKey(scope: Scope, binding: string): string {
  return `${scope}\n${binding}`;
}

function dropOldest(map: Map<string, unknown>): void {
  for (const oldest of map.keys()) {
    if (map.size <= limits.openQuestions) break;
    map.delete(oldest);
  }
}
