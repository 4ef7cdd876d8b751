// A server of integers that no double can keep. It reads and writes numbers as they stand in the text, so that what it tells of a
// message is what came over the line.
// Usage: big-integers.mjs stdio|json|events. The last two are HTTP, which answers with one or the other; the URL is its first line.
import { createServer } from 'node:http';

const [transport] = process.argv.slice(2);
const parse = (text) =>
  JSON.parse(text, (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value));
const write = (value) => JSON.stringify(value);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const raw = (digits) => JSON.rawJSON(digits);

/** Beyond 2^53, so that no other request has it, nor does a rounded one. */
const questionId = raw('9007199254740993');
const form = {
  message: 'Which?',
  requestedSchema: {
    type: 'object',
    properties: {
      id: { type: 'integer', minimum: raw('9007199254740993'), maximum: raw('18446744073709551615') },
      other: { type: 'integer', default: raw('9007199254740995') },
    },
    required: ['id'],
  },
};

/** Who waits for the client's answer to our question. */
let answered = () => {};

const tools = {
  /** The digits as structured content, as text, or both. */
  give: ({ digits, as }) => ({
    content: as === 'structured' ? [] : [{ type: 'text', text: `{"id": ${digits}}` }],
    ...(as === 'text' ? {} : { structuredContent: { id: raw(digits) } }),
  }),
  /** Its arguments, as they were written. */
  echo: (args) => text(write(args)),
  /** Asks the person, and tells the answer as it was written. */
  ask: (_, send) => {
    send({ jsonrpc: '2.0', id: questionId, method: 'elicitation/create', params: form });
    return new Promise((resolve) => {
      answered = (message) => resolve(text(write(message)));
    });
  },
  refuse: () => ({
    error: { code: raw('-9007199254740993'), message: 'no', data: { limit: raw('9007199254740993') } },
  }),
};

const schemas = {
  give: {
    properties: { digits: { type: 'string' }, as: { enum: ['text', 'structured', 'both'] } },
    required: ['digits'],
  },
  echo: {
    properties: {
      id: { type: 'integer', default: raw('9223372036854775807'), maximum: raw('18446744073709551615') },
      kind: { enum: [raw('9007199254740993'), raw('9007199254740995')] },
      text: { type: 'string' },
      more: { type: 'array' },
    },
  },
};
const outputSchema = { type: 'object', properties: { id: { type: 'integer' } } };
const listed = Object.keys(tools).map((name) => ({
  name,
  inputSchema: { type: 'object', ...schemas[name] },
  ...(name === 'give' ? { outputSchema } : {}),
}));

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'big-integers', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: listed }),
  'tools/call': ({ name, arguments: args = {} }, send) => tools[name](args, send),
};

async function answer({ id, method, params = {} }, send) {
  const known = methods[method];
  if (known === undefined) return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  const result = await known(params, send);
  return { jsonrpc: '2.0', id, ...(result.error === undefined ? { result } : result) };
}

/** Answers a request by `send`; a reply and a notification get nothing. */
async function receive(message, send) {
  if (message.method === undefined) answered(message);
  else if (message.id !== undefined) send(await answer(message, send));
}

if (transport === 'stdio') {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) void receive(parse(line), (message) => process.stdout.write(`${write(message)}\n`));
  });
  process.stdin.on('end', () => process.exit(0));
} else {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = parse(body);
    if (message.method === undefined || message.id === undefined) response.writeHead(202).end();
    else response.setHeader('content-type', transport === 'json' ? 'application/json' : 'text/event-stream');
    await receive(message, (sent) =>
      response.write(transport === 'json' ? write(sent) : `event: message\ndata: ${write(sent)}\n\n`),
    );
    return response.end();
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
