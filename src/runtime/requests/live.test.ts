/** What is asked of the server itself, past the registry: its list before a call, its tools, a raw request. */
import { describe, expect, it } from 'vitest';
import { answerAsUsual, replyTo, sendJson, serveHttp } from '../../../test/support/http-server.ts';
import {
  adHoc,
  countingHttp,
  countingStdio,
  failureOf,
  trestleHome,
  valueOf,
} from '../../../test/support/trestle-home.ts';
import { fileKey } from '../../base/index.ts';

describe('a call that is checked by the live list', () => {
  it('A3: lists the tools afresh before each call, and stores nothing', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    for (let nth = 0; nth < 2; nth += 1) {
      const outcome = await runtime.call({ server: 'counting', tool: 'count', checkedBy: 'live' });
      expect(outcome).toMatchObject({ kind: 'ok' });
    }
    const ran = counting.ran().filter((line) => /call|list/.test(line));
    expect(ran).toEqual(['tools/list', 'call count', 'tools/list', 'call count']);
    expect(runtime.registry.servers().value).toEqual([]);
  });

  it('A3: a name that is not listed and arguments that do not fit never reach a tool', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    const call = async (tool: string, args: unknown) =>
      failureOf(await runtime.call({ server: 'counting', tool, arguments: args, checkedBy: 'live' }));
    expect(await call('cuont', {})).toMatchObject({ failure: { code: 'unknown_tool' }, execution: 'not-sent' });
    expect(await call('echo', {})).toMatchObject({ failure: { code: 'invalid_arguments' }, execution: 'not-sent' });
    expect(counting.ran().filter((line) => line.startsWith('call'))).toEqual([]);
  });

  it('A3: the key of a file is no listed name', async () => {
    const odd = 'two words';
    const server = await serveHttp((request, response) => {
      const { method } = request.message;
      const serverInfo = { name: 'odd', version: '1' };
      if (method === 'initialize') {
        const capabilities = { tools: {} };
        sendJson(response, replyTo(request, { protocolVersion: '2025-06-18', capabilities, serverInfo }));
      } else if (method === 'tools/list') {
        sendJson(response, replyTo(request, { tools: [{ name: odd, inputSchema: { type: 'object' } }] }));
      } else answerAsUsual(request, response);
    });
    const { runtime } = trestleHome({ odd: { url: server.origin } });
    const request = { server: 'odd', tool: fileKey(odd), checkedBy: 'live' } as const;
    expect(failureOf(await runtime.call(request)).failure.code).toBe('unknown_tool');
  });
});

it('A3, K4: what is shown as JSON is guarded like everything else', async () => {
  const counting = countingStdio();
  const { runtime } = trestleHome(
    { counting: { ...counting.entry, env: { API_TOKEN: '${MY_TOKEN}' } } },
    { env: { ...process.env, MY_TOKEN: 'hunter2-hunter2' } },
  );
  const request = { server: 'counting', checkedBy: 'live', present: 'json' } as const;
  const echoed = await runtime.call({ ...request, tool: 'environment', arguments: { name: 'API_TOKEN' } });
  expect(valueOf(echoed).shown.blocks).toEqual([{ type: 'text', text: 'API_TOKEN=[redacted]' }]);
  const odd = valueOf(await runtime.call({ ...request, tool: 'mismatch' }));
  expect(odd.shown.blocks.map((block) => 'text' in block && block.text)).toEqual(['{"n":"one"}', '{"n":"one"}']);
});

describe('the live list of tools', () => {
  it('A2: has the tools, and who the server is', async () => {
    const { runtime } = trestleHome({ counting: countingStdio().entry });
    const { info, tools } = valueOf(await runtime.listTools({ server: 'counting' }));
    expect(info.serverInfo).toMatchObject({ name: 'counting', version: '1.0.0' });
    expect(tools).toContainEqual(expect.objectContaining({ name: 'echo', description: 'Does echo.' }));
    expect(runtime.registry.servers().value).toEqual([]);
  });

  it('A2: is read to its last page', async () => {
    const names = ['a', 'b', 'c'];
    const server = await serveHttp((request, response) => {
      const { method, params } = request.message as { readonly method?: string; readonly params?: { cursor?: string } };
      if (method === 'initialize') {
        const serverInfo = { name: 'paged', version: '1' };
        sendJson(
          response,
          replyTo(request, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }),
        );
      } else if (method === 'tools/list') {
        const page = Number(params?.cursor ?? 0);
        const tools = [{ name: names[page], inputSchema: { type: 'object' } }];
        sendJson(response, replyTo(request, { tools, ...(page < 2 ? { nextCursor: String(page + 1) } : {}) }));
      } else answerAsUsual(request, response);
    });
    const { runtime } = trestleHome({ paged: { url: server.origin } });
    const { tools } = valueOf(await runtime.listTools({ server: 'paged' }));
    expect(tools.map(({ name }) => name)).toEqual(names);
  });

  it('A5: a server without the tools capability is refused, by a list and by a call', async () => {
    const server = await serveHttp(answerAsUsual);
    const { runtime } = trestleHome({ bare: { url: server.origin } });
    const refusals = [
      await runtime.listTools({ server: 'bare' }),
      await runtime.call({ server: 'bare', tool: 'echo', checkedBy: 'live' }),
    ].map((outcome) => failureOf(outcome));
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ kind: 'unavailable', execution: 'not-sent' });
      expect(refusal.failure.code).toBe('capability_missing');
    }
    expect(server.seen.map(({ message }) => message['method'])).not.toContain('tools/list');
  });
});

describe('a raw request', () => {
  it('A4: goes to a configured server without any session', async () => {
    const counting = await countingHttp();
    const { runtime } = trestleHome({ counting: counting.entry });
    const { response, execution } = valueOf(
      await runtime.post({ server: 'counting', method: 'tools/call', params: { name: 'count' }, id: 'x' }),
    );
    expect(response).toMatchObject({ id: 'x', result: { content: [{ text: 'counted' }] } });
    expect(execution).toBe('done');
    expect(counting.ran()).toEqual(['call count']);
  });

  it('A4: to a server that is not reached over HTTP it is refused, and nothing starts', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome();
    const failed = failureOf(await runtime.post({ server: adHoc(counting.entry), method: 'ping' }));
    expect(failed).toMatchObject({ kind: 'invalid-arguments', execution: 'not-sent' });
    expect(counting.ran()).toEqual([]);
  });
});
