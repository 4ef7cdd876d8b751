import { onTestFinished } from 'vitest';
import { noProxies, silentLog, systemClock, type Clock, type TrestleError } from '../../src/base/index.ts';
import {
  type Authorization,
  createHttpClient,
  openEvents,
  openSse,
  openStreamable,
  type HttpEndpoint,
  type Link,
} from '../../src/wire/index.ts';

type Reply = Readonly<Record<string, unknown>>;
type SendOptions = Parameters<Link['send']>[1];

export interface TestHttpLink {
  readonly link: Link;
  /** Sends a request; resolves with the whole reply, rejects with the refusal, the fault or the reason of the end. */
  readonly request: (method: string, params?: unknown, options?: SendOptions) => Promise<Reply>;
  readonly notify: (method: string, params?: unknown) => Promise<void>;
  /** `start`, initialize, notifications/initialized. */
  readonly greet: () => Promise<void>;
  /** Every message that came, replies included. */
  readonly messages: readonly Reply[];
  readonly faults: readonly { readonly id: string | number; readonly error: TrestleError }[];
  /** How often `onclose` was called. */
  readonly closings: () => number;
}

export interface TestHttpLinkOptions extends Partial<HttpEndpoint> {
  readonly link?: 'streamable' | 'sse' | 'events';
  readonly clock?: Clock;
  readonly authorization?: Authorization;
}

/** A link with the least a session does: matching replies by id. Closed when the running test ends. */
export function testHttpLink(url: string, options: TestHttpLinkOptions = {}): TestHttpLink {
  const {
    link: kind = 'streamable',
    clock = systemClock,
    headers = {},
    redirects = 'same-origin',
    proxies = noProxies,
    transport = 'auto',
    authorization,
  } = options;
  const http = createHttpClient({ clock });
  const keeper = { start: noProcesses, close: async () => {} };
  const context = { clock, log: silentLog, http, keeper, authorization };
  const endpoint: HttpEndpoint = { kind: 'http', url, headers, redirects, proxies, transport };
  const open = { streamable: openStreamable, sse: openSse, events: openEvents }[kind];
  const link = open(endpoint, 'thing', context);
  const waiting = new Map<unknown, PromiseWithResolvers<Reply>>();
  const messages: Reply[] = [];
  const faults: { id: string | number; error: TrestleError }[] = [];
  let closings = 0;
  let lastId = 0;
  link.onmessage = (message) => {
    messages.push(message);
    if ('id' in message && !('method' in message)) waiting.get(message.id)?.resolve(message);
  };
  link.onfault = (id, error) => {
    faults.push({ id, error });
    waiting.get(id)?.reject(error);
  };
  link.onclose = () => {
    closings += 1;
    for (const { reject } of waiting.values()) reject(link.ended);
  };
  const request: TestHttpLink['request'] = async (method, params = {}, sendOptions) => {
    lastId += 1;
    const id = lastId;
    const answer = Promise.withResolvers<Reply>();
    waiting.set(id, answer);
    answer.promise.catch(() => {});
    await link.send({ jsonrpc: '2.0', id, method, params: params as Record<string, unknown> }, sendOptions);
    return answer.promise;
  };
  const notify: TestHttpLink['notify'] = (method, params = {}) =>
    link.send({ jsonrpc: '2.0', method, params: params as Record<string, unknown> });
  onTestFinished(async () => {
    await link.close();
    await http.close();
  });
  return {
    link,
    request,
    notify,
    async greet() {
      await link.start();
      await request('initialize', { protocolVersion: '2025-06-18' });
      link.setProtocolVersion?.('2025-06-18');
      await notify('notifications/initialized');
    },
    messages,
    faults,
    closings: () => closings,
  };
}

function noProcesses(): never {
  throw new Error('an HTTP link starts no process');
}
