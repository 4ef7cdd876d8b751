/** A sign-in kept in a keychain that comes to hang or to refuse: what the command says, and when. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInServer, startSignInServer } from '../servers/sign-in.ts';
import { type CliRun, createCli, cliPath } from '../support/cli.ts';
import { makeKeyring, type TestKeyring } from '../support/keyring.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BROWSER = `"${process.execPath}" "${join(projectRoot, 'test/support/headless-browser.mjs')}"`;

interface Stage {
  readonly server: SignInServer;
  readonly keyring: TestKeyring;
  readonly run: (...words: readonly string[]) => Promise<CliRun>;
}

/** A home whose secrets are in a keychain of its own, which the command finds as the package of the system's. */
async function stage(): Promise<Stage> {
  const server = await startSignInServer();
  onTestFinished(() => server.close());
  const keyring = makeKeyring();
  const modules = tempFolder();
  const folder = join(modules, '@napi-rs', 'keyring');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), `module.exports = require(${JSON.stringify(keyring.module)});`);
  const cli = createCli();
  writeFileSync(join(cli.home, 'servers.json'), JSON.stringify({ mcpServers: { docs: { url: server.url } } }));
  return { server, keyring, run: (...words) => cli.run(words, { env: { BROWSER, NODE_PATH: modules } }) };
}

/** Beside the command the system's own would be found first. */
function hasKeyring(): boolean {
  try {
    return createRequire(cliPath).resolve('@napi-rs/keyring') !== '';
  } catch {
    return false;
  }
}

const sentence = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('error['))
    .join('\n');

describe.skipIf(hasKeyring())('a sign-in in a keychain', () => {
  it('K6: that comes to refuse: calls and further sign-ins say so in one sentence, nothing is sent and no page is opened', async () => {
    const { server, keyring, run } = await stage();
    keyring.become('refuse');
    const early = await run('login', 'docs');
    expect([early.code, server.to('/authorize'), sentence(early.stderr)]).toEqual([
      3,
      [],
      expect.stringContaining('nobody was asked to sign in, since it could not be stored'),
    ]);
    keyring.become('none');
    const login = await run('login', 'docs');
    expect([login.code, login.stdout]).toEqual([0, expect.stringContaining("Kept in the system's keychain.")]);
    expect((await run('call', 'docs', 'whoami')).stdout).toBe('allowed: read\n');
    keyring.become('refuse');
    const sent = server.seen.length;
    const call = await run('call', 'docs', 'whoami');
    expect([call.code, call.stdout]).toEqual([3, '']);
    expect(sentence(call.stderr)).toMatch(
      /^error\[secrets_unavailable\]: The system's keychain cannot be used: it says: access denied for undefined\.$/,
    );
    expect(server.seen).toHaveLength(sent);
    expect((await run('login', 'docs')).code).toBe(3);
    expect(server.to('/authorize')).toHaveLength(1);
    expect((await run('logout', 'docs')).code).toBe(3);
    keyring.become('none');
    expect((await run('call', 'docs', 'whoami')).stdout).toBe('allowed: read\n');
  });

  it('K6: that comes to hang: a call ends at its own limit, and nothing is sent', async () => {
    const { server, keyring, run } = await stage();
    await run('login', 'docs');
    keyring.become('hang');
    const sent = server.seen.length;
    const startedMs = performance.now();
    const call = await run('call', 'docs', 'whoami', '--timeout', '2');
    expect([call.code, call.stdout, sentence(call.stderr)]).toEqual([
      5,
      '',
      expect.stringMatching(/^error\[timed_out\]: docs: call whoami timed out after 2 s\.$/),
    ]);
    // A keychain is waited for longer where nobody says otherwise.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(server.seen).toHaveLength(sent);
  });
});
