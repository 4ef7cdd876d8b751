import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog, systemClock, type TrestleError } from '../../src/base/index.ts';
import {
  createProcessKeeper,
  type LauncherMemory,
  type Link,
  openStdio,
  type ProcessKeeper,
  type StdioEndpoint,
} from '../../src/wire/index.ts';

/** A file of test/servers as an endpoint. */
export function testServer(file: string, ...args: readonly string[]): StdioEndpoint {
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [join(import.meta.dirname, '../servers', file), ...args],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: import.meta.dirname,
  };
}

/** A keeper that ends everything when the running test ends. */
export function testKeeper(launchers?: LauncherMemory): ProcessKeeper {
  const memory = launchers === undefined ? {} : { launchers };
  const keeper = createProcessKeeper({ clock: systemClock, log: silentLog, ...memory });
  onTestFinished(() => keeper.close());
  return keeper;
}

type Reply = Readonly<Record<string, unknown>>;

export interface TestLink {
  readonly link: Link;
  /** Sends a request; resolves with the whole reply, rejects with the fault or the reason of the end. */
  readonly request: (method: string, params?: unknown) => Promise<Reply>;
  /** Every message that came, replies included. */
  readonly messages: readonly Reply[];
  readonly faults: readonly { readonly id: string | number; readonly error: TrestleError }[];
  /** Resolves with the reason of the end. */
  readonly ended: Promise<TrestleError>;
}

/** An open link with the least a session does: matching replies by id. */
export async function openTestLink(endpoint: StdioEndpoint, keeper: ProcessKeeper = testKeeper()): Promise<TestLink> {
  const context = { clock: systemClock, log: silentLog, keeper, http: { fetch: noHttp, close: async () => {} } };
  const link = openStdio(endpoint, 'thing', context);
  const waiting = new Map<unknown, { resolve: (reply: Reply) => void; reject: (error: unknown) => void }>();
  const messages: Reply[] = [];
  const faults: { id: string | number; error: TrestleError }[] = [];
  let lastId = 0;
  link.onmessage = (message) => {
    messages.push(message);
    if ('id' in message) waiting.get(message.id)?.resolve(message);
  };
  link.onfault = (id, error) => {
    faults.push({ id, error });
    waiting.get(id)?.reject(error);
  };
  const ended = new Promise<TrestleError>((resolve) => {
    link.onclose = () => {
      const reason = link.ended;
      if (reason === undefined) throw new Error('closed without a reason');
      for (const { reject } of waiting.values()) reject(reason);
      resolve(reason);
    };
  });
  await link.start();
  return {
    link,
    messages,
    faults,
    ended,
    async request(method, params = {}) {
      const id = (lastId += 1);
      const reply = new Promise<Reply>((resolve, reject) => waiting.set(id, { resolve, reject }));
      reply.catch(() => {});
      await link.send({ jsonrpc: '2.0', id, method, params: params as Record<string, unknown> });
      return reply;
    },
  };
}

function noHttp(): Promise<Response> {
  return Promise.reject(new Error('a stdio link uses no HTTP'));
}
