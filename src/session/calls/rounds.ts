/**
 * Requests that a server answers by asking back (2026-07-28, basic/patterns/mrtr): the host's answers and the server's state go
 * with a new request of the same parameters, until the answer is no question any more.
 */
import { asTrestleError, type JsonObject, limits } from '../../base/index.ts';
import { type Conversation, ofLaterStep, type OwnRequest, pause } from '../conversation.ts';
import { type Asked, brokenReply } from '../reply.ts';
import type { RequestControl } from '../session.ts';
import { answerQuestions, readQuestions, tooManyRounds } from './input.ts';

/** Sends a request that may be answered by questions; resolves with the answer behind them. */
export async function askInRounds(
  conversation: Conversation,
  request: OwnRequest,
  control: RequestControl,
): Promise<JsonObject> {
  const asking: OwnRequest = { ...request, results: ['input_required'] };
  return await followQuestions(
    conversation,
    { request: asking, result: await conversation.ask(asking, control) },
    control,
  );
}

/** A request and how it was answered. */
export interface Answered {
  readonly request: OwnRequest;
  readonly result: JsonObject;
}

/** The answer behind the questions of `result`, which is it where it asks nothing. A failure on the way is of unknown execution. */
export async function followQuestions(
  conversation: Conversation,
  { request, result }: Answered,
  control: RequestControl,
): Promise<JsonObject> {
  if (conversation.info.era === 'legacy') return result;
  const asked = { server: conversation.info.server, method: request.method };
  let latest = result;
  try {
    for (let round = 1; latest['resultType'] === 'input_required'; round += 1) {
      if (round > limits.inputRounds) throw tooManyRounds(asked);
      // The server is at work, whatever it needs.
      control.deadline.renew();
      const more = await answerOnce(conversation, { latest, asked, round }, control);
      // Only of this request and the answer before it: what earlier rounds said is over.
      latest = await conversation.ask({ ...request, params: { ...request.params, ...more } }, control);
    }
  } catch (error) {
    throw ofLaterStep(asTrestleError(error));
  }
  return latest;
}

interface Round {
  readonly latest: JsonObject;
  readonly asked: Asked;
  readonly round: number;
}

/** Members of the next request. */
async function answerOnce(
  conversation: Conversation,
  { latest, asked, round }: Round,
  control: RequestControl,
): Promise<JsonObject> {
  const { inputRequests, requestState } = latest;
  if (requestState !== undefined && typeof requestState !== 'string')
    throw brokenReply(asked, 'has a state that is no text');
  const questions = readQuestions(inputRequests, asked);
  const state = requestState === undefined ? {} : { requestState };
  if (questions.size > 0) {
    const inputResponses = await answerQuestions(conversation, questions, { control, method: asked.method });
    return { inputResponses, ...state };
  }
  if (requestState === undefined) throw brokenReply(asked, 'asks for input without saying what');
  // Nothing is asked but to come again.
  const { first, longest } = limits.inputPauseMs;
  await pause(conversation, Math.min(first * 2 ** (round - 1), longest), control);
  return state;
}
