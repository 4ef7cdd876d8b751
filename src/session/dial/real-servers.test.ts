import { describe, expect, it } from 'vitest';
import { testDeadline } from '../../../test/support/dial-fake.ts';
import { dialReal, realServer, type Transport } from '../../../test/support/dial-real.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { Deadline } from '../../base/index.ts';
import type { Session } from '../session.ts';
import type { SessionPorts } from './dial-options.ts';

describe.each<Transport>(['stdio', 'http'])('the reference server of 2026-07-28 over %s', (transport) => {
  const open = async (ports: Partial<SessionPorts> = {}): Promise<Session> =>
    dialReal(await realServer(transport, 'modern.mjs'), { ports: { roots: () => [], ...ports } });
  const under = (deadline: Deadline = testDeadline()) => ({ deadline });

  it('S1, S2, S7: is recognised, and its lists are read', async () => {
    const session = await open();
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

  it('S11: acknowledges that it is listened to', async () => {
    const session = await open();
    session.onListChanged(() => {});
    await eventually(() => session.counters().messagesIn === 2);
    expect(session.counters()).toMatchObject({ requestsSent: 2, strayReplies: 0 });
  });

  it('S9: progress arrives, all of it', async () => {
    const session = await open();
    const seen: number[] = [];
    const onProgress = ({ progress }: { readonly progress: number }): void => void seen.push(progress);
    await session.callTool({ name: 'slow', arguments: { ms: 100 } }, { ...under(), onProgress });
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('S10: a cancelled call ends at once, and the session goes on', async () => {
    const session = await open();
    const abort = new AbortController();
    // Its first word shows that the call has come.
    const calling = session.callTool(
      { name: 'slow', arguments: { ms: 4_000 } },
      { ...under(testDeadline(undefined, 60_000, abort.signal)), onProgress: () => abort.abort() },
    );
    await expect(calling).rejects.toMatchObject({ code: 'cancelled', execution: 'unknown' });
    const echo = await session.callTool({ name: 'echo', arguments: { message: 'hi' } }, under());
    expect(echo.content).toMatchObject([{ text: 'Echo: hi' }]);
  });

  it('S6, S14: a question back is answered through the port, with its defaults', async () => {
    const session = await open({ elicit: async () => ({ action: 'accept', content: { sure: true } }) });
    const reply = await session.callTool({ name: 'confirm', arguments: {} }, under());
    expect(reply.content).toMatchObject([{ text: 'accept {"sure":true,"why":"because"}' }]);
  });
});
