/**
 * What Trestle assumes of the SDK's client, observed from outside. When one goes red after an upgrade, see "The SDK" in ARCHITECTURE.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client,
  type DiscoverResult,
  type JSONRPCMessage,
  ProtocolError,
  type Transport,
} from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { projectRoot } from '../support/project-files.ts';

interface Sent {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A transport that records what the client sends and lets a test answer. */
interface Wire extends Transport {
  readonly sent: readonly Sent[];
  receive(message: Readonly<Record<string, unknown>>): void;
}

function createWire(answers: Readonly<Record<string, unknown>> = {}): Wire {
  const sent: Sent[] = [];
  const wire: Wire = {
    sent,
    start: async () => {},
    close: async () => {},
    async send(message) {
      const request = message as Sent;
      sent.push(request);
      const result = answers[request.method];
      if (request.id !== undefined && result !== undefined) {
        queueMicrotask(() => wire.receive({ id: request.id, result }));
      }
    },
    receive: (message) => wire.onmessage?.({ jsonrpc: '2.0', ...message } as unknown as JSONRPCMessage),
  };
  return wire;
}

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'fake', version: '1' },
};

async function connected(answers: Readonly<Record<string, unknown>> = {}): Promise<{ client: Client; wire: Wire }> {
  const wire = createWire({ initialize, ...answers });
  const client = new Client({ name: 'pins', version: '1' });
  await client.connect(wire, { prior: { kind: 'legacy' } });
  return { client, wire };
}

/** Id of the tool call that was sent; the client sends it a few turns later. */
async function sentCall(wire: Wire): Promise<number | string | undefined> {
  await eventually(() => wire.sent.some((message) => message.method === 'tools/call'));
  return wire.sent.findLast((message) => message.method === 'tools/call')?.id;
}

describe('the version', () => {
  it.each(['client', 'server'])('of %s is pinned exactly', (name) => {
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    expect(manifest.devDependencies[`@modelcontextprotocol/${name}`]).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('connecting with what is known already', () => {
  it('legacy: sends initialize, then its notification, and nothing else', async () => {
    const { wire } = await connected();
    expect(wire.sent.map((message) => message.method)).toEqual(['initialize', 'notifications/initialized']);
  });

  it('modern: sends nothing, and every request carries version, client and capabilities', async () => {
    const wire = createWire({ 'tools/list': { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [] } });
    const client = new Client({ name: 'pins', version: '1' });
    const discover: DiscoverResult = {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    };
    await client.connect(wire, { prior: { kind: 'modern', discover } });
    expect(wire.sent).toEqual([]);
    await client.listTools();
    const meta = wire.sent[0]?.params?.['_meta'] as Readonly<Record<string, unknown>>;
    expect(
      Object.keys(meta)
        .filter((name) => name.startsWith('io.modelcontextprotocol/'))
        .sort(),
    ).toEqual([
      'io.modelcontextprotocol/clientCapabilities',
      'io.modelcontextprotocol/clientInfo',
      'io.modelcontextprotocol/protocolVersion',
    ]);
  });
});

describe('what the gate relies on', () => {
  it('the data of a JSON-RPC error reaches the caller as the same object', async () => {
    const { client, wire } = await connected();
    const data = { any: 'thing' };
    const call = client.callTool({ name: 'x', arguments: {} });
    wire.receive({ id: await sentCall(wire), error: { code: -32_000, message: 'no', data } });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProtocolError);
    expect((error as ProtocolError).code).toBe(-32_000);
    expect((error as ProtocolError).data).toBe(data);
  });

  it('aborting a legacy request sends one notifications/cancelled with its id', async () => {
    const { client, wire } = await connected();
    const abort = new AbortController();
    const call = client.callTool({ name: 'x', arguments: {} }, { signal: abort.signal });
    const id = await sentCall(wire);
    abort.abort();
    await expect(call).rejects.toBeInstanceOf(Error);
    const cancels = wire.sent.filter((message) => message.method === 'notifications/cancelled');
    expect(cancels.map((message) => message.params?.['requestId'])).toEqual([id]);
  });
});

/** Where one of these turns green for the better, the code of ours beside it may go. */
describe('what Trestle has to do itself', () => {
  it('S4: the client takes the reply "1" for that of request 1', async () => {
    const { client, wire } = await connected();
    const call = client.callTool({ name: 'x', arguments: {} });
    wire.receive({ id: String(await sentCall(wire)), result: { content: [] } });
    await expect(call).resolves.toMatchObject({ content: [] });
  });

  it('S7: one malformed tool loses the whole list', async () => {
    const good = { name: 'good', inputSchema: { type: 'object' } };
    const { client } = await connected({ 'tools/list': { tools: [good, { name: 5 }] } });
    await expect(client.listTools()).rejects.toBeInstanceOf(Error);
  });

  it('S9: a total limit is not kept without progress', async () => {
    const { client } = await connected();
    const startedMs = performance.now();
    const call = client.callTool({ name: 'x', arguments: {} }, { timeout: 300, maxTotalTimeout: 50 });
    await expect(call).rejects.toBeInstanceOf(Error);
    expect(performance.now() - startedMs).toBeGreaterThan(250);
  });
});
