// The fastest honest server: answers a tool call with 4 KB of text and its length. `echo.mjs [TOOLS [FIRST]]` lists that many tools.
const [, , count = '1', first = '0'] = process.argv;

const schemas = {
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 4096 }, number: { type: 'integer', minimum: 0 } },
    required: ['text'],
  },
  outputSchema: { type: 'object', properties: { length: { type: 'integer' } }, required: ['length'] },
};
const tools = Array.from({ length: Number(count) }, (_, at) => ({
  name: at === 0 ? 'echo' : `tool_${Number(first) + at}`,
  description: `Does the thing of number ${Number(first) + at} and says how it went, in a sentence of usual length.`,
  ...schemas,
}));
const text = 'Four kilobytes of text, in lines. '.repeat(121).slice(0, 4096);

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text }], structuredContent: { length: text.length } }),
  ping: () => ({}),
};

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (piece) => {
  const lines = (rest + piece).split('\n');
  rest = lines.pop() ?? '';
  let replies = '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = answers[method];
    const body =
      answer === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result: answer(params) };
    replies += `${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`;
  }
  if (replies !== '') process.stdout.write(replies);
});
process.stdin.on('end', () => process.exit(0));
