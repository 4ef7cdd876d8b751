/** A person signs in where they are: at the client, for what the daemon was refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInServer, startSignInServer } from '../../test/servers/sign-in.ts';
import { type DaemonHome, daemonHome } from '../../test/support/daemon-home.ts';
import { followPages } from '../../test/support/follow-pages.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { failureOf, valueOf } from '../../test/support/trestle-home.ts';
import { canonicalPathSync } from '../base/index.ts';
import { createRuntime, type HostPorts, type Question } from '../runtime/index.ts';

const call = { server: 'docs', tool: 'whoami' };

/** A home whose daemon runs, with ports of its own that must never be used. */
async function guarded(): Promise<{
  readonly home: DaemonHome;
  readonly server: SignInServer;
  readonly told: string[];
}> {
  const server = await startSignInServer();
  onTestFinished(() => server.close());
  const home = daemonHome({ docs: { url: server.url } });
  writeFileSync(join(home.folder, 'settings.json'), JSON.stringify({ secretStore: 'file' }));
  const told: string[] = [];
  await home.start({
    openRuntime(options) {
      told.push(...Object.keys(options.ports ?? {}));
      return createRuntime(options);
    },
  });
  return { home, server, told };
}

function personWho(says: 'once' | 'no') {
  const [questions, pages]: [Question[], string[]] = [[], []];
  const ask: HostPorts['ask'] = (question) => {
    questions.push(question);
    return Promise.resolve(says);
  };
  const showPage = (url: string): Promise<void> => {
    pages.push(url);
    return followPages(url);
  };
  return { questions, pages, ask, person: { showPage } };
}

describe('a sign-in for what the daemon does', () => {
  it('K6: the client asks and signs in; the daemon, which can do neither, calls once with what came of it', async () => {
    const { home, server, told } = await guarded();
    const { questions, pages, ...person } = personWho('once');
    const { runtime, locals } = home.client(person);
    expect(valueOf(await runtime.call(call)).shown).toMatchObject({ blocks: [{ text: 'allowed: read' }] });
    expect([questions.length, pages.length, locals()]).toEqual([1, 1, 0]);
    expect(server.seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
    expect(told).toEqual([]);
    valueOf(await runtime.call({ server: 'docs', tool: 'administrate' }));
    expect(questions[1]?.facts).toContainEqual({ label: 'Scopes', value: 'read admin' });
  });

  it('K2, K6: what a project asks for, allowed for the session, is signed in to as well, without a second question about the same', async () => {
    const { home, server } = await guarded();
    const cwd = canonicalPathSync(tempFolder());
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: { url: server.url } } }));
    const kinds: string[] = [];
    const ask: HostPorts['ask'] = ({ kind }) => {
      kinds.push(kind);
      return Promise.resolve(kind === 'sign-in' ? 'once' : 'session');
    };
    const { runtime } = home.client({ ask, person: { showPage: followPages }, cwd });
    expect(await runtime.call({ server: 'theirs', tool: 'whoami' })).toMatchObject({ kind: 'ok' });
    expect(kinds).toEqual(['connect', 'sign-in']);
    expect(await runtime.approvals()).toMatchObject({ approvals: [] });
    // Who signs in by themselves is not asked either; what reads otherwise by now was allowed nowhere.
    const { person } = { person: { showPage: followPages } };
    expect(await runtime.signIn({ server: 'theirs', person })).toMatchObject({ kind: 'ok' });
    expect(kinds).toEqual(['connect', 'sign-in']);
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: { url: `${server.url}?other` } } }));
    expect(await home.client({ cwd }).runtime.signIn({ server: 'theirs', person })).toMatchObject({
      kind: 'denied',
      failure: { code: 'approval_needed' },
    });
  });

  it('K6: a no, and a client with nobody, end as ever', async () => {
    const { home, server } = await guarded();
    const { questions, pages, ...person } = personWho('no');
    const clients = [home.client(person), home.client({ person: person.person }), home.client()];
    for (const { runtime } of clients) {
      expect(failureOf(await runtime.call(call))).toMatchObject({
        kind: 'unavailable',
        failure: { code: 'auth_required', details: { command: 'trestle login docs' } },
      });
    }
    expect([questions.length, pages.length, server.to('/authorize').length]).toEqual([1, 0, 0]);
  });
});
