import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInServer, type SignInVices, startSignInServer } from '../../../test/servers/sign-in.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { followPages } from '../../../test/support/follow-pages.ts';
import { failureOf, type TestHome, trestleHome, valueOf } from '../../../test/support/trestle-home.ts';
import { adHocDefinition } from '../../config/index.ts';

const person = { showPage: followPages };

interface Signed extends TestHome {
  readonly server: SignInServer;
}

async function signedIn(vices: SignInVices = {}): Promise<Signed> {
  const server = await startSignInServer(vices);
  const home = trestleHome({ docs: { url: server.url } });
  home.settings({ secretStore: 'file' });
  onTestFinished(() => server.close());
  valueOf(await home.runtime.signIn({ server: 'docs', person }));
  return { ...home, server };
}

/** The same home, as another process has it. */
async function elsewhere(folder: string): Promise<TestHome> {
  const servers = JSON.parse(readFileSync(join(folder, 'servers.json'), 'utf8')) as { readonly mcpServers: object };
  return trestleHome(servers.mcpServers as Record<string, unknown>, {
    places: (await import('../places.ts')).placesOf(folder),
  });
}

describe('a runtime', () => {
  it('K6: signs in, calls, and signs out; sessions of before end', async () => {
    const { runtime } = await signedIn();
    const call = { server: 'docs', tool: 'whoami' };
    expect(valueOf(await runtime.call(call)).shown).toMatchObject({ blocks: [{ text: 'allowed: read' }] });
    expect(valueOf(await runtime.signOut({ server: 'docs' }))).toEqual({
      server: 'docs',
      accounts: [{ account: 'default' }],
      left: [],
    });
    expect(failureOf(await runtime.call(call))).toMatchObject({
      kind: 'unavailable',
      failure: { code: 'auth_required' },
    });
  });

  it('K6: a URL that somebody just typed gets no stored credential', async () => {
    const { runtime, server } = await signedIn();
    const before = server.seen.length;
    const outcome = await runtime.call({ server: adHocDefinition({ url: server.url }), tool: 'whoami' });
    expect(failureOf(outcome).failure.hint).toContain('trestle add <name> --url');
    expect(server.seen.slice(before).every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('K4, K6: a token that was stored is hidden wherever it comes up', async () => {
    const { folder } = await signedIn();
    const [, token = ''] = /(access-\w+)/.exec(readFileSync(join(folder, 'state', 'secrets.json'), 'utf8')) ?? [];
    const { runtime } = await elsewhere(folder);
    valueOf(await runtime.call({ server: 'docs', tool: 'whoami' }));
    expect(runtime.redact(`it says ${token}`)).toBe('it says [redacted]');
  });

  it('K6, H1: a sign-in that cannot be renewed ends the search for a transport with its own words, asked for once', async () => {
    const { runtime, server } = await signedIn();
    server.expireAll();
    server.vices = { tokens: 'error-502' };
    const failed = failureOf(await runtime.call({ server: 'docs', tool: 'whoami' }));
    expect(failed).toMatchObject({ kind: 'unavailable', failure: { code: 'sign_in_failed' } });
    expect(failed.failure.message).toContain("answered HTTP 502 instead of a sign-in's answer");
    expect(server.grants('refresh_token')).toHaveLength(1);
  });

  it('K6: another process signs out, or in again: the connection ends after its calls, the next is made by whoever is signed in', async () => {
    const { runtime, folder, server } = await signedIn();
    const other = await elsewhere(folder);
    const call = (): Promise<string> => runtime.call({ server: 'docs', tool: 'whoami' }).then(({ kind }) => kind);
    const connections = (): number => server.seen.filter(({ rpc }) => rpc === 'initialize').length;
    const states = async (): Promise<readonly string[]> =>
      (await runtime.status()).servers.flatMap(({ entries }) => entries.map(({ state }) => state));
    expect([await call(), await call(), connections()]).toEqual(['ok', 'ok', 1]);

    valueOf(await other.runtime.signIn({ server: 'docs', person }));
    expect([await call(), connections()]).toEqual(['ok', 2]);

    const held = Promise.withResolvers<void>();
    server.vices = { callsEndAfter: held.promise };
    const before = server.seen.length;
    const running = call();
    while (!server.seen.slice(before).some(({ rpc }) => rpc === 'tools/call')) await setTimeout(5);
    valueOf(await other.runtime.signOut({ server: 'docs' }));
    await runtime.refreshSignIns();
    expect(await states()).toEqual(['closing']);
    held.resolve();
    expect(await running).toBe('ok');
    await eventually(async () => (await states()).length === 0, 'the end of the connection');
    expect(await call()).toBe('unavailable');
  });

  it('K6: a renewal keeps the connection', async () => {
    const { runtime, server } = await signedIn();
    const call = { server: 'docs', tool: 'whoami' };
    valueOf(await runtime.call(call));
    server.expireAll();
    valueOf(await runtime.call(call));
    valueOf(await runtime.call(call));
    expect(server.grants('refresh_token')).toHaveLength(1);
    expect(server.seen.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(1);
  });

  it('K6: who forgets a server forgets its sign-ins, without a word to anybody; those of a URL that another server has stay', async () => {
    const { runtime, folder, server } = await signedIn();
    const config = join(folder, 'servers.json');
    const both = { mcpServers: { docs: { url: server.url }, same: { url: server.url } } };
    const stored = (): string => readFileSync(join(folder, 'state', 'secrets.json'), 'utf8');
    writeFileSync(config, JSON.stringify(both));
    await runtime.forget('docs');
    expect(stored()).toMatch(/access-/);
    writeFileSync(config, JSON.stringify({ mcpServers: { docs: both.mcpServers.docs } }));
    const before = server.seen.length;
    await runtime.forget('docs');
    expect(stored()).not.toMatch(/access-|refresh-/);
    expect(server.seen).toHaveLength(before);
  });

  it.each<readonly [string, (home: Signed) => string | Promise<string>]>([
    [
      'that is disabled',
      (home) => {
        home.configure({ docs: { url: home.server.url, enabled: false } });
        return 'docs';
      },
    ],
    [
      'whose header wants a variable that is gone',
      (home) => {
        home.configure({ docs: { url: home.server.url, headers: { 'x-key': '${GONE}' } } });
        return 'docs';
      },
    ],
    [
      'that only the registry knows',
      async (home) => {
        valueOf(await home.runtime.sync({ server: 'docs' }));
        home.configure({});
        return 'docs';
      },
    ],
    [
      'that stands nowhere, by its URL',
      (home) => {
        home.configure({});
        return home.server.url;
      },
    ],
  ])('K6: who signs out of a server %s is signed out, and its server is told', async (_, change) => {
    const home = await signedIn({ revocation: true });
    const named = await change(home);
    expect(valueOf(await home.runtime.signOut({ server: named })).accounts).toEqual([
      { account: 'default', revoked: true },
    ]);
    expect(readFileSync(join(home.folder, 'state', 'secrets.json'), 'utf8')).not.toMatch(/access-|refresh-/);
    expect(valueOf(await home.runtime.signOut({ server: named })).accounts).toEqual([]);
  });

  it('K2, K6: nobody is signed out of what a project names and nobody has approved', async () => {
    const home = await signedIn();
    const project = { mcpServers: { theirs: { url: home.server.url } } };
    writeFileSync(join(home.folder, 'work', '.mcp.json'), JSON.stringify(project));
    expect(failureOf(await home.runtime.signOut({ server: 'theirs' })).failure.code).toBe('approval_needed');
    expect(readFileSync(join(home.folder, 'state', 'secrets.json'), 'utf8')).toMatch(/access-/);
  });

  it('K6: nobody signs in to a process', async () => {
    const { runtime } = trestleHome({ local: { command: process.execPath } });
    expect(failureOf(await runtime.signIn({ server: 'local', person }))).toMatchObject({
      failure: { code: 'invalid_arguments', message: 'local is a process on this machine, so nobody signs in to it.' },
    });
  });
});
