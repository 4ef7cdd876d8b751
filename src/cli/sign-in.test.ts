/** A command at a terminal asks whether to sign in, and goes on after it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInServer, startSignInServer } from '../../test/servers/sign-in.ts';
import { configureServers } from '../../test/support/home.ts';
import { projectRoot } from '../../test/support/project-files.ts';
import { type CommandPlace, type CommandRun, interrupt } from '../../test/support/run-command.ts';
import { runTyped } from '../../test/support/run-typed.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const BROWSER = `"${process.execPath}" "${join(projectRoot, 'test/support/headless-browser.mjs')}"`;

interface Shell {
  readonly server: SignInServer;
  readonly run: (words: string, lines?: CommandPlace['lines'], env?: CommandPlace['env']) => Promise<CommandRun>;
}

async function shell(): Promise<Shell> {
  const server = await startSignInServer();
  onTestFinished(() => server.close());
  const home = tempFolder();
  configureServers(home, { docs: { url: server.url } });
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ secretStore: 'file' }));
  return { server, run: (words, lines, env) => runTyped(words, { home, lines, env: { BROWSER, ...env } }) };
}

describe('a call at a terminal that needs a sign-in', () => {
  it('K6: asks on standard error; after a yes the browser opens, and the result stands alone on standard output', async () => {
    const { run, server } = await shell();
    const { code, stdout, stderr } = await run('call docs whoami', ['y']);
    expect([code, stdout]).toEqual([0, 'allowed: read\n']);
    expect(stderr).toContain('Sign in to docs?');
    expect(stderr).toMatch(/Host: +127\.0\.0\.1:\d+\n/);
    expect(stderr).toContain('[y] Yes, open the page  [n] No');
    expect(stderr).toContain('Sign in in the browser; if no page has opened, open:');
    expect(server.seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
    expect(await run('call docs whoami', [])).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['no', ['n']],
    ['Enter', ['']],
    ['the end of the input', []],
    ['no terminal', undefined],
  ])('K6: %s opens nothing and ends with exit code 3 and the command', async (_, lines) => {
    const { run, server } = await shell();
    const { code, stdout, stderr } = await run('call docs whoami', lines);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('Sign in: trestle login docs');
    expect(server.to('/authorize')).toEqual([]);
  });

  it.each(['CI', 'TRESTLE_NO_QUESTIONS'])(
    'K6: nobody is asked, and nothing is opened, where %s says that nobody is there',
    async (name) => {
      const { run, server } = await shell();
      const { code, stderr } = await run('call docs whoami', ['y'], { [name]: 'true' });
      expect([code, stderr]).toEqual([3, expect.not.stringContaining('Sign in to docs?')]);
      expect(stderr).toContain('Sign in: trestle login docs');
      expect(server.to('/authorize')).toEqual([]);
    },
  );

  it('L3: Ctrl-C at the question ends the command with 130', async () => {
    const { run, server } = await shell();
    expect((await run('call docs whoami', [interrupt])).code).toBe(130);
    expect(server.to('/authorize')).toEqual([]);
  });

  it('K6: add asks as well, and then reads the tools', async () => {
    const { run, server } = await shell();
    const { code, stdout } = await run(`add more --url ${server.url}`, ['yes']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('more: 2 tools')]);
  });
});

describe('login and logout', () => {
  it('K6: who is no account is said, and who is signed in still', async () => {
    const { run } = await shell();
    await run('login docs');
    await run('login docs --account work');
    expect((await run('logout docs --account wrok')).stdout).toBe(
      'Nobody is signed in to docs as wrok.\nStill signed in to docs: default, work.\n',
    );
    expect((await run('logout docs --account work')).stdout).toMatch(
      /\(work\).*\nStill signed in to docs: default\.\n$/,
    );
    expect((await run('logout docs')).stdout).not.toContain('Still');
  });

  it('K6: an address is told to need a name first', async () => {
    const { run, server } = await shell();
    const { code, stderr } = await run(`login ${server.url}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`trestle add NAME --url ${server.url}`)]);
  });
});
