import { describe, expect, it } from 'vitest';
import {
  type Counting,
  countingHttp,
  countingStdio,
  failureOf,
  type TestHome,
  trestleHome,
  valueOf,
} from '../../../test/support/trestle-home.ts';
import type { ChoiceId, Question } from '../index.ts';

const server = 'counting';
const rules = { allow: ['*o*', 'hang'], deny: ['crash', 'f*'], ask: ['hang', 'en*'] };

function ruled(
  counting: Counting = countingStdio(),
  tools: unknown = rules,
): TestHome & { readonly counting: Counting } {
  const home = trestleHome({ [server]: { ...counting.entry, tools } });
  return { ...home, counting };
}

/** By `allow`, without those of `deny`. */
const visible = ['count', 'echo', 'environment', 'hang'];

describe('the rules of an entry', () => {
  it.each(['crash', 'forget', 'large'])('K3: %s is not called, by its stored or its live descriptor', async (tool) => {
    const { runtime, counting, folder } = ruled();
    expect(failureOf(await runtime.call({ server, tool }))).toMatchObject({
      kind: 'denied',
      execution: 'not-sent',
      failure: { code: 'denied', message: expect.stringContaining(`${folder}/servers.json`) as string },
    });
    expect(counting.ran()).toEqual([]);
    await runtime.sync({ server });
    for (const checkedBy of ['stored', 'live'] as const)
      expect(failureOf(await runtime.call({ server, tool, checkedBy }))).toMatchObject({ kind: 'denied' });
    expect(await runtime.checkCall({ server, tool })).toMatchObject({ kind: 'denied' });
    expect(counting.ran().filter((line) => line.startsWith('call'))).toEqual([]);
    expect(await runtime.call({ server, tool: 'count' })).toMatchObject({ kind: 'ok' });
  });

  it('K3: the sentence names the rule', async () => {
    const { runtime } = ruled();
    const sentence = async (tool: string): Promise<string> =>
      failureOf(await runtime.call({ server, tool })).failure.message;
    expect(await sentence('forget')).toContain('tools.deny has "f*"');
    expect(await sentence('large')).toContain('tools.allow does not have it');
  });

  it('K3: denied tools are in no list, count, search, text for a model or hint', async () => {
    const { runtime } = ruled();
    await runtime.sync({ server });
    const names = (tools: readonly { readonly name?: unknown }[]): readonly string[] =>
      tools.map(({ name }) => String(name)).toSorted();
    const { registry } = runtime;
    expect(names(registry.servers().value[0]?.tools ?? [])).toEqual(visible);
    expect(registry.servers().value[0]?.toolCount).toBe(visible.length);
    expect(names(registry.server(server).value?.tools ?? [])).toEqual(visible);
    expect(names(registry.tools(server).value)).toEqual(visible);
    expect(registry.tool(server, 'crash')).toEqual({ value: undefined, findings: [] });
    expect(names(valueOf(await runtime.listTools({ server })).tools)).toEqual(visible);
    expect(names(valueOf(await runtime.inspect({ server })).tools)).toEqual(visible);
    const status = await runtime.status();
    expect([status.tools, status.servers[0]?.tools]).toEqual([visible.length, visible.length]);
    expect([status.denied, status.servers[0]?.denied]).toEqual([7, 7]);
    const context = await runtime.context();
    expect(context.tools).toBe(visible.length);
    for (const hidden of ['crash', 'forget', 'freeze', 'large']) expect(context.text).not.toContain(hidden);
    expect(context.text).toContain('hang');
    const found = await runtime.search({ query: visible.join(' ') + ' crash forget large' });
    expect(found.hits.map(({ tool }) => tool).toSorted()).toEqual(visible);
    expect(found.total).toBe(visible.length);
    const pages = await runtime.search({ query: visible.join(' ') + ' crash', limit: 3 });
    expect([pages.hits.length, pages.next]).toEqual([3, '3']);
    for (const checkedBy of ['stored', 'live'] as const) {
      const { hint, details } = failureOf(await runtime.call({ server, tool: 'cosh', checkedBy })).failure;
      expect(`${hint} ${JSON.stringify(details)}`).not.toContain('crash');
    }
  });

  it('K3: a sync tells of what may be called, and how many tools are denied', async () => {
    const { runtime } = ruled();
    const first = valueOf(await runtime.sync({ server })).changes;
    expect([first.tools.added.toSorted(), first.tools.unchanged, first.denied]).toEqual([visible, 0, 7]);
    const again = valueOf(await runtime.sync({ server })).changes;
    expect([again.tools.added, again.tools.unchanged, again.denied]).toEqual([[], visible.length, 7]);
    const unruled = valueOf(await ruled(countingStdio(), null).runtime.sync({ server })).changes;
    expect([unruled.tools.added.length, unruled.denied]).toEqual([11, 0]);
  });

  it('K3: rules hold from the moment they are written, and end no connection', async () => {
    const home = ruled(countingStdio(), null);
    const { runtime, counting } = home;
    await runtime.sync({ server });
    expect(runtime.registry.servers().value[0]?.toolCount).toBe(11);
    home.configure({ [server]: { ...counting.entry, tools: { deny: ['*'] } } });
    await expect.poll(() => runtime.registry.servers().value[0]?.toolCount).toBe(0);
    expect(failureOf(await runtime.call({ server, tool: 'count' })).kind).toBe('denied');
    home.configure({ [server]: counting.entry });
    await expect.poll(() => runtime.registry.servers().value[0]?.toolCount).toBe(11);
    expect(await runtime.call({ server, tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(counting.ran().filter((line) => line === 'initialize')).toHaveLength(1);
  });

  it('K3: a raw request calls and lists no denied tool either', async () => {
    const { runtime, counting } = ruled(await countingHttp());
    const call = (name: string) => runtime.post({ server, method: 'tools/call', params: { name } });
    expect(failureOf(await call('crash'))).toMatchObject({ kind: 'denied', execution: 'not-sent' });
    expect(failureOf(await call('hang'))).toMatchObject({ failure: { code: 'approval_needed' } });
    expect(counting.ran()).toEqual([]);
    const { response } = valueOf(await runtime.post({ server, method: 'tools/list' }));
    expect(JSON.stringify(response)).not.toContain('"crash"');
    expect(JSON.stringify(response)).toContain('"count"');
  });

  it('K3: tools that say they may destroy something can be made to ask, by a raw request too', async () => {
    const counting = await countingHttp();
    const home = trestleHome({ [server]: counting.entry });
    home.settings({ destructiveTools: 'ask' });
    const { runtime } = home;
    const post = (params: object) => runtime.post({ server, method: 'tools/call', params: { ...params } });
    const reasonOf = async (outcome: Promise<Parameters<typeof failureOf>[0]>): Promise<string> => {
      const { failure } = failureOf(await outcome);
      return `${failure.code}: ${failure.message}`;
    };
    // Of a tool that nobody has seen nobody knows what it may do.
    expect(await reasonOf(post({ name: 'count' }))).toContain('approval_needed');
    expect(await reasonOf(runtime.call({ server, tool: 'forget' }))).toContain('it says that it may destroy something');
    expect(await runtime.call({ server, tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(await reasonOf(post({ name: 'forget' }))).toContain('it says that it may destroy something');
    expect(await post({ name: 'count' })).toMatchObject({ kind: 'ok' });
    expect(await reasonOf(post({ name: 'count', arguments: '{"hidden": true}' }))).toContain('invalid_arguments');
    expect(counting.ran().filter((line) => line.startsWith('call'))).toEqual(['call count', 'call count']);
  });

  it('K3: a tool that asks is called after a yes that names it', async () => {
    const questions: Question[] = [];
    const choices: ChoiceId[] = ['once', 'always'];
    const ask = (question: Question): Promise<ChoiceId | undefined> => {
      questions.push(question);
      return Promise.resolve(choices[questions.length - 1]);
    };
    const home = trestleHome({ [server]: { ...countingStdio().entry, tools: { ask: ['echo'] } } }, { ports: { ask } });
    const { runtime } = home;
    await runtime.approve({ server });
    const call = { server, tool: 'echo', arguments: { message: 'a' } };
    expect(await runtime.call({ server, tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(questions).toEqual([]);
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
    expect(questions).toMatchObject([{ kind: 'call', title: 'Call counting/echo?' }]);
    expect(questions[0]?.facts).toContainEqual({ label: 'Arguments', value: '{"message":"a"}' });
    expect(questions[0]?.facts).toContainEqual({
      label: 'Asked because of',
      value: `tools.ask has "echo", in ${home.folder}/servers.json`,
    });
    expect(await runtime.call({ ...call, checkedBy: 'live' })).toMatchObject({ kind: 'ok' });
    expect(questions).toHaveLength(2);
    expect(await runtime.call({ ...call, arguments: { message: 'b' } })).toMatchObject({ kind: 'ok' });
    expect(questions).toHaveLength(2);
    expect((await runtime.approvals()).approvals).toMatchObject([{ server }, { server, tools: ['echo'] }]);
  });
});
