/** Polls a task to its end: tells its progress, answers its questions, and takes it back when nobody waits any more. */
import {
  asTrestleError,
  isObject,
  type JsonObject,
  limits,
  shorten,
  startDeadline,
  TrestleError,
} from '../../base/index.ts';
import { type Conversation, ofLaterStep, pause } from '../conversation.ts';
import { type Asked, brokenReply, judgeReply, rpcCodeOf, rpcError } from '../reply.ts';
import type { RequestControl } from '../session.ts';
import { answerQuestions, readQuestions, tooManyRounds } from './input.ts';
import { canCancelTasks, readTask, type Task, taskOf } from './task.ts';

const method = 'tools/call';
const invalidParamsCode = -32_602;

/** The result behind `result`, which is it where it is no task. A failure is of unknown execution: the task exists. */
export async function followTask(
  conversation: Conversation,
  result: JsonObject,
  control: RequestControl,
): Promise<JsonObject> {
  const { info } = conversation;
  const task = taskOf(result, { server: info.server, method }, info);
  if (task === undefined) return result;
  const follower = new TaskFollower(conversation, task, control);
  try {
    return await follower.follow();
  } catch (error) {
    follower.takeBack();
    const reason = ofLaterStep(asTrestleError(error));
    throw reason.with({ details: { ...reason.details, taskId: task.id } });
  }
}

/** Lives as long as its call waits. */
class TaskFollower {
  readonly #conversation: Conversation;
  readonly #control: RequestControl;
  readonly #asked: Asked;
  /** Keys of questions that were answered: the server repeats them until it has taken the answer in. */
  readonly #answered = new Set<string>();
  #task: Task;
  #isOver = false;
  #told = 0;
  #toldWords: string | undefined;
  #failures = 0;
  #rounds = 0;

  constructor(conversation: Conversation, task: Task, control: RequestControl) {
    this.#conversation = conversation;
    this.#task = task;
    this.#control = control;
    this.#asked = { server: conversation.info.server, method };
  }

  async follow(): Promise<JsonObject> {
    // What the first answer tells of an end, or of questions, is told in full by tasks/get only.
    if (this.#task.status !== 'working') await this.#poll();
    for (;;) {
      this.#tell();
      const result = await this.#act();
      if (result !== undefined) return result;
      await pause(this.#conversation, this.#task.pauseMs, this.#control);
      await this.#poll();
    }
  }

  /** Asks the server to stop, without waiting for it; a task that is over is left alone. */
  takeBack(): void {
    const { info, clock } = this.#conversation;
    if (this.#isOver || !canCancelTasks(info)) return;
    const limitMs = limits.taskCancelMs;
    const limit = { idleMs: limitMs, totalMs: limitMs, subject: `${info.server}: tasks/cancel`, server: info.server };
    const work = async (): Promise<void> => {
      using deadline = startDeadline({ clock, ...limit });
      const request = { method: 'tasks/cancel', params: { taskId: this.#task.id }, quiet: true };
      // It is a courtesy: the server need not obey, and the call is over.
      await this.#conversation.ask(request, { deadline }).catch(() => {});
    };
    this.#conversation.inBackground(work());
  }

  #tell(): void {
    const { status, message } = this.#task;
    const words = message ?? (status === 'input_required' ? 'waits for input' : undefined);
    if (words === undefined || words === this.#toldWords) return;
    this.#toldWords = words;
    this.#told += 1;
    this.#control.onProgress?.({ progress: this.#told, message: words });
  }

  /** What the status asks for; resolves with the result when there is one. */
  async #act(): Promise<JsonObject | undefined> {
    const isLegacy = this.#conversation.info.era === 'legacy';
    switch (this.#task.status) {
      case 'working':
        return undefined;
      case 'input_required':
        // 2025-11-25 asks by requests of the server's own, while tasks/result is waited for.
        return isLegacy ? await this.#askResult() : await this.#answer();
      case 'completed':
      case 'failed':
        this.#isOver = true;
        return isLegacy ? await this.#askResult() : this.#resultInside();
      case 'cancelled':
      default:
        this.#isOver = true;
        throw this.#cancelled();
    }
  }

  /** One look at the task. A way that fails for a moment is tried again: the task lives on the server, not on the connection. */
  async #poll(): Promise<void> {
    for (;;) {
      try {
        const result = await this.#ask('tasks/get', {});
        this.#failures = 0;
        this.#task = readTask(result, { ...this.#asked, method: 'tasks/get' }, this.#task.id);
        return;
      } catch (error) {
        const failure = asTrestleError(error);
        if (rpcCodeOf(failure) === invalidParamsCode) {
          this.#isOver = true;
          throw this.#lost(failure);
        }
        this.#failures += 1;
        if (!isPassing(failure) || this.#failures > limits.taskPollFailures) throw failure;
        await pause(this.#conversation, this.#task.pauseMs, this.#control);
      }
    }
  }

  async #answer(): Promise<undefined> {
    const questions = readQuestions(this.#task.members['inputRequests'], { ...this.#asked, method: 'tasks/get' });
    const fresh = new Map([...questions].filter(([key]) => !this.#answered.has(key)));
    if (fresh.size === 0) return;
    this.#rounds += 1;
    if (this.#rounds > limits.inputRounds) throw tooManyRounds(this.#asked);
    const inputResponses = await answerQuestions(this.#conversation, fresh, { control: this.#control, method });
    for (const key of fresh.keys()) this.#answered.add(key);
    await this.#ask('tasks/update', { inputResponses });
  }

  #resultInside(): JsonObject {
    const { result, error } = this.#task.members;
    if (this.#task.status === 'completed' && isObject(result)) return result;
    const judged = judgeReply({ jsonrpc: '2.0', ...(error === undefined ? {} : { error }) });
    // Whatever its code: it was at work.
    if (this.#task.status === 'failed' && judged.kind === 'error') {
      throw rpcError(this.#asked, judged).with({ execution: 'unknown' });
    }
    throw brokenReply(this.#asked, `is a task that is ${this.#task.status}, without what belongs to that`);
  }

  #askResult(): Promise<JsonObject> {
    return this.#ask('tasks/result', {});
  }

  #ask(name: string, params: JsonObject): Promise<JsonObject> {
    return this.#conversation.ask({ method: name, params: { taskId: this.#task.id, ...params } }, this.#control);
  }

  #cancelled(): TrestleError {
    const { server } = this.#asked;
    const { message } = this.#task;
    const said = message === undefined ? '' : `: ${shorten(message, limits.quotedCharacters)}`;
    return new TrestleError({
      code: 'cancelled',
      message: `Server "${server}" cancelled the task that ran the call${said}.`,
      server,
      execution: 'unknown',
    });
  }

  #lost(cause: TrestleError): TrestleError {
    const { server } = this.#asked;
    return new TrestleError({
      code: 'protocol_error',
      message: `Server "${server}" no longer knows the task that runs the call, so its result is lost.`,
      hint: 'Servers keep tasks and their results for a time only.',
      server,
      execution: 'unknown',
      details: cause.details,
      cause,
    });
  }
}

/** Whether a poll may find its way later. */
function isPassing({ code, details }: TrestleError): boolean {
  if (code === 'connection_failed' || code === 'connection_closed') return true;
  const status = details?.['status'];
  return code === 'http_error' && typeof status === 'number' && (status >= 500 || status === 429);
}
