/**
 * What a server needs before it can go on: questions inside a result that asks for input (2026-07-28, basic/patterns/mrtr) or
 * inside a task, answered by the host.
 */
import {
  asTrestleError,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  shorten,
  TrestleError,
} from '../../base/index.ts';
import { type Conversation, throwIfEnded } from '../conversation.ts';
import { type Asked, brokenReply } from '../reply.ts';
import type { RequestControl } from '../session.ts';
import type { Question } from './host-answers.ts';

/** Questions by the keys the server gave them. */
export type Questions = ReadonlyMap<string, Question>;

/** The questions of an `inputRequests` member; none when it is absent. Throws `broken_reply`. */
export function readQuestions(value: JsonValue | undefined, asked: Asked): Questions {
  if (value === undefined) return new Map();
  if (!isObject(value)) throw brokenReply(asked, 'asks for input in a way that cannot be read');
  const questions = Object.entries(value);
  if (questions.length > limits.serverRequests) {
    throw brokenReply(
      asked,
      `asks for ${questions.length} things at once, more than the ${limits.serverRequests} allowed`,
    );
  }
  return new Map(questions.map(([key, question]) => [key, readQuestion(question, asked)]));
}

function readQuestion(value: JsonValue, asked: Asked): Question {
  if (!isObject(value) || typeof value['method'] !== 'string') {
    throw brokenReply(asked, 'asks for input by a request without a method');
  }
  const { method, params } = value;
  return { method, params: isObject(params) ? params : {} };
}

/**
 * The host's answers under the same keys. All or none: nothing is asked when the host cannot answer everything. Rejects with
 * `input_required`, or with the reason of the deadline's or the session's end.
 */
export async function answerQuestions(
  conversation: Conversation,
  questions: Questions,
  { control, method }: { readonly control: RequestControl; readonly method: string },
): Promise<JsonObject> {
  const { host, info, over } = conversation;
  const { deadline } = control;
  const asked = { server: info.server, method };
  const beyond = [...questions.values()].filter((question) => !host.knows(question));
  if (beyond.length > 0) throw beyondTheHost(asked, beyond);
  const givenUp = new AbortController();
  const signal = AbortSignal.any([deadline.signal, over, givenUp.signal]);
  try {
    const answers = [...questions].map(async ([key, question]): Promise<[string, JsonObject]> => {
      return [key, await host.answer({ ...question, signal, deadlines: [deadline] })];
    });
    return Object.fromEntries(await Promise.all(answers));
  } catch (error) {
    throwIfEnded(conversation, deadline);
    throw unanswered(asked, [...questions.values()], asTrestleError(error));
  } finally {
    givenUp.abort();
  }
}

function beyondTheHost({ server, method }: Asked, questions: readonly Question[]): TrestleError {
  return new TrestleError({
    code: 'input_required',
    message: `Server "${server}" needs input for ${method} that this host cannot give: ${inWords(questions)}.`,
    hint: 'Use a host that can ask a person, or give the tool what it asks for as arguments.',
    server,
    execution: 'unknown',
    details: { questions },
  });
}

function unanswered({ server, method }: Asked, questions: readonly Question[], cause: TrestleError): TrestleError {
  return new TrestleError({
    code: 'input_required',
    message: `Server "${server}" asked for input for ${method} and got none: ${inWords(questions)}. ${cause.message}`,
    hint: 'Call again and answer what is asked, or give the tool what it asks for as arguments.',
    server,
    execution: 'unknown',
    details: { questions },
    cause,
  });
}

/** A server that goes on asking. */
export function tooManyRounds({ server, method }: Asked): TrestleError {
  return new TrestleError({
    code: 'input_required',
    message: `Server "${server}" asked for input more than ${limits.inputRounds} times during ${method}.`,
    hint: 'The server may never be content; give the tool what it asks for as arguments.',
    server,
    execution: 'unknown',
  });
}

/** `elicitation/create ("Delete 3 files?"), roots/list`. */
function inWords(questions: readonly Question[]): string {
  const words = questions.map(({ method, params }) => {
    const { message } = params;
    return typeof message === 'string' ? `${method} ("${message}")` : method;
  });
  return shorten(words.join(', '), limits.quotedCharacters);
}
