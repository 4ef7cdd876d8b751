// A well-spoken MCP server on standard streams with a family of processes. Every member appends its pid to the file PIDS_FILE.
// Modes: `wrapper` passes its streams to a grandchild that is the server; `stubborn` ignores the end of its input and every polite
// signal; `orphan` leaves in time, but a stubborn grandchild outlives it; `setsid` has that grandchild in a session of its own;
// `double-fork` one whose parent is gone as well. Tools: `echo` answers; `hang` never does, and leaves a file
// PIDS_FILE.hanging when it is called.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, self, mode] = process.argv;
appendFileSync(process.env.PIDS_FILE, `${process.pid}\n`);

function beStubborn() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  setInterval(() => {}, 1_000_000);
}

/** Resolves when the child is there, so that a tool call finds the family complete. */
function start(childMode, options) {
  const child = spawn(process.execPath, [self, childMode], { stdio: ['ignore', 'pipe', 'ignore'], ...options });
  return new Promise((resolve) => child.stdout.once('data', resolve));
}

const tools = ['echo', 'hang'].map((name) => ({
  name,
  inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
}));

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'family', version: '1' },
      };
    case 'tools/list':
      return { tools };
    case 'tools/call':
      if (params.name === 'hang') appendFileSync(`${process.env.PIDS_FILE}.hanging`, '');
      return params.name === 'hang' ? undefined : { content: [{ type: 'text', text: `${params.arguments?.message}` }] };
    case 'ping':
      return {};
    default:
      return null;
  }
}

function serve() {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id === undefined) return;
    const result = answer(message);
    if (result === undefined) return;
    const error = { code: -32601, message: 'Method not found' };
    const reply = { jsonrpc: '2.0', id: message.id, ...(result === null ? { error } : { result }) };
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  });
}

switch (mode) {
  case 'child':
    beStubborn();
    process.stdout.write('here');
    break;
  case 'parent-that-leaves':
    await start('child', { detached: true });
    process.stdout.write('here', () => process.exit(0));
    break;
  case 'wrapper':
    spawn(process.execPath, [self, 'plain'], { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
    break;
  case 'plain':
    serve();
    break;
  case 'stubborn':
    beStubborn();
    serve();
    break;
  case 'orphan':
  case 'setsid':
    await start('child', { detached: mode === 'setsid' });
    serve();
    process.stdin.on('end', () => process.exit(0));
    break;
  case 'double-fork':
    await start('parent-that-leaves', {});
    serve();
    process.stdin.on('end', () => process.exit(0));
    break;
  default:
    process.exitCode = 2;
}
