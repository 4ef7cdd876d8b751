// An initialize-era MCP server whose messages stand in Content-Length frames, as editors' servers write them. The argument says when it
// speaks: `only` understands nothing but frames and says nothing before; `greets` prints a banner and sends a frame before it is asked;
// `answers` understands lines too, and answers in frames; `complains` of lines, in a frame. Its tools do what goes wrong with frames.
const manner = process.argv[2];

const frameOf = (text, length = Buffer.byteLength(text)) => `Content-Length: ${length}\r\n\r\n${text}`;
const replyTo = (id, text) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

const complaint = { code: -32700, message: 'Parse error' };

/** What each tool answers, as it is written. */
const tools = {
  echo: (id, { message }) => frameOf(replyTo(id, message)),
  /** Byte by byte, with other headers, line feeds alone, and noise around. */
  odd: (id) => `[log] odd\ncontent-LENGTH:  ${replyTo(id, 'odd').length}\nContent-Type: x\n\n${replyTo(id, 'odd')}\n`,
  /** A length that counts characters. */
  'too-short': (id) => frameOf(replyTo(id, '日本語'), replyTo(id, '日本語').length),
  'too-long': (id) => frameOf(replyTo(id, 'x'), replyTo(id, 'x').length + 9),
  'no-length': (id) => `Content-Type: x\r\n\r\n${replyTo(id, 'x')}`,
  big: (id, { bytes }) => frameOf(replyTo(id, 'x'.repeat(bytes))),
  endless: () => 'Content-Length: 5000000000\r\n\r\n{',
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: `frames-${manner}`, version: '1' },
  }),
  'tools/list': () => ({ tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  ping: () => ({}),
};

function receive({ id, method, params }) {
  if (id === undefined) return;
  if (method === 'tools/call') {
    process.stdout.write(tools[params.name](id, params.arguments ?? {}));
    return;
  }
  const answer = answers[method];
  const reply =
    answer === undefined ? { error: { code: -32601, message: 'no such method' } } : { result: answer(params) };
  process.stdout.write(frameOf(JSON.stringify({ jsonrpc: '2.0', id, ...reply })));
}

let input = Buffer.alloc(0);
process.stdin.on('end', () => process.exit(0));
process.stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const lineEnd = input.indexOf('\n');
    if (['answers', 'complains'].includes(manner) && input[0] === 0x7b && lineEnd !== -1) {
      const line = input.subarray(0, lineEnd);
      input = input.subarray(lineEnd + 1);
      if (manner === 'answers') receive(JSON.parse(line));
      else process.stdout.write(frameOf(JSON.stringify({ jsonrpc: '2.0', id: null, error: complaint })));
      continue;
    }
    const bodyAt = input.indexOf('\r\n\r\n') + 4;
    const [, digits] = /^Content-Length: (\d+)$/m.exec(input.subarray(0, Math.max(0, bodyAt - 4))) ?? [];
    const end = bodyAt + Number(digits);
    if (bodyAt < 4 || digits === undefined || input.length < end) return;
    const body = input.subarray(bodyAt, end);
    input = input.subarray(end);
    receive(JSON.parse(body));
  }
});

if (manner === 'greets') {
  const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'ready' } };
  process.stdout.write(`Frames 1.0\n\nINFO: ready\n${frameOf(JSON.stringify(note))}`);
}
