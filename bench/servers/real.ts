/** A server with the names and descriptions of a real one: `node real.ts NAME`. It has nothing to do when a tool is called. */
import { createInterface } from 'node:readline';
import { manyOffers } from '../../test/support/offers.ts';

const offer = manyOffers().servers.find(({ name }) => name === process.argv[2]);
if (offer === undefined) throw new Error(`no server ${process.argv[2]}`);
const { name, description, instructions, tools } = offer;
const answers: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name, title: description, version: '1' },
    instructions,
  },
  'tools/list': { tools: tools.map((tool) => ({ ...tool, inputSchema: { type: 'object' } })) },
  ping: {},
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line) as { readonly id?: number; readonly method: string };
  if (id === undefined) continue;
  const result = answers[method];
  const body = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
}
