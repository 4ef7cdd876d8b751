/**
 * Reads one message of `BYTES` bytes and prints `{ ms, bytes }`: the time from asking for it to having it parsed, and how much memory
 * the process grew to at most. A process of its own, since a peak cannot be measured twice. `trestle|sdk BYTES ascii|emoji`
 */
import { join } from 'node:path';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { silentLog, systemClock } from '../src/base/index.ts';
import { createHttpClient, createProcessKeeper, openStdio } from '../src/wire/index.ts';

const [, , reader, bytes = '', kind = ''] = process.argv;
const server = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'servers/large-message.mjs'), bytes, kind],
};

const keeper = createProcessKeeper({ clock: systemClock, log: silentLog });
const http = createHttpClient({ clock: systemClock });

function open(): Transport {
  if (reader === 'sdk') return new StdioClientTransport(server);
  const endpoint = { kind: 'stdio', ...server, env: { PATH: process.env['PATH'] ?? '' }, cwd: process.cwd() } as const;
  return openStdio(endpoint, 'bench', { clock: systemClock, log: silentLog, keeper, http });
}

const transport = open();
await transport.start();
// The child needs its time to make the message; it must not be counted.
await new Promise((resolve) => setTimeout(resolve, 400));
const got = new Promise<void>((resolve, reject) => {
  transport.onmessage = () => resolve();
  transport.onclose = () => reject(new Error('the connection ended'));
  transport.onerror = reject;
});
const beforeBytes = process.memoryUsage.rss();
const startedMs = performance.now();
await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
await got;
const tookMs = performance.now() - startedMs;
console.log(JSON.stringify({ ms: tookMs, bytes: process.resourceUsage().maxRSS * 1024 - beforeBytes }));
transport.onclose = () => {};
await transport.close();
await keeper.close();
await http.close();
