/**
 * What the session takes for granted of the pinned `@modelcontextprotocol/client`, beyond what sdk.test.ts pins. When a test here
 * turns red after an update, the SDK has changed under us: look at what relies on it, named in the title, before changing the test.
 */
import {
  Client,
  type JSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { carriedResult, standIn } from '../../src/session/stand-in.ts';

type Message = JSONRPCMessage & {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
};

/** A transport whose other end is the test; `initialize` is answered. */
class Wire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  hasPerRequestStream = false;
  readonly sent: Message[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage, options?: { readonly requestSignal?: AbortSignal }): Promise<void> {
    const { id, method } = message as Message;
    this.sent.push(message as Message);
    this.signals.push(options?.requestSignal);
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '' } };
      queueMicrotask(() => this.deliver({ id, result }));
    }
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  deliver(message: object): void {
    this.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  }

  get last(): Message {
    const message = this.sent.at(-1);
    if (message === undefined) throw new Error('nothing was sent');
    return message;
  }
}

const asItIs = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;
const discover = { supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' as const };

async function connect(era: 'legacy' | 'modern'): Promise<{ client: Client; wire: Wire }> {
  const wire = new Wire();
  const client = new Client({ name: 'x', version: '1' }, { capabilities: { roots: {} } });
  await client.connect(wire, { prior: era === 'legacy' ? { kind: 'legacy' } : { kind: 'modern', discover } });
  return { client, wire };
}

const timeout = 2 ** 31 - 1;

describe('the SDK client', () => {
  it('gate.during: sends a request before request() returns', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      const { client, wire } = await connect(era);
      const before = wire.sent.length;
      client.request({ method: 'tools/call', params: { name: 'x' } }, asItIs, { timeout }).catch(() => {});
      expect(wire.sent.length).toBe(before + 1);
      expect(wire.last.method).toBe('tools/call');
      await client.close();
    }
  });

  it('open-session: a legacy prior sends initialize, then initialized, and nothing else', async () => {
    const { wire } = await connect('legacy');
    expect(wire.sent.map((message) => message.method)).toEqual(['initialize', 'notifications/initialized']);
  });

  it('open-session: a modern prior sends nothing, and opens no listen', async () => {
    const { wire } = await connect('modern');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(wire.sent).toEqual([]);
  });

  it('stand-in: a symbol member passes both codecs and reaches our schema', async () => {
    const secret = { content: [{ type: 'hologram' }] };
    const methods = [
      'tools/call',
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
      'prompts/get',
    ];
    for (const [era, extra] of [
      ['legacy', 'ping'],
      ['modern', 'server/discover'],
    ] as const) {
      const { client, wire } = await connect(era);
      for (const method of [...methods, extra]) {
        const answer = client.request({ method }, asItIs, { timeout });
        wire.deliver({ id: wire.last.id, result: standIn(secret, era) });
        expect(carriedResult(await answer)).toBe(secret);
      }
    }
  });

  it('translate-error: the data of a JSON-RPC error is the object that was delivered', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      const { client, wire } = await connect(era);
      const data = new Error('ours');
      const answer = client.request({ method: 'tools/call', params: { name: 'x' } }, asItIs, { timeout });
      wire.deliver({ id: wire.last.id, error: { code: -32_603, message: 'x', data } });
      const error: unknown = await answer.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProtocolError);
      expect((error as ProtocolError).data).toBe(data);
    }
  });

  it('translate-error: the end of the transport rejects every request with ConnectionClosed, after onclose', async () => {
    const { client, wire } = await connect('legacy');
    const order: string[] = [];
    client.onclose = () => void order.push('onclose');
    const answer = client.request({ method: 'tools/call' }, asItIs, { timeout }).catch((reason: unknown) => {
      order.push('rejected');
      return reason;
    });
    wire.onclose?.();
    expect(SdkError.isInstance(await answer) && ((await answer) as SdkError).code).toBe(SdkErrorCode.ConnectionClosed);
    expect(order).toEqual(['onclose', 'rejected']);
  });

  it('gate.sendCancel: an abort sends one notice with the id, over a stream of its own none but its signal aborts', async () => {
    for (const [era, stream] of [
      ['legacy', true],
      ['modern', false],
      ['modern', true],
    ] as const) {
      const { client, wire } = await connect(era);
      wire.hasPerRequestStream = stream;
      const abort = new AbortController();
      const answer = client.request({ method: 'tools/call' }, asItIs, { timeout, signal: abort.signal });
      const { id } = wire.last;
      const before = wire.sent.length;
      abort.abort(new Error('why'));
      await expect(answer).rejects.toMatchObject({ code: SdkErrorCode.RequestTimeout });
      const perRequest = era === 'modern' && stream;
      expect(wire.sent.slice(before)).toMatchObject(
        perRequest ? [] : [{ method: 'notifications/cancelled', params: { requestId: id } }],
      );
      expect(wire.signals[before - 1]?.aborted ?? false).toBe(perRequest);
    }
  });

  it('session.request: a progress token, the id of the request, is sent when onprogress is given', async () => {
    const { client, wire } = await connect('legacy');
    client
      .request({ method: 'tools/call', params: { name: 'x' } }, asItIs, { timeout, onprogress: () => {} })
      .catch(() => {});
    expect(wire.last.params).toEqual({ name: 'x', _meta: { progressToken: wire.last.id } });
    await client.close();
  });

  it('session.request: the longest timeout a timer holds does not fire', async () => {
    vi.useFakeTimers();
    try {
      const { client } = await connect('legacy');
      const settled = vi.fn<() => void>();
      client
        .request({ method: 'tools/call' }, asItIs, { timeout })
        .then(settled, settled)
        .catch(() => {});
      await vi.advanceTimersByTimeAsync(24 * 3_600_000);
      expect(settled).not.toHaveBeenCalled();
      await client.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('modern requests: carry the envelope, and our own parameters beside it', async () => {
    const { client, wire } = await connect('modern');
    client.request({ method: 'tools/call', params: { name: 'x' } }, asItIs, { timeout }).catch(() => {});
    expect(wire.last.params).toEqual({
      name: 'x',
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { roots: {} },
      },
    });
    await client.close();
  });

  it('server-requests: knows no id beyond a double, and refuses a form and an answer with such an integer, so that we answer', async () => {
    const wire = new Wire();
    const client = new Client({ name: 'x', version: '1' }, { capabilities: { elicitation: { form: {} } } });
    const content = { id: 9007199254740993n as never };
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content }));
    await client.connect(wire, { prior: { kind: 'legacy' } });
    expect(() => wire.deliver({ id: 9007199254740993n, method: 'ping' })).toThrow(TypeError);
    const id = { type: 'integer' };
    for (const [question, field] of [
      ['a', { ...id, minimum: 9007199254740993n }],
      ['b', id],
    ] as const) {
      const requestedSchema = { type: 'object', properties: { id: field } };
      wire.deliver({ id: question, method: 'elicitation/create', params: { message: '?', requestedSchema } });
    }
    await vi.waitFor(() => expect(wire.sent.slice(2)).toHaveLength(2));
    for (const answer of wire.sent.slice(2)) expect(answer).toMatchObject({ error: { code: -32_602 } });
  });

  it('follow-task: the methods of tasks are sent as they are, those of each dialect in its era', async () => {
    for (const [era, own] of [
      ['legacy', 'tasks/result'],
      ['modern', 'tasks/update'],
    ] as const) {
      const { client, wire } = await connect(era);
      for (const method of ['tasks/get', own, 'tasks/cancel']) {
        client.request({ method, params: { taskId: 't' } }, asItIs, { timeout }).catch(() => {});
        expect(wire.last).toMatchObject({ method, params: { taskId: 't' } });
      }
      await client.close();
    }
  });

  it('own-requests: what a stand-in carries reaches our schema, whatever type the result itself has', async () => {
    const { client, wire } = await connect('modern');
    for (const resultType of ['input_required', 'task', 'x']) {
      const answer = client.request({ method: 'tools/call', params: { name: 'x' } }, asItIs, { timeout });
      wire.deliver({ id: wire.last.id, result: standIn({ resultType }, 'modern') });
      expect(carriedResult(await answer)).toEqual({ resultType });
    }
  });
});
