/** A person is asked whether to sign in, by a host that has the ports for it, and by nobody else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInServer, type SignInVices, startSignInServer } from '../../../test/servers/sign-in.ts';
import { followPages } from '../../../test/support/follow-pages.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { failureOf, type TestHome, trestleHome, valueOf } from '../../../test/support/trestle-home.ts';
import { limits } from '../../base/index.ts';
import { createAdapter, createBridge } from '../../toolsets/index.ts';
import type { ChoiceId, HostPorts, Outcome, Question, RuntimeOptions } from '../index.ts';
import { signInLacking } from './errand.ts';

const call = { server: 'docs', tool: 'whoami' };

interface Stage extends TestHome {
  readonly server: SignInServer;
  readonly questions: readonly Question[];
  /** Pages that were shown. */
  readonly pages: readonly string[];
  /** Calls that reached the server, refused ones too. */
  readonly called: () => number;
}

interface StageOptions extends Pick<Partial<RuntimeOptions>, 'clock'> {
  readonly vices?: SignInVices;
  readonly entry?: object;
  /** Answers in turn, then nobody answers; without them nobody can be asked. */
  readonly choices?: readonly ChoiceId[];
  readonly person?: HostPorts['person'] | undefined;
}

async function stage({ vices, entry, choices, person, ...options }: StageOptions): Promise<Stage> {
  const server = await startSignInServer(vices);
  onTestFinished(() => server.close());
  const questions: Question[] = [];
  const pages: string[] = [];
  const ask = (question: Question): Promise<ChoiceId | undefined> => {
    questions.push(question);
    const choice = choices?.[questions.length - 1];
    return choice === undefined ? new Promise(() => {}) : Promise.resolve(choice);
  };
  const showPage = (url: string): Promise<void> => {
    pages.push(url);
    return followPages(url);
  };
  const ports = { ...(choices === undefined ? {} : { ask }), person: person ?? { showPage } };
  const home = trestleHome({ docs: { url: server.url, ...entry } }, { ports, ...options });
  home.settings({ secretStore: 'file' });
  const called = (): number => server.seen.filter(({ rpc }) => rpc === 'tools/call').length;
  return { ...home, server, questions, pages, called };
}

const refusedAsEver = {
  kind: 'unavailable',
  failure: { code: 'auth_required', hint: 'Sign in: trestle login docs', details: { command: 'trestle login docs' } },
};

describe('a call that needs a sign-in', () => {
  it('K6: where a person can be asked and shown a page, their yes signs in, and the call is sent once', async () => {
    const { runtime, server, questions, pages, called } = await stage({ choices: ['once'] });
    const { host } = new URL(server.url);
    expect(valueOf(await runtime.call(call)).shown).toMatchObject({ blocks: [{ text: 'allowed: read' }] });
    expect([questions.length, pages.length, called()]).toEqual([1, 1, 1]);
    expect(questions[0]).toMatchObject({
      kind: 'sign-in',
      server: 'docs',
      title: 'Sign in to docs?',
      facts: [
        { label: 'Host', value: host },
        { label: 'Scopes', value: 'read' },
        { label: 'Asked because of', value: 'Server "docs" asks for a sign-in (HTTP 401).' },
      ],
      choices: [
        { id: 'once', label: 'Yes, open the page' },
        { id: 'no', label: 'No' },
      ],
      deadlineMs: limits.questionMs,
    });
    expect(questions[0]?.covers).toContain('A yes opens a page in your browser');
    valueOf(await runtime.call(call));
    expect(questions).toHaveLength(1);
  });

  it('K6: reads and lists ask as well, and so does a sync', async () => {
    const { runtime, questions } = await stage({ choices: ['no', 'no', 'no'] });
    await runtime.listTools({ server: 'docs' });
    await runtime.read({ server: 'docs', uri: 'a:b' });
    await runtime.sync({ server: 'docs' });
    expect(questions.map(({ kind }) => kind)).toEqual(['sign-in', 'sign-in', 'sign-in']);
  });

  it.each<readonly [string, readonly ChoiceId[] | undefined]>([
    ['nobody can be asked', undefined],
    ['the answer is no', ['no']],
    ['the answer is none of the choices', ['always']],
  ])('K6: where %s it ends as it always did, and no page is shown', async (_, choices) => {
    const { runtime, server, pages, called } = await stage(choices === undefined ? {} : { choices });
    expect(await runtime.call(call)).toMatchObject(refusedAsEver);
    expect([pages.length, server.to('/authorize').length, called()]).toEqual([0, 0, 0]);
  });

  it('K6: where nobody answers in time it ends as it always did', async () => {
    const clock = createManualClock();
    const { runtime, questions, pages } = await stage({ choices: [], clock });
    const waiting = runtime.call(call);
    await expect.poll(() => questions.length).toBe(1);
    await clock.advance(limits.questionMs);
    expect(await waiting).toMatchObject(refusedAsEver);
    expect(pages).toEqual([]);
  });

  it('K6: a host that can show no page asks nobody', async () => {
    const questions: Question[] = [];
    const server = await startSignInServer();
    onTestFinished(() => server.close());
    const ask = (question: Question): Promise<ChoiceId> => {
      questions.push(question);
      return Promise.resolve('once');
    };
    const { runtime } = trestleHome({ docs: { url: server.url } }, { ports: { ask } });
    expect(await runtime.call(call)).toMatchObject(refusedAsEver);
    expect(questions).toEqual([]);
  });

  it('K6: more than was granted is asked for by a question of its own, with what there was', async () => {
    const { runtime, server, questions, called } = await stage({ choices: ['once', 'once'] });
    valueOf(await runtime.call(call));
    const more = valueOf(await runtime.call({ server: 'docs', tool: 'administrate' }));
    expect(more.shown).toMatchObject({ blocks: [{ text: 'allowed: read admin' }] });
    expect(questions[1]?.facts).toEqual([
      { label: 'Host', value: new URL(server.url).host },
      { label: 'Signs in at', value: server.origin },
      { label: 'Scopes', value: 'read admin' },
      { label: 'Asked because of', value: 'Server "docs" wants more than the sign-in allows (admin).' },
    ]);
    // Refused once, executed once.
    expect(called()).toBe(3);
  });

  it('K6: one request may sign in and then for more', async () => {
    const { runtime, questions } = await stage({ choices: ['once', 'once'] });
    expect(await runtime.call({ server: 'docs', tool: 'administrate' })).toMatchObject({ kind: 'ok' });
    expect(questions).toHaveLength(2);
  });

  it('K6: a server that refuses what was just signed in for is not signed in to again', async () => {
    const { runtime, server, questions } = await stage({ choices: ['once', 'once'], vices: { takesNothing: true } });
    expect(await runtime.call(call)).toMatchObject(refusedAsEver);
    expect([questions.length, server.to('/authorize').length]).toEqual([1, 1]);
  });

  it('K6: several calls at once ask once, and sign in once', async () => {
    const { runtime, questions, pages, called } = await stage({ choices: ['once'] });
    const kinds = await Promise.all([1, 2, 3].map(async () => (await runtime.call(call)).kind));
    expect([kinds, questions.length, pages.length, called()]).toEqual([['ok', 'ok', 'ok'], 1, 1, 3]);
  });

  it('K6: several calls at once ask once where the answer is no, too', async () => {
    const { runtime, questions, pages, called } = await stage({ choices: ['no', 'once'] });
    const outcomes = await Promise.all([1, 2, 3].map(() => runtime.call(call)));
    for (const outcome of outcomes) expect(outcome).toMatchObject(refusedAsEver);
    expect([questions.length, pages.length, called()]).toEqual([1, 0, 0]);
  });

  it('K6: a sign-in that does not come about is what the call ends with; the call was not sent', async () => {
    const { runtime, called } = await stage({ choices: ['once'], vices: { answer: 'denied' } });
    expect(await runtime.call(call)).toMatchObject({
      kind: 'unavailable',
      failure: { code: 'sign_in_failed', details: { reason: 'refused' } },
    });
    expect(called()).toBe(0);
  });

  it('K6: whoever gives up while a person signs in has cancelled, and another one may be asked', async () => {
    const abort = new AbortController();
    const person = { showPage: (): void => abort.abort() };
    const { runtime, questions, server } = await stage({ choices: ['once', 'no'], person });
    const waiting = await runtime.call({ ...call, signal: abort.signal });
    expect(failureOf(waiting)).toMatchObject({ kind: 'cancelled' });
    expect(await runtime.call(call)).toMatchObject(refusedAsEver);
    expect([questions.length, server.to('/token').length]).toEqual([2, 0]);
  });

  it('K6: nobody is asked for a client that signs in by itself', async () => {
    const auth = { type: 'client-credentials', clientId: 'robot', clientSecret: 'robots-own-secret' };
    const { runtime, questions } = await stage({ choices: ['once'], entry: { auth }, vices: { takesNothing: true } });
    expect(await runtime.call(call)).toMatchObject({ kind: 'unavailable', failure: { code: 'auth_required' } });
    expect(questions).toEqual([]);
  });

  it('K6: nobody is asked where the server may have executed the call: it must not be sent again', () => {
    const refused = { kind: 'unavailable', failure: { code: 'auth_required', message: 'm', details: { signIn: {} } } };
    const lacking = (execution: string): boolean =>
      signInLacking({ ...refused, execution } as Outcome<unknown>) !== undefined;
    expect(['not-sent', 'rejected', 'unknown', 'done'].map(lacking)).toEqual([true, true, false, false]);
  });

  it('K6: the tools of a model ask the person, not the model', async () => {
    const { runtime, questions, called } = await stage({ choices: ['no', 'once'] });
    const [callTool] = createBridge(runtime, { downloadRoot: undefined });
    const refused = await callTool?.execute({ server: 'docs', toolName: 'whoami' });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('trestle login docs') as string }],
    });
    const output = await callTool?.execute({ server: 'docs', toolName: 'whoami' });
    expect(output).toMatchObject({ isError: false, content: [{ text: 'allowed: read' }] });
    expect([questions.length, called()]).toEqual([2, 1]);
  });

  it('K6: so do those that name their server by its URL, of which a model may choose any but is asked about the user’s own', async () => {
    const { runtime, server, questions, called } = await stage({ choices: ['once'] });
    const callTool = createAdapter(runtime, { cwd: undefined }).find(({ name }) => name === 'mcp_call');
    const output = await callTool?.execute({ url: server.url, tool: 'whoami' });
    expect(output).toMatchObject({ isError: false, content: [{ text: 'allowed: read' }] });
    expect([questions.map(({ kind }) => kind), called()]).toEqual([['sign-in'], 1]);
  });

  it('K6: what stands in a file that somebody named has no command by its name; a person who is asked signs in to it all the same', async () => {
    const { runtime, server, questions, folder } = await stage({ choices: ['session', 'no', 'once'] });
    const file = join(folder, 'theirs.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { theirs: { url: `${server.url}?theirs` } } }));
    const callTool = createAdapter(runtime, { cwd: folder }).find(({ name }) => name === 'mcp_call');
    const target = { configPath: file, server: 'theirs', tool: 'whoami' };
    const refused = await callTool?.execute(target);
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/Add it under a name, then sign in: trestle add/) as string }],
    });
    expect(JSON.stringify(refused)).not.toContain('trestle login theirs');
    expect(await callTool?.execute(target)).toMatchObject({ isError: false, content: [{ text: 'allowed: read' }] });
    expect(questions.map(({ kind }) => kind)).toEqual(['connect', 'sign-in', 'sign-in']);
  });
});
