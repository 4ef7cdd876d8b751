/** One event stream of the event dialect: the server's session begins and ends with it. */
import { TrestleError } from '../../base/index.ts';
import type { Reached } from '../http/same-origin.ts';
import { type DialectSessionId, readDialectSession } from './event-dialect.ts';
import type { ServerEvent } from './event-reader.ts';
import * as reasons from './http-reasons.ts';
import type { Inbox } from './inbox.ts';

export interface DialectStream {
  readonly sessionId: DialectSessionId;
  /** Ends it: nothing that still comes on it counts. */
  readonly drop: () => void;
}

/** Who opens streams, and to whom things on them are handed on. */
export interface StreamOwner {
  readonly server: string;
  readonly inbox: Inbox;
  /** Asks for an event stream; rejects with a TrestleError. */
  get(signal: AbortSignal): Promise<Reached>;
  task(work: () => Promise<void>): void;
  /** False when the data are no list of tools. */
  onTools(data: string): boolean;
  /** A `result` or `error` event. */
  onAnswer(event: ServerEvent, sessionId: DialectSessionId | undefined): void;
  onTooLarge(): void;
  /** The stream is over without having been dropped. */
  onEnd(reason: TrestleError): void;
}

/** Opens a stream and waits for its greeting, the session's id and the tools, until one of `ends` aborts. Rejects with a TrestleError. */
export async function openDialectStream(owner: StreamOwner, ends: readonly AbortSignal[]): Promise<DialectStream> {
  const { server, inbox } = owner;
  const dropped = new AbortController();
  const signal = AbortSignal.any([dropped.signal, ...ends]);
  const { response, url } = await owner.get(signal);
  const greeting = Promise.withResolvers<DialectStream>();
  let sessionId: DialectSessionId | undefined;
  let hasTools = false;
  const onEvent = (event: ServerEvent): void => {
    if (signal.aborted) return;
    if (event.type === 'endpoint') sessionId ??= readDialectSession(event.data, url);
    else if (event.type === 'tools') hasTools = owner.onTools(event.data) || hasTools;
    else if (event.type === 'result' || event.type === 'error') owner.onAnswer(event, sessionId);
    if (sessionId !== undefined && hasTools) greeting.resolve({ sessionId, drop: () => dropped.abort() });
  };
  const readToEnd = async (): Promise<TrestleError> => {
    try {
      await inbox.readEvents(response, { onEvent, onTooLarge: () => owner.onTooLarge() });
      return reasons.streamOver(server);
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      return reason instanceof TrestleError ? reason : reasons.streamOver(server, error);
    }
  };
  owner.task(async () => {
    const reason = await readToEnd();
    greeting.reject(reason);
    if (!dropped.signal.aborted) owner.onEnd(reason);
  });
  return await greeting.promise;
}
