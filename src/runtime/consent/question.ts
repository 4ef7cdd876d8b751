/** What a person is asked. All texts are our own; names and values in them are clean, redacted and cut. */

/** `once`: this one request; of a sign-in, its only yes. `session`: until the session (of a host, or of the daemon for one folder) ends. `always`: kept. */
export type ChoiceId = 'once' | 'session' | 'always' | 'no';

export interface Question {
  /** Cannot be guessed, and can be answered once; of a sign-in, by the port that was asked alone. */
  readonly id: string;
  /**
   * `connect`: may the server be started or connected to. `use`: may it be used. `call`: may this tool be called. `sign-in`: shall the
   * page be opened at which a person signs in.
   */
  readonly kind: 'connect' | 'use' | 'call' | 'sign-in';
  readonly server: string;
  /** One sentence that asks. */
  readonly title: string;
  /** What is known of what is asked for, to be shown in this order. */
  readonly facts: readonly QuestionFact[];
  /** What a yes covers, and what it does not. */
  readonly covers: string;
  readonly choices: readonly Choice[];
  /** How long an answer is waited for, milliseconds from being asked. */
  readonly deadlineMs: number;
}

/** A question without what makes it one that can be answered. */
export type QuestionTexts = Omit<Question, 'id' | 'deadlineMs'>;

export interface QuestionFact {
  readonly label: string;
  readonly value: string;
}

export interface Choice {
  readonly id: ChoiceId;
  readonly label: string;
}

/** An answer to a question. */
export interface Answer {
  /** Its id. */
  readonly question: string;
  readonly choice: ChoiceId;
}
