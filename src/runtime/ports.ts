/** What a host offers to the runtime. Every port is optional; a missing one means "no", said in one line. */
import type { Person, SessionPorts } from '../session/index.ts';
import type { ChoiceId, Question } from './consent/question.ts';

export interface HostPorts {
  /** Absolute paths of the roots told to servers; default: the host's working folder. */
  readonly roots?: () => readonly string[];
  /** Answers a server's `sampling/createMessage`. */
  readonly sample?: NonNullable<SessionPorts['sample']>;
  /** Answers a server's `elicitation/create` (form mode). */
  readonly elicit?: NonNullable<SessionPorts['elicit']>;
  /**
   * Asks a person. Resolves with the choice, or with undefined where nobody answers, which means no; so does whatever comes after
   * `signal` aborts. Questions come one after another.
   */
  readonly ask?: (question: Question, signal: AbortSignal) => Promise<ChoiceId | undefined>;
  /**
   * The person who signs in. Where they can be asked as well (`ask`), a request that a server refuses for the lack of a sign-in asks
   * whether to sign in now; a yes does what their own command does, and what was refused is sent once more. Shown a page for nothing else.
   */
  readonly person?: Person;
}
