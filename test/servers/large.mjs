// An initialize-era MCP server on standard streams with large results of all kinds. The kind is the name of the tool, of the resource
// (`large:KIND/BYTES`) and of the prompt. `_meta.sha256` of an answer is the digest of the whole text in it, its parts joined by newlines.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

const filled = (piece, bytes) => piece.repeat(Math.ceil(bytes / Buffer.byteLength(piece)));

/** The parts of a text of about so many bytes. */
const kinds = {
  line: (bytes) => [filled('0123456789', bytes)],
  lines: (bytes) => [filled('a line of some words\n', bytes)],
  windows: (bytes) => [filled('a line of Windows\r\n', bytes)],
  returns: (bytes) => [filled('progress\r', bytes)],
  wide: (bytes) => [filled('\u{1f468}\u200d\u{1f469} e\u0301 \u{1f98a}', bytes)],
  hostile: (bytes) => [filled('\u001b[31mred\u0007\u0000\u202e\u{e0041}\ufeff\u2028', bytes)],
  surrogates: (bytes) => [filled('\ud83e\udd8a\ud83e x \udd8a', bytes)],
  parts: (bytes) => Array.from({ length: Math.ceil(bytes / 20) }, (_, at) => `part ${at} of several`),
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function answerOf(parts) {
  const sha256 = createHash('sha256').update(parts.join('\n')).digest('hex');
  return { content: parts.map((text) => ({ type: 'text', text })), _meta: { sha256 } };
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'large', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [...Object.keys(kinds), 'failed', 'refused', 'invalid', 'sound'].map((name) => ({
      name,
      inputSchema: { type: 'object', properties: { bytes: { type: 'integer' } }, required: ['bytes'] },
    })),
  }),
  'tools/call': ({ name, arguments: { bytes } }) => {
    if (name === 'failed') return { ...answerOf(kinds.hostile(bytes)), isError: true };
    if (name === 'sound') return { content: [{ type: 'audio', mimeType: 'audio/wav', data: filled('AAAA', bytes) }] };
    return answerOf(kinds[name](bytes));
  },
  'resources/list': () => ({ resources: [] }),
  'resources/read': ({ uri }) => {
    const [, kind, bytes] = /^large:(\w+)\/(\d+)$/.exec(uri);
    const { content } = answerOf(kinds[kind](Number(bytes)));
    return { contents: content.map(({ text }) => ({ uri, text })) };
  },
  'prompts/list': () => ({ prompts: Object.keys(kinds).map((name) => ({ name, arguments: [{ name: 'bytes' }] })) }),
  'prompts/get': ({ name, arguments: { bytes } }) => ({
    messages: kinds[name](Number(bytes)).map((text) => ({ role: 'user', content: { type: 'text', text } })),
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const [name, bytes] = [params?.name, params?.arguments?.bytes];
  if (name === 'refused') {
    const [message] = kinds.hostile(bytes);
    send({ id, error: { code: -32000, message, data: { log: message } } });
  } else if (name === 'invalid') {
    // Bytes that are no UTF-8, in the text of a good answer.
    const [before, after] = JSON.stringify({ jsonrpc: '2.0', id, result: answerOf(['|']) }).split('|');
    process.stdout.write(Buffer.concat([Buffer.from(before), Buffer.alloc(bytes, 0xff), Buffer.from(`${after}\n`)]));
  } else if (answers[method] === undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  else send({ id, result: answers[method](params ?? {}) });
});
