/**
 * What the SDK's client does that Trestle must not, observed from outside. When one goes red after an upgrade, see "The SDK" in
 * ARCHITECTURE.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
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

describe('why Trestle asks its requests itself', () => {
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
