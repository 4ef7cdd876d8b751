import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Deadline, silentLog, systemClock } from '../base/index.ts';
import { createHttpClient, type Endpoint } from '../wire/index.ts';
import { httpEndpoint, testDeadline } from '../../test/support/dial-fake.ts';
import { testKeeper, testServer } from '../../test/support/stdio-link.ts';
import { dial } from './dial.ts';
import type { SessionPorts } from './dial-options.ts';
import type { Session } from './session.ts';

/** The 2026-07-28 server of the reference library, over HTTP. */
async function overHttp(): Promise<Endpoint> {
  const { command, args } = testServer('modern.mjs', 'http');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  for await (const url of createInterface({ input: child.stdout })) return { ...httpEndpoint, url };
  throw new Error('the server said no URL');
}

async function open(endpoint: Endpoint, ports: Partial<SessionPorts> = {}): Promise<Session> {
  const http = createHttpClient({ clock: systemClock });
  onTestFinished(() => http.close());
  const session = await dial({
    server: 'modern',
    endpoint,
    definitionHash: 'hash',
    protocol: 'auto',
    protocolVersions: [],
    eras: { get: () => undefined, set() {}, forget() {} },
    wire: { clock: systemClock, log: silentLog, keeper: testKeeper(), http },
    ports: { roots: () => [], ...ports },
    client: { name: 'trestle', version: '0.0.0' },
    deadline: testDeadline(),
  });
  onTestFinished(() => session.close());
  return session;
}

const starts: readonly [string, () => Promise<Endpoint>][] = [
  ['stdio', async () => testServer('modern.mjs', 'stdio')],
  ['Streamable HTTP', overHttp],
];

describe.each(starts)('the reference server of 2026-07-28 over %s', (_name, start) => {
  const under = (deadline: Deadline = testDeadline()) => ({ deadline });

  it('S1, S2, S7: is recognised, and its lists are read', async () => {
    const session = await open(await start());
    expect(session.info).toMatchObject({
      era: 'modern',
      serverInfo: { name: 'modern' },
      instructions: 'Say hello with echo.',
    });
    const tools = await session.listTools(under());
    expect(tools.items.map((tool) => tool['name'])).toContain('confirm');
    expect(tools.problems).toEqual([]);
    expect(await session.readResource('memo://greeting', under())).toMatchObject([{ text: 'hello' }]);
    expect(await session.signOfLife(2_000)).toBe(true);
  });

  it('S9: progress arrives, all of it', async () => {
    const session = await open(await start());
    const seen: number[] = [];
    const onProgress = ({ progress }: { readonly progress: number }): void => void seen.push(progress);
    await session.callTool({ name: 'slow', arguments: { ms: 100 } }, { ...under(), onProgress });
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('S10: a cancelled call ends at once, and the session goes on', async () => {
    const session = await open(await start());
    const abort = new AbortController();
    const calling = session.callTool(
      { name: 'slow', arguments: { ms: 20_000 } },
      under(testDeadline(undefined, 60_000, abort.signal)),
    );
    setTimeout(() => abort.abort(), 50);
    await expect(calling).rejects.toMatchObject({ code: 'cancelled', execution: 'unknown' });
    const echo = await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, under());
    expect(echo.content).toMatchObject([{ text: 'Echo: hi' }]);
  });

  it('S6, S14: a question back is answered through the port, with its defaults', async () => {
    const session = await open(await start(), { elicit: async () => ({ action: 'accept', content: { sure: true } }) });
    const reply = await session.callTool({ name: 'confirm', arguments: {} }, under());
    expect(reply.content).toMatchObject([{ text: 'accept {"sure":true,"why":"because"}' }]);
  });
});
