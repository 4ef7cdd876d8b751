/** What a request of several steps needs of its session: to ask once more, what the host says, and time. */
import { type Clock, type Deadline, delay, type JsonObject, type TrestleError } from '../base/index.ts';
import type { HostAnswers } from './calls/host-answers.ts';
import type { ResultType } from './result-type.ts';
import type { ChangedList, Listing, RequestControl, SessionInfo } from './session.ts';

/** One request of ours, sent at most once. */
export interface OwnRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** HTTP headers of the revision's that go with it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Types its result may have beside `complete` (2026-07-28); a result of another is a broken reply. */
  readonly results?: readonly ResultType[] | undefined;
  /** No cancel notice is sent for it. */
  readonly quiet?: boolean | undefined;
}

export interface Conversation {
  readonly info: SessionInfo;
  readonly clock: Clock;
  readonly host: HostAnswers;
  /** Aborts with the reason when the session is over. */
  readonly over: AbortSignal;
  /** Sends a request and resolves with its result; every failure is a TrestleError whose `execution` is set. */
  ask(request: OwnRequest, control: RequestControl): Promise<JsonObject>;
  listTools(control: RequestControl): Promise<Listing>;
  /** A list turned out to have changed. */
  noticeChange(list: ChangedList): void;
  /** Work that outlives its request; the session waits for it a little before it closes. */
  inBackground(work: Promise<unknown>): void;
}

/** `error` of a later step: by then the server may have done anything. */
export function ofLaterStep(error: TrestleError): TrestleError {
  return error.execution === 'unknown' ? error : error.with({ execution: 'unknown' });
}

/** Waits without the idle limit running. Rejects with the reason of what ended it before: the deadline or the session. */
export async function pause(conversation: Conversation, pauseMs: number, { deadline }: RequestControl): Promise<void> {
  const release = deadline.hold();
  try {
    await delay(conversation.clock, pauseMs, AbortSignal.any([deadline.signal, conversation.over]));
  } finally {
    release();
  }
  throwIfEnded(conversation, deadline);
}

/** Throws why nobody waits any more, or why nobody is there. */
export function throwIfEnded({ over }: Conversation, deadline: Deadline): void {
  deadline.throwIfOver();
  if (over.aborted) throw over.reason as TrestleError;
}
