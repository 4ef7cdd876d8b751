// A server over standard streams whose lists are odd: its file argument names a JSON file that is read at every request and says,
// by method, which result it sends; a text instead of a result is sent as a JSON-RPC error, null is never answered.
import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);

function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  const results = JSON.parse(readFileSync(file, 'utf8'));
  const result =
    method === 'initialize'
      ? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {}, resources: {}, prompts: {} },
          serverInfo: { name: 'odd-lists', version: '1.0.0', title: 'Odd lists' },
          ...results.initialize,
        }
      : method in results
        ? results[method]
        : 'no such method';
  if (result === null) return undefined;
  return typeof result === 'string'
    ? { jsonrpc: '2.0', id, error: { code: -32603, message: result } }
    : { jsonrpc: '2.0', id, result };
}

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
