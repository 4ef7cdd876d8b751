// A server that writes down, in the file named by its second argument, everything it executes: one line a request that did
// something. So a test can prove that nothing ran twice. Some of its tools then misbehave.
// Usage: counting.mjs stdio|http FILE [STATUS TEXT]. Over HTTP it prints its URL as the first line; with a status it tells of a
// forgotten session by that and the text, without a type of content.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [transport, file, lossStatus = '404', lossText] = process.argv.slice(2);
const note = (line) => appendFileSync(file, `${line}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Sessions over HTTP; a client that names another one is told that it is lost. */
const sessions = new Set();

/** A tool returns its result, or undefined for no answer at all. */
const tools = {
  count: () => text('counted'),
  echo: ({ message }) => text(message),
  fail: () => ({ ...text('it failed'), isError: true }),
  /** Not what its output schema says. */
  mismatch: () => ({ ...text('{"n":"one"}'), structuredContent: { n: 'one' } }),
  /** Its output schema asks for structured content; there is none. */
  missing: () => text('none'),
  large: ({ bytes }) => text('x'.repeat(bytes)),
  environment: ({ name }) => text(`${name}=${process.env[name]}`),
  /** Runs and never answers. */
  hang: () => undefined,
  /** Runs, and with it the whole server stands still. */
  freeze: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  crash: () => {
    process.stderr.write('the \u001B[31mcrash\u001B[0m came\n', () => process.exit(7));
  },
  /** Answers, and forgets every session. */
  forget: () => {
    sessions.clear();
    return text('forgotten');
  },
};

const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const properties = { message: { type: 'string' }, bytes: { type: 'integer' }, name: { type: 'string' } };
const required = { echo: ['message'], large: ['bytes'] };
const listed = Object.keys(tools).map((name) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties, required: required[name] ?? [], additionalProperties: false },
  ...(name === 'forget' ? { annotations: { destructiveHint: true } } : {}),
  ...(name === 'mismatch' || name === 'missing' ? { outputSchema } : {}),
}));

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'counting', version: '1.0.0' },
    instructions: 'Counts.',
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: listed }),
  'tools/call': ({ name, arguments: args = {} }) => tools[name](args),
  'resources/list': () => ({ resources: [{ uri: 'count://text', name: 'text', mimeType: 'text/plain' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'count://{n}', name: 'nth' }] }),
  'resources/read': ({ uri }) =>
    uri === 'count://bytes'
      ? { contents: [{ uri, mimeType: 'image/png', blob: Buffer.from([0, 1, 254, 255]).toString('base64') }] }
      : { contents: [{ uri, mimeType: 'text/plain', text: 'one text' }] },
};

function answer({ id, method, params = {} }) {
  if (method === 'tools/call') note(`call ${params.name}`);
  else if (method !== 'ping' && id !== undefined) note(method);
  if (id === undefined) {
    if (method === 'notifications/cancelled') note('cancelled');
    return undefined;
  }
  const known = methods[method];
  if (known === undefined) return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  const result = known(params);
  return result === undefined ? undefined : { jsonrpc: '2.0', id, result };
}

if (transport === 'stdio') {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const reply = answer(JSON.parse(line));
      if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
    }
  });
  process.stdin.on('end', () => process.exit(0));
} else {
  const server = createServer(async (request, response) => {
    const session = request.headers['mcp-session-id'];
    if (request.method === 'DELETE') return response.writeHead(200).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body);
    if (message.method === 'initialize') {
      const created = randomUUID();
      sessions.add(created);
      response.setHeader('mcp-session-id', created);
    } else if (session !== undefined && !sessions.has(session)) {
      note(lossStatus);
      return response.writeHead(Number(lossStatus)).end(lossText);
    }
    const reply = answer(message);
    if (message.id === undefined) return response.writeHead(202).end();
    // No answer: the connection stays open until the client gives up.
    if (reply === undefined) return undefined;
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(reply));
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
}
