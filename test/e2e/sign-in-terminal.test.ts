/** A person at a real terminal is asked to sign in by the command that they typed, also where the daemon does its work. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInServer, startSignInServer } from '../servers/sign-in.ts';
import { cliPath, createDaemonCli } from '../support/cli.ts';
import { projectRoot } from '../support/project-files.ts';
import { noTerminal, openTerminal, type Terminal } from '../support/terminal.ts';

const headless = `"${process.execPath}" "${join(projectRoot, 'test/support/headless-browser.mjs')}"`;

/** `trestle WORDS` at a terminal, with the daemon; its exit code stands on the screen when it has ended. */
async function typed(
  words: string,
  browser: string,
): Promise<{ readonly terminal: Terminal; readonly server: SignInServer }> {
  const server = await startSignInServer();
  onTestFinished(() => server.close());
  const { home, cwd } = createDaemonCli();
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { docs: { url: server.url } } }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ secretStore: 'file' }));
  const script = `trap : INT; "${process.execPath}" "${cliPath}" ${words}; echo "exit code $?"; sleep 60`;
  const env = { PATH: process.env['PATH'], HOME: home, TRESTLE_HOME: home, NO_COLOR: '1', BROWSER: browser };
  return { terminal: openTerminal(['sh', '-c', script], { cwd, env, columns: 500 }), server };
}

const question = 'Your choice (Enter means no):';

describe.skipIf(noTerminal !== undefined)('a call at a real terminal that needs a sign-in', () => {
  it('K6: asks, opens the browser after a yes, and calls once by the daemon', async () => {
    const { terminal, server } = await typed('call docs whoami', headless);
    await terminal.shows(question);
    expect(terminal.screen()).toContain('Sign in to docs?');
    terminal.type('y');
    terminal.press('Enter');
    await terminal.shows('exit code 0');
    expect(terminal.screen()).toContain('allowed: read');
    expect(server.seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
  });

  it('K6: where no browser can be opened, the address where one ended is pasted', async () => {
    const { terminal } = await typed('call docs whoami', '/no/such/browser');
    await terminal.shows(question);
    terminal.type('y');
    terminal.press('Enter');
    await terminal.shows('paste the address where it ended:');
    const [page = ''] = /http:\S+authorize\S+/.exec(terminal.screen()) ?? [];
    const { headers } = await fetch(page, { redirect: 'manual' });
    terminal.type(headers.get('location') ?? '');
    terminal.press('Enter');
    await terminal.shows('exit code 0');
    expect(terminal.screen()).toContain('allowed: read');
  });

  it('K6, L3: Ctrl-C while the page is open ends the command with 130; nothing was called', async () => {
    const { terminal, server } = await typed('call docs whoami', '/no/such/browser');
    await terminal.shows(question);
    terminal.type('y');
    terminal.press('Enter');
    await terminal.shows('paste the address where it ended:');
    terminal.press('C-c');
    await terminal.shows('exit code 130');
    expect(server.seen.filter(({ rpc }) => rpc === 'tools/call')).toEqual([]);
    expect(server.to('/token')).toEqual([]);
  });
});
