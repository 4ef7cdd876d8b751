/** What the host says to what a server asks: roots from the configured ones, sampling and elicitation through its ports. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  asTrestleError,
  type Clock,
  type Deadline,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  startDeadline,
  TrestleError,
  within,
} from '../../base/index.ts';
import type { SessionPorts } from '../dial/dial-options.ts';
import { checkForm } from './form-content.ts';

/** What is declared to servers: roots always, the rest as far as the host can. */
export function clientCapabilities(ports: SessionPorts): JsonObject {
  return {
    roots: {},
    ...(ports.sample === undefined ? {} : { sampling: {} }),
    ...(ports.elicit === undefined ? {} : { elicitation: { form: {} } }),
  };
}

/** A request of a server: one of its own, or one inside a result that asks for input. */
export interface Question {
  readonly method: string;
  readonly params: JsonObject;
}

export interface AskedQuestion extends Question {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Held meanwhile: it is the host that is slow, not the server. */
  readonly deadlines: Iterable<Deadline>;
}

export interface HostAnswers {
  /** Whether the host answers such a question at all. */
  readonly knows: (question: Question) => boolean;
  /**
   * The answer, within limits.portAnswerMs. Rejects with `input_required` and a sentence that may be shown to the server: it holds
   * nothing of what the host failed with.
   */
  readonly answer: (question: AskedQuestion) => Promise<JsonObject>;
}

export interface HostAnswersContext {
  readonly server: string;
  readonly ports: SessionPorts;
  readonly clock: Clock;
}

type Answering = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** The answers of one session's host. */
export function createHostAnswers(context: HostAnswersContext): HostAnswers {
  const answering = waysToAnswer(context);
  return {
    knows: ({ method, params }) =>
      answering[method] !== undefined && (method !== 'elicitation/create' || (params['mode'] ?? 'form') === 'form'),
    async answer(question) {
      const releases = [...question.deadlines].map((deadline) => deadline.hold());
      const answer = answering[question.method];
      try {
        if (answer === undefined) throw unanswered(`The host does not answer ${question.method}.`);
        return await withinLimit(context, question, answer);
      } finally {
        for (const release of releases) release();
      }
    },
  };
}

function waysToAnswer({ server, ports }: HostAnswersContext): Readonly<Record<string, Answering>> {
  const { roots, sample, elicit } = ports;
  const ways: Record<string, Answering> = {
    'roots/list': async () => ({
      roots: roots().map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) || path })),
    }),
  };
  if (sample !== undefined) {
    ways['sampling/createMessage'] = async (params, signal) => readSample(await sample(server, params, signal));
  }
  if (elicit !== undefined) {
    ways['elicitation/create'] = async (params, signal) => {
      const answer = await elicit(server, params, signal);
      if (answer.action !== 'accept') return { action: answer.action };
      const checked = checkForm(params['requestedSchema'], isObject(answer.content) ? answer.content : {});
      if (!checked.ok) throw unanswered(`The answer does not fit the form: ${checked.problem}.`);
      return { action: 'accept', content: checked.content };
    };
  }
  return ways;
}

/** What every revision asks of the result of a `sampling/createMessage`. */
function readSample(value: JsonValue): JsonObject {
  const fits = isObject(value) && typeof value['model'] === 'string' && typeof value['role'] === 'string';
  if (fits && typeof value['content'] === 'object' && value['content'] !== null) return value;
  throw unanswered("The host's answer is no message with role, model and content.");
}

async function withinLimit(
  { server, clock }: HostAnswersContext,
  { method, params, signal }: AskedQuestion,
  answer: Answering,
): Promise<JsonObject> {
  const limit = { idleMs: limits.portAnswerMs, totalMs: limits.portAnswerMs };
  using deadline = startDeadline({ clock, ...limit, signal, subject: `${server}: ${method}`, server });
  try {
    return await within(deadline, answer(params, deadline.signal));
  } catch (error) {
    const reason = asTrestleError(error);
    throw reason.code === 'input_required' ? reason : unanswered(`The host could not answer (${reason.code}).`, error);
  }
}

function unanswered(message: string, cause?: unknown): TrestleError {
  return new TrestleError({ code: 'input_required', message, cause });
}
