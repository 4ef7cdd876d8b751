import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSignInServer, type SignInServer, type SignInVices } from '../servers/sign-in.ts';
import { eventually } from '../support/eventually.ts';
import { type Cli, createCli, createDaemonCli } from '../support/cli.ts';
import { projectRoot } from '../support/project-files.ts';

const browser = { BROWSER: `"${process.execPath}" "${join(projectRoot, 'test/support/headless-browser.mjs')}"` };

interface Home extends Pick<Cli, 'home'> {
  readonly server: SignInServer;
  readonly run: Cli['run'];
  readonly start: Cli['start'];
}

/** A home with a server behind a sign-in, under the name `docs`. */
async function home(vices: SignInVices = {}, auth: object = {}): Promise<Home> {
  const server = await startSignInServer(vices);
  onTestFinished(() => server.close());
  const cli = createCli();
  configure(cli, { docs: { url: server.url, ...auth } });
  return { home: cli.home, run: (...given) => cli.run(...given), start: (...given) => cli.start(...given), server };
}

function configure(cli: Pick<Cli, 'home'>, mcpServers: object): void {
  writeFileSync(join(cli.home, 'servers.json'), JSON.stringify({ mcpServers }));
  // The file, whatever the machine that tests has.
  writeFileSync(join(cli.home, 'settings.json'), JSON.stringify({ secretStore: 'file' }));
}

describe('signing in', () => {
  it('K6: a call that needs it says the command, in text and for scripts, and opens nothing', async () => {
    const { run, server } = await home();
    const call = await run(['call', 'docs', 'whoami'], { env: browser });
    expect(call).toMatchObject({ code: 3, stdout: '' });
    expect(call.stderr).toContain('Server "docs" asks for a sign-in (HTTP 401).');
    expect(call.stderr).toContain('Sign in: trestle login docs');
    const { stdout, code } = await run(['call', 'docs', 'whoami', '--json'], { env: browser });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'unavailable',
      error: { code: 'auth_required', details: { command: 'trestle login docs' } },
    });
    expect(server.to('/authorize')).toEqual([]);
  });

  it('K6: login signs in by the browser and reads the tools; calls then need no look at anything', async () => {
    const { run, server, home: folder } = await home();
    const login = await run(['login', 'docs'], { env: browser });
    expect(login).toMatchObject({ code: 0 });
    expect(login.stdout).toContain(`Signed in to docs at ${server.origin}, renewed by itself.`);
    expect(login.stdout).toContain('Scopes: read');
    expect(login.stdout).toContain('2 tools');
    const before = server.seen.length;
    const call = await run(['call', 'docs', 'whoami']);
    expect(call).toMatchObject({ code: 0, stdout: 'allowed: read\n' });
    expect(new Set(server.seen.slice(before).map(({ path }) => path))).toEqual(new Set(['/mcp']));
    expect(statSync(join(folder, 'state', 'secrets.json')).mode & 0o077).toBe(0);
    const plain = readFileSync(join(folder, 'state', 'sign-ins.json'), 'utf8');
    expect(plain).not.toMatch(/access-|refresh-/);
  });

  it('K6: without a browser the address where one ended is pasted, its state checked', async () => {
    const { start, server } = await home();
    const child = start(['login', 'docs', '--no-browser', '--json']);
    let [told, out] = ['', ''];
    const page = new Promise<string>((resolve) => {
      child.stderr?.on('data', (piece: Buffer) => {
        told += piece.toString();
        const [url] = /http:\S+/.exec(told) ?? [];
        if (url !== undefined) resolve(url);
      });
    });
    child.stdout?.on('data', (piece: Buffer) => (out += piece.toString()));
    const { headers } = await fetch(await page, { redirect: 'manual' });
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.stdin?.write(`${headers.get('location')}\n`);
    expect(await ended).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      server: 'docs',
      signIn: { account: 'default', issuer: server.origin, scopes: 'read', renews: true },
      sync: { changes: { server: 'docs' } },
    });
  });

  it('K6: a pasted address of another sign-in is refused', async () => {
    const { run, server } = await home();
    const login = await run(['login', 'docs', '--no-browser'], {
      input: 'http://127.0.0.1:1/callback?code=x&state=y\n',
    });
    expect(login.code).toBe(3);
    expect(login.stderr).toContain('what was pasted is not the address at which this sign-in ended');
    expect(server.to('/token')).toEqual([]);
  });

  it('K6: more is asked for by another login, with what was granted before', async () => {
    const { run, server } = await home();
    await run(['login', 'docs'], { env: browser });
    const refused = await run(['call', 'docs', 'administrate', '--json']);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      kind: 'unavailable',
      execution: 'rejected',
      error: { code: 'auth_required', details: { scope: 'read admin' } },
    });
    expect((await run(['login', 'docs'], { env: browser })).code).toBe(0);
    expect(await run(['call', 'docs', 'administrate'])).toMatchObject({ code: 0, stdout: 'allowed: read admin\n' });
    expect(server.to('/register')).toHaveLength(1);
  });

  it('K6: several accounts: the one signed in to last is used, else the one that the entry names', async () => {
    const cli = await home();
    const login = (account: string, scope: string): Promise<unknown> =>
      cli.run(['login', 'docs', '--account', account, '--scope', scope], { env: browser });
    await login('work', 'w');
    await login('home', 'h');
    expect((await cli.run(['call', 'docs', 'whoami'])).stdout).toBe('allowed: read h\n');
    configure(cli, { docs: { url: cli.server.url, auth: { account: 'work' } } });
    expect((await cli.run(['call', 'docs', 'whoami'])).stdout).toBe('allowed: read w\n');
    expect((await cli.run(['logout', 'docs', '--account', 'work'])).stdout).toContain('Signed out of docs (work)');
    expect((await cli.run(['call', 'docs', 'whoami'])).code).toBe(3);
    configure(cli, { docs: { url: cli.server.url } });
    expect((await cli.run(['call', 'docs', 'whoami'])).stdout).toBe('allowed: read h\n');
  });

  it('K6: logout withdraws what was given where the server offers that, and forgets it', async () => {
    const { run, server, home: folder } = await home({ revocation: true });
    await run(['login', 'docs'], { env: browser });
    const logout = await run(['logout', 'docs', '--json']);
    expect(JSON.parse(logout.stdout)).toEqual({
      server: 'docs',
      accounts: [{ account: 'default', revoked: true }],
      left: [],
    });
    expect(server.to('/revoke').map(({ body }) => body.get('token_type_hint'))).toEqual([
      'refresh_token',
      'access_token',
    ]);
    expect(readFileSync(join(folder, 'state', 'secrets.json'), 'utf8')).not.toMatch(/access-|refresh-/);
    expect((await run(['call', 'docs', 'whoami'])).code).toBe(3);
    expect((await run(['logout', 'docs'])).stdout).toBe('Nobody is signed in to docs.\n');
  });

  it('K6: a URL that was edited has no sign-in, and nothing of the old one is sent there', async () => {
    const cli = await home();
    const other = await startSignInServer();
    onTestFinished(() => other.close());
    await cli.run(['login', 'docs'], { env: browser });
    configure(cli, { docs: { url: other.url } });
    expect((await cli.run(['call', 'docs', 'whoami'])).code).toBe(3);
    expect(other.seen.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    expect(other.to('/token')).toEqual([]);
  });

  it('K6: an ad hoc URL gets no stored credential', async () => {
    const { run, server } = await home();
    await run(['login', 'docs'], { env: browser });
    const before = server.seen.length;
    const call = await run(['call', server.url, 'whoami']);
    expect(call.code).toBe(3);
    expect(call.stderr).toContain('trestle add <name> --url');
    expect(server.seen.slice(before).every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('K6: a client that acts for itself signs in within the call, once', async () => {
    const auth = { auth: { type: 'client-credentials', clientId: 'robot', clientSecret: '${ROBOT}', scope: 'r' } };
    const { run, server } = await home({}, auth);
    const env = { ROBOT: 'robots-own-secret' };
    expect(await run(['call', 'docs', 'whoami'], { env })).toMatchObject({ code: 0, stdout: 'allowed: r read\n' });
    expect(await run(['call', 'docs', 'whoami'], { env })).toMatchObject({ code: 0 });
    expect(server.grants('client_credentials')).toHaveLength(1);
    expect(server.to('/authorize')).toEqual([]);
  });
});

describe('removing a server', () => {
  it('K6: takes its sign-in along, asks nobody for that, and says that its server was not told', async () => {
    const { run, server, home: folder } = await home({ revocation: true });
    await run(['login', 'docs'], { env: browser });
    const before = server.seen.length;
    const removed = await run(['remove', 'docs']);
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(removed.stdout).toContain('Sign-in: forgotten here; its server was not told');
    expect(server.seen).toHaveLength(before);
    expect(readFileSync(join(folder, 'state', 'secrets.json'), 'utf8')).not.toMatch(/access-|refresh-/);
    expect(readFileSync(join(folder, 'state', 'sign-ins.json'), 'utf8')).toBe('{}\n');
  });
});

describe('a daemon that keeps the server warm', () => {
  it('K6: sees a sign-in, another account and a sign-out that a command made, without being told', async () => {
    const server = await startSignInServer();
    onTestFinished(() => server.close());
    const cli = createDaemonCli();
    configure(cli, { docs: { url: server.url } });
    const call = async (): Promise<string> => {
      const { code, stdout } = await cli.run(['call', 'docs', 'whoami']);
      return code === 0 ? stdout.trim() : `exit ${code}`;
    };
    expect(await call()).toBe('exit 3');
    await cli.run(['login', 'docs'], { env: browser });
    expect(await call()).toBe('allowed: read');
    await cli.run(['login', 'docs', '--account', 'work', '--scope', 'w'], { env: browser });
    expect(await call()).toBe('allowed: read w');
    await cli.run(['logout', 'docs', '--account', 'work']);
    expect(await call()).toBe('allowed: read');
    await cli.run(['logout', 'docs']);
    expect(await call()).toBe('exit 3');
  });

  it('K6: ends the connection as soon as a command signed out, after the calls on it', async () => {
    const server = await startSignInServer();
    onTestFinished(() => server.close());
    const cli = createDaemonCli();
    configure(cli, { docs: { url: server.url } });
    await cli.run(['login', 'docs'], { env: browser });
    const held = Promise.withResolvers<void>();
    server.vices = { callsEndAfter: held.promise };
    const state = async (): Promise<string> => (await cli.run(['status'])).stdout.split('\n')[0] ?? '';
    const call = cli.run(['call', 'docs', 'whoami']);
    await eventually(() => server.seen.some(({ rpc }) => rpc === 'tools/call'), 'the call');
    expect(await state()).toMatch(/^docs +ready/);
    await cli.run(['logout', 'docs']);
    expect(await state()).toMatch(/^docs +closing/);
    held.resolve();
    expect(await call).toMatchObject({ code: 0, stdout: 'allowed: read\n' });
    await eventually(async () => !/ready|closing/.test(await state()), 'the end of the connection');
  });
});

describe('a sign-in that has to be renewed', () => {
  it('K6: eight processes with one token that renews once make one renewal and eight calls', async () => {
    const { run, server } = await home({ rotating: true, slowRenewalMs: 300 });
    await run(['login', 'docs'], { env: browser });
    server.expireAll();
    const runs = await Promise.all(Array.from({ length: 8 }, () => run(['call', 'docs', 'whoami'])));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(server.grants('refresh_token')).toHaveLength(1);
  });

  it('K6: one that dies while it renews leaves a next one that asks for a sign-in, and asks the server once', async () => {
    const { run, start, server } = await home({ rotating: true, slowRenewalMs: 2_000 });
    await run(['login', 'docs'], { env: browser });
    server.expireAll();
    const dying = start(['call', 'docs', 'whoami']);
    const gone = new Promise((resolve) => dying.once('close', resolve));
    while (server.grants('refresh_token').length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    dying.kill('SIGKILL');
    await gone;
    // Its answer is lost: what it had is used up.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    server.vices = { rotating: true };
    const next = await run(['call', 'docs', 'whoami']);
    expect(next.code).toBe(3);
    expect(next.stderr).toContain('does not take the stored sign-in any more');
    await run(['call', 'docs', 'whoami']);
    expect(server.grants('refresh_token')).toHaveLength(2);
    expect((await run(['login', 'docs'], { env: browser })).code).toBe(0);
    expect((await run(['call', 'docs', 'whoami'])).code).toBe(0);
  });
});
