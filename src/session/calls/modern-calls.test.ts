import { describe, expect, it, vi } from 'vitest';
import { testDeadline } from '../../../test/support/dial-fake.ts';
import { dialReal, modernVices, type ModernVices, type Transport } from '../../../test/support/dial-real.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { TrestleError } from '../../base/index.ts';
import type { SessionPorts } from '../dial/dial-options.ts';
import type { CallReply, RequestControl, Session, ToolCall } from '../session.ts';

interface Talk extends ModernVices {
  readonly session: Session;
}

async function talk(transport: Transport, ports: Partial<SessionPorts> = {}): Promise<Talk> {
  const vices = await modernVices(transport);
  const session = await dialReal(vices.endpoint, { ports: { roots: () => [], ...ports } });
  return { ...vices, session };
}

function call(
  session: Session,
  tool: Omit<ToolCall, 'arguments'> & Partial<ToolCall>,
  control: Partial<RequestControl> = {},
): Promise<CallReply> {
  return session.callTool({ arguments: {}, ...tool }, { deadline: testDeadline(), ...control });
}

const textOf = (reply: CallReply): unknown => (reply.content[0] as { readonly text?: unknown }).text;

async function failureOf(work: Promise<unknown>): Promise<TrestleError> {
  const error: unknown = await work.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!(error instanceof TrestleError)) throw new Error('expected a TrestleError', { cause: error });
  return error;
}

const schema = (name: string): ToolCall['inputSchema'] => ({
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': name } },
});
const mirrored = { name: 'mirrored', arguments: { region: 'eu' } };

/** A host that answers every form. */
const says = (sure: boolean): Partial<SessionPorts> => ({
  elicit: async () => ({ action: 'accept', content: { sure } }),
});

describe('mirrored arguments over HTTP', () => {
  it('S14: go with the call as headers', async () => {
    const { session, ran } = await talk('http');
    expect(textOf(await call(session, { ...mirrored, inputSchema: schema('Region') }))).toBe('in eu');
    expect(ran()).toEqual(['call mirrored']);
  });

  it('S14: a tool whose marks are wrong is left out of the list, and is not called', async () => {
    const { session, ran } = await talk('http');
    const { items, problems } = await session.listTools({ deadline: testDeadline() });
    expect(items.map((tool) => tool['name'])).not.toContain('ruled_out');
    expect(problems).toEqual([expect.stringMatching(/^tool "ruled_out": x-mcp-header of ratio .*; it is left out$/)]);
    const inputSchema = { properties: { ratio: { type: 'number', 'x-mcp-header': 'Ratio' } } };
    const refused = await failureOf(call(session, { name: 'ruled_out', inputSchema }));
    expect(refused).toMatchObject({ code: 'unknown_tool', execution: 'not-sent' });
    expect(ran()).toEqual(['tools/list']);
  });

  it('S14: a call refused for its headers is sent once more when the tool wants others now, and runs once', async () => {
    const { session, ran } = await talk('http');
    const changes: string[] = [];
    session.onListChanged((list) => changes.push(list));
    await call(session, { name: 'remark' });
    expect(textOf(await call(session, { ...mirrored, inputSchema: schema('Region') }))).toBe('in eu');
    const did = ran().filter((line) => !line.startsWith('listen'));
    expect(did).toEqual(['call remark', 'refused mirrored', 'tools/list', 'call mirrored']);
    await eventually(() => changes.includes('tools'));
  });

  it('S14: so is one without a schema that is known', async () => {
    const { session, ran } = await talk('http');
    expect(textOf(await call(session, mirrored))).toBe('in eu');
    expect(ran()).toEqual(['refused mirrored', 'tools/list', 'call mirrored']);
  });

  it('S14: where nothing has changed the refusal stands, as one that ran nothing', async () => {
    const { session, ran } = await talk('http');
    const refused = await failureOf(call(session, { name: 'mismatched' }));
    expect(refused).toMatchObject({ code: 'protocol_error', execution: 'rejected', details: { rpcCode: -32_020 } });
    expect(ran()).toEqual(['call mismatched', 'tools/list']);
  });

  it('S14: go with each round of the call', async () => {
    const { session, ran } = await talk('http', says(true));
    const asking = { name: 'mirrored', arguments: { region: 'eu', ask: true }, inputSchema: schema('Region') };
    expect(textOf(await call(session, asking))).toBe('in eu');
    expect(ran()).toEqual(['call mirrored']);
  });

  it('S14: a refusal of the corrected call is the last', async () => {
    const { session, ran } = await talk('http');
    // The list marks nothing, so the header is taken away; that helps nothing either.
    const refused = await failureOf(call(session, { ...mirrored, name: 'mismatched', inputSchema: schema('Region') }));
    expect(refused).toMatchObject({ execution: 'rejected', details: { rpcCode: -32_020 } });
    expect(ran()).toEqual(['call mismatched', 'tools/list', 'call mismatched']);
  });
});

describe('mirrored arguments over stdio', () => {
  it('S14: there are none, and marks rule nothing out', async () => {
    const { session } = await talk('stdio');
    const { items } = await session.listTools({ deadline: testDeadline() });
    expect(items.map((tool) => tool['name'])).toContain('ruled_out');
    expect(textOf(await call(session, { ...mirrored, inputSchema: schema('') }))).toBe('in eu');
  });
});

describe.each<Transport>(['stdio', 'http'])('a capability that the host lacks, over %s', (transport) => {
  it('S14: is named, and nothing ran', async () => {
    const { session, ran } = await talk(transport);
    const refused = await failureOf(call(session, { name: 'needy' }));
    expect(refused).toMatchObject({ code: 'protocol_error', execution: 'rejected', details: { rpcCode: -32_021 } });
    expect(refused.hint).toContain('sampling, x/y');
    expect(ran()).toEqual(['call needy']);
  });
});

describe.each<Transport>(['stdio', 'http'])('a result that asks for input, over %s', (transport) => {
  it('S14: is answered by the host, and its state goes back byte for byte', async () => {
    const { session, ran } = await talk(transport, says(true));
    expect(textOf(await call(session, { name: 'asks' }))).toBe('{"q":{"action":"accept","content":{"sure":true}}}');
    expect(ran()).toEqual(['call asks', 'call asks']);
  });

  it('S14: a retry that is refused as unexecuted does not say that of the call', async () => {
    const { session } = await talk(transport, says(true));
    const failed = await failureOf(call(session, { name: 'asks_then_refuses' }));
    expect(failed).toMatchObject({ code: 'protocol_error', execution: 'unknown' });
  });

  it('S14: a cancel while the host is asked ends the call and its question, and nothing more is sent', async () => {
    const abort = new AbortController();
    const asked = vi.fn<(signal: AbortSignal) => void>();
    const { session, ran } = await talk(transport, {
      elicit: (_server, _params, signal) => {
        asked(signal);
        return new Promise(() => {});
      },
    });
    const calling = failureOf(
      call(session, { name: 'asks' }, { deadline: testDeadline(undefined, 60_000, abort.signal) }),
    );
    await eventually(() => asked.mock.calls.length === 1);
    abort.abort();
    expect(await calling).toMatchObject({ code: 'cancelled', execution: 'unknown' });
    expect(asked.mock.calls[0]?.[0].aborted).toBe(true);
    expect(textOf(await call(session, { name: 'plain' }))).toBe('plain');
    expect(ran()).toEqual(['call asks', 'call plain']);
  });

  it('S14: a read and a prompt may ask too, and nothing of it is kept for the next', async () => {
    const { session, ran } = await talk(transport, says(true));
    const control = { deadline: testDeadline() };
    for (let time = 1; time <= 2; time += 1) {
      expect(await session.readResource('memo://x', control)).toMatchObject([{ text: 'read' }]);
    }
    expect(ran()).toEqual(['read 1', 'read 2', 'read 3', 'read 4']);
    expect((await session.getPrompt({ name: 'p', arguments: {} }, control)).messages).toHaveLength(1);
  });
});

describe.each<Transport>(['stdio', 'http'])('a task, over %s', (transport) => {
  it('S14: is polled to its end, its progress told, its result the result of the call, which ran once', async () => {
    const { session, ran } = await talk(transport);
    const told: unknown[] = [];
    const reply = await call(session, { name: 'job' }, { onProgress: (progress) => told.push(progress) });
    expect(reply).toMatchObject({ content: [{ text: 'finished' }], structuredContent: { polls: 3 }, isError: false });
    expect(told).toEqual([
      { progress: 1, message: 'step 1' },
      { progress: 2, message: 'step 2' },
    ]);
    expect(ran()).toEqual(['call job', 'tasks/get job', 'tasks/get job', 'tasks/get job']);
  });

  it('S14: that needs input gets it once, though the server repeats its question', async () => {
    const elicit = vi.fn<NonNullable<SessionPorts['elicit']>>(async () => ({
      action: 'accept',
      content: { sure: true },
    }));
    const { session, ran } = await talk(transport, { elicit });
    const reply = await call(session, { name: 'job_asks' });
    expect(textOf(reply)).toBe('{"q":{"action":"accept","content":{"sure":true}}}');
    expect(elicit).toHaveBeenCalledTimes(1);
    expect(ran().filter((line) => line === 'tasks/update job_asks')).toHaveLength(1);
  });

  it('S14: that is at work at a cancel is cancelled on the server, and the call ends', async () => {
    const abort = new AbortController();
    const { session, ran } = await talk(transport);
    const control = { deadline: testDeadline(undefined, 60_000, abort.signal) };
    const calling = failureOf(call(session, { name: 'job_stuck' }, control));
    await eventually(() => ran().filter((line) => line === 'tasks/get job_stuck').length >= 2);
    abort.abort();
    expect(await calling).toMatchObject({ code: 'cancelled', execution: 'unknown' });
    await eventually(() => ran().includes('tasks/cancel job_stuck'));
    expect(ran().filter((line) => line.startsWith('call'))).toEqual(['call job_stuck']);
    expect(ran().some((line) => line.includes('misnamed'))).toBe(false);
    expect(textOf(await call(session, { name: 'plain' }))).toBe('plain');
  });

  it('S14: closing the session right after a cancel still tells the server', async () => {
    const abort = new AbortController();
    const { session, ran } = await talk(transport);
    const calling = failureOf(
      call(session, { name: 'job_stuck' }, { deadline: testDeadline(undefined, 60_000, abort.signal) }),
    );
    await eventually(() => ran().includes('tasks/get job_stuck'));
    abort.abort();
    expect(await calling).toMatchObject({ code: 'cancelled' });
    await session.close();
    await eventually(() => ran().includes('tasks/cancel job_stuck'));
  });
});

describe('a task over HTTP', () => {
  it('S14: that the server no longer knows is lost, not cancelled and not asked again', async () => {
    const { session, ran } = await talk('http');
    const failed = await failureOf(call(session, { name: 'job_vanishes' }));
    expect(failed).toMatchObject({ code: 'protocol_error', execution: 'unknown', details: { taskId: 'job-1' } });
    expect(failed.message).toContain('no longer knows the task');
    expect(ran()).toEqual(['call job_vanishes', 'tasks/get job_vanishes', 'tasks/get job_vanishes']);
  });

  it('S14: outlives a broken connection of one look', async () => {
    const { session, ran } = await talk('http');
    expect(textOf(await call(session, { name: 'job_cut' }))).toBe('finished');
    expect(ran().filter((line) => line.startsWith('call'))).toEqual(['call job_cut']);
  });
});
