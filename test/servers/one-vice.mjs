// An initialize-era MCP server on standard streams that is good but for one vice, named by its argument: `none`, `wrong-revision`,
// `oversize` (the tool `big` answers beyond 16 MiB), `mute` (answers nothing at all), `hangs` (answers all but tool calls), `noisy`
// (prints logs in colour, and JSON that is no message, between its answers), `talks-twice` (answers everything twice, and then somebody
// who never asked).
import { createInterface } from 'node:readline';

const vice = process.argv[2];

const tools = [
  {
    name: 'echo',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
  { name: 'big', inputSchema: { type: 'object' } },
];

const text = (content) => ({ content: [{ type: 'text', text: content }] });

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: vice === 'wrong-revision' ? '2099-01-01' : protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: vice, version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => {
    if (vice === 'hangs') return undefined;
    return params.name === 'big' ? text('x'.repeat(17 * 1024 * 1024)) : text(params.arguments.message);
  },
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (vice === 'noisy') process.stdout.write('\u001b[32mready\u001b[0m to serve\n{"level":"info"}\n\n42\n');
  if (id === undefined || vice === 'mute') return;
  const answer = answers[method];
  const reply =
    answer === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result: answer(params) };
  if (reply.result === undefined && reply.error === undefined) return;
  const answerTo = (asked) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: asked, ...reply })}\n`);
  answerTo(id);
  if (vice !== 'talks-twice') return;
  answerTo(id);
  answerTo('somebody');
});
