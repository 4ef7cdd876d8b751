import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { adHoc, countingStdio, failureOf, type TestHome, trestleHome } from '../../../test/support/trestle-home.ts';
import { limits } from '../../base/index.ts';
import { type ChoiceId, type HostPorts, type Question, questionOf } from '../index.ts';

const call = { server: 'counting', tool: 'echo', arguments: { message: 'a' } };

interface Person {
  readonly questions: Question[];
  readonly ask: NonNullable<HostPorts['ask']>;
}

/** Answers with these choices in turn, then does not answer. */
function person(...choices: readonly (ChoiceId | 'silent')[]): Person {
  const questions: Question[] = [];
  const ask: Person['ask'] = (question) => {
    const choice = choices[questions.length];
    questions.push(question);
    return choice === 'silent' ? new Promise(() => {}) : Promise.resolve(choice);
  };
  return { questions, ask };
}

function careful(ports: HostPorts = {}, counting = countingStdio()) {
  const home = trestleHome({ counting: counting.entry }, { ports });
  home.settings({ requireConsent: true });
  const called = (): readonly string[] => counting.ran().filter((line) => line.startsWith('call '));
  return { ...home, called, counting };
}

const codeOf = async (outcome: ReturnType<TestHome['runtime']['call']>): Promise<string> =>
  failureOf(await outcome).failure.code;

describe('consent', () => {
  it('K1: without the setting nobody is asked', async () => {
    const { ask, questions } = person();
    const { runtime } = trestleHome({ counting: countingStdio().entry }, { ports: { ask } });
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
    expect(questions).toEqual([]);
  });

  it('K1: where nobody can be asked, no call, read or list reaches a server, and nothing is started', async () => {
    const { runtime, counting } = careful();
    const { server } = call;
    const outcomes = await Promise.all([
      runtime.call(call),
      runtime.call({ ...call, checkedBy: 'live' }),
      runtime.read({ server, uri: 'a:b' }),
      runtime.listTools({ server }),
      runtime.listResources({ server }),
      runtime.listPrompts({ server }),
      runtime.getPrompt({ server, prompt: 'p' }),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'denied', execution: 'not-sent', failure: { code: 'approval_needed' } });
    }
    expect(failureOf(outcomes[0]).failure.hint).toContain('trestle approve counting');
    expect(counting.ran()).toEqual([]);
  });

  it('K1: a sync is a person’s own yes to connect, and none to call', async () => {
    const { runtime } = careful();
    expect(await runtime.sync({ server: 'counting' })).toMatchObject({ kind: 'ok' });
    expect(await runtime.inspect({ server: 'counting' })).toMatchObject({ kind: 'ok' });
    expect(await codeOf(runtime.call(call))).toBe('approval_needed');
  });

  it('K1: the question says what is asked for, what a yes covers, and how long it waits', async () => {
    const { ask, questions } = person('no');
    const { runtime, folder } = careful({ ask });
    await runtime.call(call);
    const [question] = questions;
    expect(question).toMatchObject({
      kind: 'use',
      server: 'counting',
      title: 'Use the server counting?',
      deadlineMs: limits.questionMs,
    });
    expect(question?.id).toMatch(/^[0-9a-f]{32}$/);
    expect(question?.choices.map(({ id }) => id)).toEqual(['once', 'session', 'always', 'no']);
    expect(question?.covers).toContain('does not cover the scripts and packages');
    const facts = Object.fromEntries(question?.facts.map(({ label, value }) => [label, value]) ?? []);
    expect(facts).toMatchObject({
      Tool: 'echo',
      Arguments: '{"message":"a"}',
      'Defined in': `${folder}/servers.json`,
      Command: expect.stringContaining('counting.mjs') as string,
      'Asked because of': `requireConsent in ${folder}/settings.json`,
    });
  });

  it('K1: once lets one request through; session every one of its scope; always every one for good', async () => {
    const { ask, questions } = person('once', 'session', 'always');
    const { runtime, called, folder } = careful({ ask });
    const server = 'counting';
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
    expect(questions).toHaveLength(1);
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
    expect(questions).toHaveLength(2);
    await runtime.call({ ...call, arguments: { message: 'b' } });
    await runtime.listTools({ server });
    expect(questions).toHaveLength(2);
    expect((await runtime.approvals()).approvals).toEqual([]);
    await runtime.call({ ...call, scope: 'session:2' });
    await runtime.call({ ...call, scope: 'session:3' });
    expect(questions).toHaveLength(3);
    expect(called()).toHaveLength(5);
    expect((await runtime.approvals()).approvals).toMatchObject([
      { server, kind: 'use', file: `${folder}/servers.json`, descriptors: { echo: expect.any(String) as string } },
    ]);
  });

  it('K1: a session’s yes ends with its scope', async () => {
    const { ask, questions } = person('session', 'no');
    const { runtime } = careful({ ask });
    await runtime.call({ ...call, scope: 'session:1' });
    await runtime.closeScope('session:1');
    expect(await codeOf(runtime.call({ ...call, scope: 'session:1' }))).toBe('denied');
    expect(questions).toHaveLength(2);
  });

  it('K1: no means no, and so does no answer in time', async () => {
    const clock = createManualClock();
    const { ask, questions } = person('no', 'silent');
    const counting = countingStdio();
    const home = trestleHome({ counting: counting.entry }, { ports: { ask }, clock });
    home.settings({ requireConsent: true });
    expect(failureOf(await home.runtime.call(call))).toMatchObject({ kind: 'denied', failure: { code: 'denied' } });
    const waiting = home.runtime.call(call);
    await expect.poll(() => questions.length).toBe(2);
    await clock.advance(limits.questionMs);
    expect(failureOf(await waiting)).toMatchObject({ kind: 'denied', execution: 'not-sent' });
    expect(counting.ran()).toEqual([]);
  });

  it('K1: whoever gives up while a person is asked has cancelled; the answer lets nothing through any more', async () => {
    const { ask, questions } = person('silent');
    const { runtime, counting } = careful({ ask });
    const abort = new AbortController();
    const waiting = runtime.call({ ...call, signal: abort.signal });
    await expect.poll(() => questions.length).toBe(1);
    abort.abort();
    expect(failureOf(await waiting)).toMatchObject({ kind: 'cancelled', execution: 'not-sent' });
    expect(counting.ran()).toEqual([]);
  });

  it('K1: who waits behind a question can give up; where it is not answered, nobody is asked what waited behind it', async () => {
    const { ask, questions } = person('silent');
    const clock = createManualClock();
    const home = trestleHome(
      { counting: countingStdio().entry, other: countingStdio().entry },
      { ports: { ask }, clock },
    );
    home.settings({ requireConsent: true });
    const { runtime } = home;
    const abort = new AbortController();
    const first = runtime.call(call);
    await expect.poll(() => questions.length).toBe(1);
    const second = runtime.call({ ...call, server: 'other', signal: abort.signal });
    const third = runtime.call({ ...call, server: 'other' });
    abort.abort();
    expect(failureOf(await second)).toMatchObject({ kind: 'cancelled', execution: 'not-sent' });
    await clock.advance(limits.questionMs);
    for (const outcome of [await first, await third]) {
      expect(failureOf(outcome).failure.message).toContain('Nobody answered');
    }
    expect(questions).toHaveLength(1);
  });

  it('K1: what was allowed runs while the next question is asked', async () => {
    const { ask, questions } = person('session', 'session');
    const home = trestleHome({ counting: countingStdio().entry, other: countingStdio().entry }, { ports: { ask } });
    home.settings({ requireConsent: true });
    const abort = new AbortController();
    const endless = home.runtime.call({ server: 'counting', tool: 'hang', signal: abort.signal });
    await expect.poll(() => questions.length).toBe(1);
    expect(await home.runtime.call({ ...call, server: 'other' })).toMatchObject({ kind: 'ok' });
    abort.abort();
    expect(failureOf(await endless).kind).toBe('cancelled');
  });

  it('K1: requests that ask the same at the same time ask once where one answer is enough', async () => {
    const { ask, questions } = person('session');
    const { runtime } = careful({ ask });
    const outcomes = await Promise.all([runtime.call(call), runtime.call({ ...call, tool: 'count', arguments: {} })]);
    expect(outcomes).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
    expect(questions).toHaveLength(1);
  });

  it('K1: a no is the answer of all that wait with the same question, and of no other one', async () => {
    const { ask, questions } = person('no', 'once', 'no');
    const { runtime, called } = careful({ ask });
    const other = { ...call, arguments: { message: 'b' } };
    const outcomes = await Promise.all([call, call, other, call].map((one) => runtime.call(one)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['denied', 'denied', 'ok', 'denied']);
    expect(outcomes.map((one) => (one.kind === 'denied' ? one.failure.message : ''))).toEqual([
      'The answer to "Use the server counting?" was no.',
      'The answer to "Use the server counting?" was no.',
      '',
      'The answer to "Use the server counting?" was no.',
    ]);
    expect([questions.length, called()]).toEqual([2, ['call echo']]);
    // Whoever asks later asks anew.
    expect((await runtime.call(call)).kind).toBe('denied');
    expect(questions).toHaveLength(3);
  });

  it('K1: an answer given by hand is for the request that was refused, and for once', async () => {
    const { runtime, called } = careful();
    const question = questionOf(await runtime.call(call));
    const { id = '' } = question ?? {};
    await runtime.answer({ question: id, choice: 'once' });
    await expect(runtime.answer({ question: id, choice: 'once' })).rejects.toMatchObject({ code: 'unknown_question' });
    expect(await codeOf(runtime.call({ ...call, arguments: { message: 'other' } }))).toBe('approval_needed');
    expect(await codeOf(runtime.call({ ...call, scope: 'session:other' }))).toBe('approval_needed');
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
    expect(await codeOf(runtime.call(call))).toBe('approval_needed');
    expect(called()).toEqual(['call echo']);
  });

  it('K1: a changed entry is another server', async () => {
    const home = careful();
    const { runtime, counting } = home;
    await runtime.approve({ server: 'counting' });
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
    home.configure({ counting: { ...counting.entry, env: { MORE: '1' } } });
    expect(await codeOf(runtime.call(call))).toBe('approval_needed');
  });

  it('K1: an approval may be for tools, arguments and a time', async () => {
    const { runtime } = careful();
    const server = 'counting';
    await runtime.approve({ server, tools: ['ec*'], arguments: { message: 'a*' } });
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
    expect(await codeOf(runtime.call({ ...call, arguments: { message: 'b' } }))).toBe('approval_needed');
    expect(await codeOf(runtime.call({ server, tool: 'count' }))).toBe('approval_needed');
    expect(await codeOf(runtime.listTools({ server }) as never)).toBe('approval_needed');
    await runtime.approve({ server, expiresInMs: -1 });
    expect(await codeOf(runtime.call({ server, tool: 'count' }))).toBe('approval_needed');
    await runtime.approve({ server, expiresInMs: 60_000 });
    expect(await runtime.call({ server, tool: 'count' })).toMatchObject({ kind: 'ok' });
  });

  it('K1: what is taken back is asked for again', async () => {
    const { runtime } = careful();
    await runtime.approve({ server: 'counting' });
    expect(await runtime.revoke({ server: 'counting' })).toMatchObject([{ server: 'counting', kind: 'use' }]);
    expect(await codeOf(runtime.call(call))).toBe('approval_needed');
  });

  it('K1: a server that stands nowhere is asked about as well, and approved by adding it', async () => {
    const { runtime, counting } = careful();
    const { failure } = failureOf(await runtime.call({ ...call, server: adHoc(counting.entry) }));
    expect(failure).toMatchObject({
      code: 'approval_needed',
      hint: expect.stringContaining('trestle add NAME') as string,
    });
    expect(counting.ran()).toEqual([]);
  });

  it('K1: a damaged file of approvals approves nothing, and the refusal says so', async () => {
    const { runtime, folder } = careful();
    await runtime.approve({ server: 'counting' });
    writeFileSync(join(folder, 'state/approvals.json'), '{"approvals": [');
    const { hint } = failureOf(await runtime.call(call)).failure;
    expect(hint).toContain(`${folder}/state/approvals.json is no list of approvals`);
    expect((await runtime.status()).notices.join(' ')).toContain('is no list of approvals');
  });

  it('K1: what was looked at is approved, and not what has taken its place meanwhile', async () => {
    const home = careful();
    const { runtime, counting } = home;
    const { approval: seen } = await runtime.approve({ server: 'counting', dryRun: true });
    home.configure({ counting: { ...counting.entry, env: { NODE_OPTIONS: '--require ./evil.cjs' } } });
    await expect(runtime.approve({ server: 'counting', seen })).rejects.toMatchObject({ code: 'denied' });
    expect((await runtime.approvals()).approvals).toEqual([]);
    home.configure({ counting: counting.entry });
    await runtime.approve({ server: 'counting', seen });
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
  });

  it('K1: a question shows the whole command, and counts what it leaves out of what is too long for anybody', async () => {
    const home = careful();
    const { runtime } = home;
    const factsOf = async (...args: readonly string[]): Promise<Record<string, string>> => {
      home.configure({ counting: { command: 'node', args } });
      const { question } = await runtime.approve({ server: 'counting', dryRun: true });
      return Object.fromEntries(question.facts.map(({ label, value }) => [label, value]));
    };
    const long = `--title=${'x'.repeat(2_000)}`;
    expect((await factsOf(long, '-e', 'evil()'))['Command']).toBe(`node ${long} -e 'evil()'`);
    const { Command: cut = '' } = await factsOf('y'.repeat(limits.questionEntryCharacters), '-e', 'evil()');
    expect(cut).toMatch(/^node y+… \(18 more characters are not shown\)$/);
    expect((await factsOf('-e', 'é\u001b[2K\u202e'))['Command']).toBe("node -e 'é'");
  });

  it('K1: a dry run of an approval tells and keeps nothing', async () => {
    const { runtime } = careful();
    const { question } = await runtime.approve({ server: 'counting', dryRun: true });
    expect(question).toMatchObject({ kind: 'use', server: 'counting' });
    expect((await runtime.approvals()).approvals).toEqual([]);
  });
});
