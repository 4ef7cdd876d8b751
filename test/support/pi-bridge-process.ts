/**
 * A process that ends as Pi does in print mode, without ever saying so: `pi-bridge-process.ts TOOL` opens a session of the host over
 * the environment's Pi home, calls the tool of every configured server once, closes the session and then has nothing left to do. It prints the
 * answers as JSON, one a line, and at the end `closed MS`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPiBridge } from '../../src/hosts/pi/host.ts';
import type { Pi, PiContext } from '../../src/hosts/pi/pi.ts';

const [, , toolName = ''] = process.argv;
const pi = { getActiveTools: () => ['CallMcpTool', 'read'], sendMessage() {} } as unknown as Pi;
const context = {
  cwd: process.cwd(),
  hasUI: false,
  sessionManager: { getSessionId: () => 'one' },
} as unknown as PiContext;

const file = join(process.env['PI_CODING_AGENT_DIR'] ?? '', 'mcp-servers.json');
const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { readonly mcpServers: object };
const bridge = createPiBridge(pi, { program: '' });
bridge.open(context);
await Promise.all(
  Object.keys(mcpServers).map(async (server) => {
    const params = { server, toolName, arguments: { message: 'hi' } };
    const { content } = await bridge.execute('CallMcpTool', '1', params, undefined, undefined, context);
    process.stdout.write(`${JSON.stringify(content)}\n`);
  }),
);
const startedMs = performance.now();
await bridge.close();
process.stdout.write(`closed ${Math.round(performance.now() - startedMs)}\n`);
