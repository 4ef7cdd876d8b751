// An initialize-era MCP server on standard streams that repeats the secret it was given (API_TOKEN), as it is and in every common
// encoding, in every place where a server can put a text. `telltale.mjs mute` dies at once, with the secret on its stderr.
import { createInterface } from 'node:readline';

const secret = process.env['API_TOKEN'] ?? '';
const bytes = Buffer.from(secret);
const inJson = JSON.stringify(secret).slice(1, -1);
const forms = [
  secret,
  bytes.toString('base64'),
  Buffer.from(`:${secret}`).toString('base64'),
  Buffer.from(`me:${secret}`).toString('base64url'),
  encodeURIComponent(secret),
  new URLSearchParams({ '': secret }).toString().slice(1),
  bytes.toString('hex'),
  bytes.toString('hex').toUpperCase(),
  inJson,
  JSON.stringify(inJson).slice(1, -1),
  secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
];
const said = `says ${forms.join(' and ')}`;
// Wherever it is cut, that is inside the secret.
const long = secret.repeat(1_000);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

console.error(`${long} stderr ${said}`);
if (process.argv[2] === 'mute') process.exit(3);

/** Objects whose members are named so. */
const named = (value) => Object.fromEntries(forms.map((form) => [form, value]));
const schema = {
  type: 'object',
  properties: { [secret]: { type: 'string', description: said, enum: [said], default: said } },
  description: said,
  $comment: said,
};
const open = { type: 'object' };
const tool = (name, more = {}) => ({ name, description: said, inputSchema: open, ...more });

const content = [
  { type: 'text', text: said, annotations: named(said), _meta: named(said) },
  { type: 'text', text: JSON.stringify({ [secret]: secret }) },
  { type: 'image', data: Buffer.from(said).toString('base64'), mimeType: `image/${said}` },
  { type: 'audio', data: Buffer.from(said).toString('base64'), mimeType: `audio/${said}` },
  { type: 'resource_link', uri: `x://${encodeURIComponent(secret)}`, name: said, title: said, description: said },
  { type: 'resource', resource: { uri: `x://${said}`, mimeType: said, text: said } },
  { type: 'resource', resource: { uri: `x://${said}`, blob: Buffer.from(said).toString('base64') } },
  { type: said, [secret]: said },
];

const calls = {
  strange: () => ({ [secret]: long, content: long }),
  tell: () => ({ content, structuredContent: { ...named(said), list: [said, [said]] }, _meta: named(said) }),
  fail: () => ({ content, isError: true }),
  mismatch: () => ({ content: [{ type: 'text', text: said }], structuredContent: { count: said } }),
  long: () => ({ content: [{ type: 'text', text: `${said}\n`.repeat(1_500) }] }),
  wide: () => ({ content: [{ type: 'text', text: 'x'.repeat(51_190) + said.repeat(50) }] }),
  nothing: () => ({ content: [] }),
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, experimental: named({}) },
    serverInfo: { name: said, version: said, title: said, websiteUrl: `https://x/${said}` },
    instructions: said,
    _meta: named(said),
  }),
  'tools/list': () => ({
    tools: [
      tool('tell', { title: said, annotations: { title: said, readOnlyHint: true }, _meta: named(said) }),
      tool('strict', { inputSchema: { ...schema, required: [secret], additionalProperties: false } }),
      tool('mismatch', { outputSchema: { type: 'object', properties: { count: { type: 'number', title: said } } } }),
      tool(`named-${secret}`),
      ...['fail', 'refuse', 'die', 'long', 'wide', 'nothing', 'strange'].map((name) => tool(name)),
      { name: said, description: 5 },
      { name: long, inputSchema: long },
      { description: said },
    ],
    _meta: named(said),
  }),
  'resources/list': () => ({
    resources: [
      { uri: 'x://plain', name: said, description: said, mimeType: said, title: said, _meta: named(said) },
      { uri: `x://${secret}`, name: 'other' },
      { name: said },
    ],
  }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: `x://{a}/${said}`, name: said }] }),
  'resources/read': ({ uri }) => ({
    contents: [
      { uri, mimeType: said, text: said, _meta: named(said) },
      { uri: said, text: said },
      { uri, blob: Buffer.from(said).toString('base64'), mimeType: said },
    ],
  }),
  'prompts/list': () => ({
    prompts: [
      { name: 'p', title: said, description: said, arguments: [{ name: 'plain', description: said }] },
      { name: said, arguments: [{ name: said, description: said, required: true }] },
    ],
  }),
  'prompts/get': () => ({
    description: said,
    messages: content.slice(0, 2).map((block) => ({ role: 'user', content: block })),
    _meta: named(said),
  }),
  ping: () => named(said),
};

function noise(params) {
  process.stdout.write(`noise ${long}\n`);
  process.stderr.write(`more ${said}\n`);
  send({ method: 'notifications/message', params: { level: 'error', logger: said, data: { [secret]: said } } });
  send({ method: `notifications/${said}`, params: named(said) });
  send({ id: said, method: 'roots/list', params: named(said) });
  send({ id: `other ${said}`, method: said });
  const { _meta: meta } = params ?? {};
  const { progressToken } = meta ?? {};
  if (progressToken === undefined) return;
  send({ method: 'notifications/progress', params: { progressToken, progress: 1, message: said } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  if (method === 'tools/call') {
    noise(params);
    if (params.name === 'die') process.exit(3);
    if (params.name === 'refuse') {
      send({ id, error: { code: -32000, message: `${said} ${long}`, data: named({ said, long }) } });
      return;
    }
  }
  const answer = method === 'tools/call' ? calls[params.name] : answers[method];
  if (answer === undefined) send({ id, error: { code: -32601, message: said, data: said } });
  else send({ id, result: answer(params) });
});
