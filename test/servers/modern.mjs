// A well-behaved server of revision 2026-07-28 alone, on the reference library: tools, a resource, a prompt, a question back.
// Usage: modern.mjs stdio | modern.mjs http PORT (0 = a free one; the URL is the first line of stdout).
import { createServer } from 'node:http';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

function build() {
  const server = new McpServer({ name: 'modern', version: '1.0.0' }, { instructions: 'Say hello with echo.' });
  const message = z.object({ message: z.string() });
  server.registerTool('echo', { description: 'Says what it is told.', inputSchema: message }, async (input) =>
    text(`Echo: ${input.message}`),
  );
  server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, async ({ a, b }) => ({
    ...text(String(a + b)),
    structuredContent: { sum: a + b },
  }));
  server.registerTool('fail', { description: 'Always fails.' }, async () => ({ ...text('no'), isError: true }));
  server.registerTool('slow', { inputSchema: z.object({ ms: z.number() }) }, async ({ ms }, { mcpReq }) => {
    const { progressToken } = mcpReq['_meta'] ?? {};
    for (let step = 1; step <= 4 && !mcpReq.signal.aborted; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, ms / 4));
      if (progressToken === undefined) continue;
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: step, total: 4 } });
    }
    return text('done');
  });
  server.registerTool('confirm', { description: 'Asks a person first.' }, async ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.sure;
    if (answer !== undefined) return text(`${answer.action} ${JSON.stringify(answer.content ?? null)}`);
    const requestedSchema = {
      type: 'object',
      properties: { sure: { type: 'boolean' }, why: { type: 'string', default: 'because' } },
      required: ['sure'],
    };
    const sure = inputRequired.elicit({ message: 'Are you sure?', requestedSchema });
    return inputRequired({ inputRequests: { sure } });
  });
  server.registerResource('greeting', 'memo://greeting', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'hello' }],
  }));
  server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, async ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}.` } }],
  }));
  return server;
}

/** Hands a request of node:http to the library's handler, which speaks the web's Request and Response. */
async function answer(handler, incoming, outgoing) {
  const pieces = [];
  for await (const piece of incoming) pieces.push(piece);
  const aborted = new AbortController();
  outgoing.on('close', () => aborted.abort());
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method,
    headers: incoming.headers,
    signal: aborted.signal,
    ...(hasBody ? { body: Buffer.concat(pieces) } : {}),
  });
  const response = await handler.fetch(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const piece of response.body ?? []) outgoing.write(piece);
  outgoing.end();
}

const [transport, port = '0'] = process.argv.slice(2);
if (transport === 'http') {
  const handler = createMcpHandler(build, { legacy: 'reject' });
  const server = createServer((incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
} else {
  serveStdio(build, { legacy: 'reject' });
}
