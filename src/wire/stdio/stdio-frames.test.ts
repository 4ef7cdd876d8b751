import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { isAlive } from '../../../test/support/processes.ts';
import { openTestLink, type TestLink, testServer } from '../../../test/support/stdio-link.ts';
import { limits } from '../../base/index.ts';
import type { Framing } from './framing.ts';

const open = (manner: string, framing?: Framing): Promise<TestLink> =>
  openTestLink({ ...testServer('frames.mjs', manner), ...(framing === undefined ? {} : { framing }) });

const callOver =
  ({ request }: TestLink) =>
  async (name: string, args: object = {}): Promise<unknown> => {
    const { result } = (await request('tools/call', { name, arguments: args })) as { result: { content: unknown } };
    return result.content;
  };

const text = (content: string): unknown => [{ type: 'text', text: content }];

describe('a server that speaks frames', () => {
  it('T6: is spoken to in frames both ways when its definition says so', async () => {
    const link = await open('only', 'content-length');
    const call = callOver(link);
    expect(await call('echo', { message: 'grüße 🚀\r\n\r\nContent-Length: 5' })).toEqual(
      text('grüße 🚀\r\n\r\nContent-Length: 5'),
    );
    expect(await Promise.all([call('odd'), call('echo', { message: '2' }), call('odd')])).toEqual(
      ['odd', '2', 'odd'].map(text),
    );
    expect(link.link.stats()).toMatchObject({ messagesIn: 4, messagesOut: 4, noise: 2, noiseSample: '[log] odd' });
  });

  it('T6: is recognised by its first frame, behind a banner, on the same process', async () => {
    const link = await open('greets');
    await eventually(() => link.messages.length === 1);
    expect(await callOver(link)('echo', { message: 'hi' })).toEqual(text('hi'));
    expect(link.messages[0]).toMatchObject({ method: 'notifications/message' });
    expect(link.link.stats()).toMatchObject({ noise: 2, noiseSample: 'Frames 1.0' });
  });

  it('T6: what still waits to be written when frames are recognised goes out in frames', async () => {
    const link = await open('answers');
    const call = callOver(link);
    const answers = await Promise.all(['1', '2', '3'].map((message) => call('echo', { message })));
    expect(answers).toEqual(['1', '2', '3'].map(text));
    expect(await call('echo', { message: '4' })).toEqual(text('4'));
    expect(link.link.stats().noise).toBe(0);
  });

  it('T6: is told again what it complained of; its complaint goes no further', async () => {
    const { link, request, messages } = await open('complains');
    const waiting = request('tools/call', { name: 'echo', arguments: { message: '1' } });
    waiting.catch(() => {});
    await new Promise<void>((resolve) => {
      link.onframing = resolve;
    });
    expect(messages).toEqual([]);
    expect(await request('ping')).toMatchObject({ id: 2, result: {} });
    expect(messages).toHaveLength(1);
  });

  it('T6: is not guessed at: to one that understands frames only, lines are said and nothing comes', async () => {
    const { link, request } = await open('only');
    const { pid } = link;
    let isAnswered = false;
    const settle = (): void => {
      isAnswered = true;
    };
    request('initialize').then(settle, settle);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([isAnswered, link.pid, link.stats().bytesIn]).toEqual([false, pid, 0]);
  });
});

describe('frames that are wrong', () => {
  it('T6: a length that is too short or too long fails that call only, at once', async () => {
    const link = await open('only', 'content-length');
    const call = callOver(link);
    const echo = async (): Promise<void> => {
      expect(await call('echo', { message: 'well' })).toEqual(text('well'));
    };
    for (const vice of ['too-short', 'too-long']) {
      const failing = call(vice);
      const fine = echo();
      await expect(failing).rejects.toMatchObject({ code: 'broken_reply', execution: 'unknown' });
      await fine;
    }
    await echo();
    expect(link.faults.map(({ id }) => id)).toEqual([1, 3]);
  });

  it('T6: a block without a length is noise, and the next frame is read', async () => {
    const link = await open('only', 'content-length');
    link.request('tools/call', { name: 'no-length' }).catch(() => {});
    expect(await callOver(link)('echo', { message: 'x' })).toEqual(text('x'));
    expect(link.link.stats().noise).toBe(2);
  });

  it('T3: a frame over 16 MiB fails only the call it answers', async () => {
    const link = await open('only', 'content-length');
    const call = callOver(link);
    const envelope = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: text('') } }).length;
    expect(await call('big', { bytes: limits.messageBytes - envelope })).toHaveLength(1);
    const big = call('big', { bytes: limits.messageBytes - envelope + 1 });
    const fine = call('echo', { message: 'x' });
    await expect(big).rejects.toMatchObject({ code: 'message_too_large', execution: 'unknown' });
    expect(await fine).toEqual(text('x'));
  });

  it('T3: a frame that announces 5 GB ends the link with one error', async () => {
    const { request, ended, link } = await open('only', 'content-length');
    await expect(request('tools/call', { name: 'endless' })).rejects.toMatchObject({
      code: 'flooded',
      message: 'Server "thing" announced a message of 4.7 GiB and was stopped.',
    });
    await ended;
    await link.close();
    expect(isAlive(link.pid ?? 0)).toBe(false);
  });
});
