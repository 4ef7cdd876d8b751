/** A person is asked where they are: by the client, for what the daemon does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DaemonHome, daemonHome, type RunningDaemon } from '../../test/support/daemon-home.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { type Counting, countingStdio, failureOf } from '../../test/support/trestle-home.ts';
import { canonicalPathSync } from '../base/index.ts';
import { type ChoiceId, type Question, questionOf } from '../runtime/index.ts';

const call = { server: 'counting', tool: 'echo', arguments: { message: 'a' } };

interface Careful {
  readonly home: DaemonHome;
  readonly counting: Counting;
  readonly daemon: RunningDaemon;
}

async function careful(): Promise<Careful> {
  const counting = countingStdio();
  const home = daemonHome({ counting: counting.entry });
  writeFileSync(join(home.folder, 'settings.json'), JSON.stringify({ requireConsent: true }));
  return { home, counting, daemon: await home.start() };
}

function person(choice: ChoiceId) {
  const questions: Question[] = [];
  const ask = (question: Question): Promise<ChoiceId> => {
    questions.push(question);
    return Promise.resolve(choice);
  };
  return { questions, ask };
}

describe('consent over the daemon', () => {
  it('K1: a client with nobody to ask is refused, and nothing runs', async () => {
    const { home, counting } = await careful();
    const client = home.client();
    expect(failureOf(await client.runtime.call(call))).toMatchObject({
      kind: 'denied',
      execution: 'not-sent',
      failure: { code: 'approval_needed', details: { question: { server: 'counting' } } },
    });
    expect(counting.ran()).toEqual([]);
  });

  it('K1: the client asks, and the daemon does the request once', async () => {
    const { home, counting } = await careful();
    const { questions, ask } = person('once');
    const client = home.client({ ask });
    expect(await client.runtime.call(call)).toMatchObject({ kind: 'ok' });
    expect(counting.ran().filter((line) => line.startsWith('call'))).toEqual(['call echo']);
    expect(client.locals()).toBe(0);
    await client.runtime.call(call);
    expect(questions).toHaveLength(2);
  });

  it('K1: a yes for the session holds for every command in that folder, and no longer than the daemon', async () => {
    const { home } = await careful();
    const first = person('session');
    await home.client(first).runtime.call(call);
    expect(await home.client().runtime.call(call)).toMatchObject({ kind: 'ok' });
    expect(failureOf(await home.client({ cwd: home.folder }).runtime.call(call)).failure.code).toBe('approval_needed');
    const client = home.client();
    expect(await client.runtime.approvals()).toMatchObject({ approvals: [], session: [{ server: 'counting' }] });
    expect((await home.client({ cwd: home.folder }).runtime.approvals()).session).toEqual([]);
    expect(await client.runtime.revoke({ server: 'counting' })).toHaveLength(1);
    expect((await client.runtime.approvals()).session).toEqual([]);
    expect(failureOf(await client.runtime.call(call)).failure.code).toBe('approval_needed');
  });

  it('K1: the daemon’s end ends what was allowed for the session', async () => {
    const { home, daemon } = await careful();
    await home.client(person('session')).runtime.call(call);
    const later = home.client();
    expect(await later.runtime.call(call)).toMatchObject({ kind: 'ok' });
    await later.runtime.close();
    daemon.stop();
    await daemon.ended;
    await home.start();
    expect(failureOf(await home.client().runtime.call(call)).failure.code).toBe('approval_needed');
  });

  it('K1: what a person approved by a command of its own holds for the daemon at once', async () => {
    const { home } = await careful();
    const client = home.client();
    await client.runtime.approve({ server: 'counting' });
    expect(await client.runtime.call(call)).toMatchObject({ kind: 'ok' });
  });

  it('K1: an answer by hand goes where the question was asked', async () => {
    const { home } = await careful();
    const { runtime } = home.client();
    const id = questionOf(await runtime.call(call))?.id ?? '';
    await runtime.answer({ question: id, choice: 'once' });
    expect(await runtime.call(call)).toMatchObject({ kind: 'ok' });
    await expect(runtime.answer({ question: id, choice: 'once' })).rejects.toMatchObject({ code: 'unknown_question' });
  });

  it("K2, L7: status shows the connection of a project's server to whoever is in that project, and to nobody else", async () => {
    const home = daemonHome();
    await home.start();
    const cwd = canonicalPathSync(tempFolder());
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: countingStdio().entry } }));
    const { runtime, locals } = home.client({ ...person('always'), cwd });
    expect(await runtime.call({ server: 'theirs', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(locals()).toBe(0);
    expect((await runtime.status()).servers).toMatchObject([{ name: 'theirs', entries: [{ state: 'ready' }] }]);
    expect((await home.client().runtime.status()).servers).toEqual([]);
  });

  it('K2: a client whose host does not trust the project has none of its servers, of whom the daemon serves another', async () => {
    const home = daemonHome();
    await home.start();
    const cwd = canonicalPathSync(tempFolder());
    const counting = countingStdio();
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: counting.entry } }));
    const request = { server: 'theirs', tool: 'count' };
    const trusting = home.client({ ...person('always'), cwd });
    expect(await trusting.runtime.call(request)).toMatchObject({ kind: 'ok' });
    const distrustful = home.client({ ...person('always'), cwd, projectTrusted: false });
    expect(failureOf(await distrustful.runtime.call(request)).failure.code).toBe('unknown_server');
    // The client was not asked: it is the daemon that refuses.
    expect(distrustful.locals()).toBe(0);
    expect(counting.ran().filter((line) => line.startsWith('call'))).toEqual(['call count']);
  });
});
