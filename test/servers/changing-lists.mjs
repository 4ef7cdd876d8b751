// A server over standard streams whose lists change. Its file argument names a JSON file that is read at every request: names by list
// (`tools`, which may be whole descriptors too, `resources`, `prompts`), `restless`: whether every tools/list is followed by another notice of a change, and `broken`: a
// method that is answered with an error. It appends the method of each request to FILE.asked. Its tool `notify` sends `times` notices
// about `list` before it answers.
import { appendFileSync, readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notice = (list) => send({ method: `notifications/${list}/list_changed` });
const notify = {
  name: 'notify',
  inputSchema: { type: 'object', properties: { list: { type: 'string' }, times: { type: 'integer' } } },
};

function resultOf(method, params) {
  const { tools = [], resources = [], prompts = [], restless = false } = JSON.parse(readFileSync(file, 'utf8'));
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
        serverInfo: { name: 'changing-lists', version: '1.0.0' },
      };
    case 'tools/list':
      if (restless) notice('tools');
      return {
        tools: [
          ...tools.map((tool) => (typeof tool === 'string' ? { name: tool, inputSchema: { type: 'object' } } : tool)),
          notify,
        ],
      };
    case 'resources/list':
      return { resources: resources.map((name) => ({ name, uri: `a://${name}` })) };
    case 'resources/templates/list':
      return { resourceTemplates: [] };
    case 'prompts/list':
      return { prompts: prompts.map((name) => ({ name })) };
    case 'tools/call':
      for (let time = 0; time < (params.arguments.times ?? 0); time += 1) notice(params.arguments.list);
      return { content: [{ type: 'text', text: 'notified' }] };
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (data) => {
  const lines = (rest + data).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    appendFileSync(`${file}.asked`, `${method}\n`);
    const isBroken = method === JSON.parse(readFileSync(file, 'utf8')).broken;
    const result = isBroken ? undefined : resultOf(method, params);
    send(result === undefined ? { id, error: { code: -32603, message: 'out of order' } } : { id, result });
  }
});
process.stdin.on('end', () => process.exit(0));
