/** What a person has said no to since they last spoke: a model that takes no for no answer must not have them asked on and on. */
import { limits } from '../../base/index.ts';
import type { ChoiceId, Question } from '../../runtime/index.ts';

export interface Refusals {
  /** Asks by `ask`; no, where they have said no to this so often that they are not asked once more. */
  askUnlessRefused(question: Question, ask: () => Promise<ChoiceId | undefined>): Promise<ChoiceId | undefined>;
  /** They spoke, and may have changed their mind. */
  forget(): void;
}

/** `onSpared`: gets the title of a question that is not asked any more. */
export function createRefusals(onSpared: (title: string) => void): Refusals {
  const counts = new Map<string, number>();
  return {
    async askUnlessRefused(question, ask) {
      const subject = subjectOf(question);
      if ((counts.get(subject) ?? 0) >= mostOf(question)) {
        onSpared(question.title);
        return 'no';
      }
      const choice = await ask();
      // Who does not answer is not there for the next one.
      if (choice === undefined || choice === 'no') counts.set(subject, (counts.get(subject) ?? 0) + 1);
      return choice;
    },
    forget: () => counts.clear(),
  };
}

/** A server, or a tool of it, whatever it is called with. */
function subjectOf({ kind, title }: Question): string {
  return `${kind} ${title}`;
}

/** One no is enough about a server as a whole; that to a call may have been about its arguments, and the next one may be right. */
function mostOf({ kind }: Question): number {
  return kind === 'connect' || kind === 'sign-in' ? 1 : limits.refusedCalls;
}
