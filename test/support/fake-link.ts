import type { JsonObject, TrestleError } from '../../src/base/index.ts';
import type { JsonRpcId, Link, LinkKind, LinkStats } from '../../src/wire/index.ts';

export interface FakeMessage {
  readonly id?: JsonRpcId;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A link in memory whose other end is a test. */
export interface FakeLink extends Link {
  /** What was sent over it, in order. */
  readonly sent: readonly FakeMessage[];
  readonly closed: boolean;
  /** A message arrives, exactly as given. */
  deliver(message: object): void;
  /** The result of a request arrives. */
  answer(id: JsonRpcId | undefined, result: object): void;
  refuse(
    id: JsonRpcId | undefined,
    error: { readonly code: number; readonly message: string; readonly data?: unknown },
  ): void;
  fault(id: JsonRpcId | undefined, error: TrestleError): void;
  /** The link ends by itself. */
  end(reason: TrestleError): void;
  /** From now on no request leaves: what is sent waits in the link. */
  hold(): void;
}

export interface FakeLinkOptions {
  readonly kind?: LinkKind;
  readonly sessionId?: string;
  readonly closedReason: TrestleError;
  /** Reacts to what is sent; a TrestleError thrown by it rejects the send. */
  readonly onSend?: (message: FakeMessage, link: FakeLink) => void;
  readonly onStart?: () => Promise<void>;
  readonly stats?: Partial<LinkStats>;
  /** What it has written to stderr. */
  readonly stderr?: string;
}

/** A fake link that is not started. */
export function createFakeLink(options: FakeLinkOptions): FakeLink {
  const sent: FakeMessage[] = [];
  let ended: TrestleError | undefined;
  let closed = false;
  let holding = false;
  /** Ends what waits in the link. */
  const held: ((reason: TrestleError) => void)[] = [];
  const firstByte = Promise.withResolvers<void>();
  const finish = (reason: TrestleError): void => {
    if (ended !== undefined) return;
    ended = reason;
    for (const reject of held) reject(reason.with({ execution: 'not-sent' }));
    link.onclose?.();
  };
  const link: FakeLink = {
    kind: options.kind ?? 'stdio',
    pid: undefined,
    ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }),
    firstByte: firstByte.promise,
    sent,
    get ended() {
      return ended;
    },
    get closed() {
      return closed;
    },
    start: async () => options.onStart?.(),
    async send(message, sending) {
      if (ended !== undefined) throw ended.with({ execution: 'not-sent' });
      if (holding && 'id' in message) return await new Promise((_resolve, reject) => held.push(reject));
      sending?.onSending?.();
      sent.push(message as FakeMessage);
      options.onSend?.(message as FakeMessage, link);
    },
    async close() {
      closed = true;
      finish(options.closedReason);
    },
    stderrTail: () => options.stderr ?? '',
    stats: () => ({
      messagesIn: 0,
      messagesOut: sent.length,
      bytesIn: 0,
      bytesOut: 0,
      noise: 0,
      noiseSample: undefined,
      lastInMs: undefined,
      ...options.stats,
    }),
    deliver(message) {
      firstByte.resolve();
      if (ended === undefined) link.onmessage?.(message as never);
    },
    answer: (id, result) => link.deliver({ jsonrpc: '2.0', id, result }),
    refuse: (id, error) => link.deliver({ jsonrpc: '2.0', id, error }),
    fault: (id, error) => link.onfault?.(id ?? 0, error),
    end: finish,
    hold() {
      holding = true;
    },
  };
  return link;
}
