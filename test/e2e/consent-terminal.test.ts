/** A person at a real terminal says yes for the session: the daemon holds that, and other commands of the folder know of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliPath, createDaemonCli, testServer } from '../support/cli.ts';
import { noTerminal, openTerminal } from '../support/terminal.ts';

describe.skipIf(noTerminal !== undefined)('a yes for the session at a real terminal', () => {
  it('K1 L1: holds for the commands after it, is listed by approve, and is taken back by revoke', async () => {
    const cli = createDaemonCli();
    const { home, cwd } = cli;
    const [command, ...args] = testServer('counting.mjs', 'stdio', '/dev/null');
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: { command, args } } }));
    const script = `"${process.execPath}" "${cliPath}" call theirs count; echo "exit code $?"; sleep 60`;
    const env = { PATH: process.env['PATH'], HOME: home, TRESTLE_HOME: home, NO_COLOR: '1' };
    const terminal = openTerminal(['sh', '-c', script], { cwd, env });
    await terminal.shows('Your choice (Enter means no):');
    terminal.type('s');
    terminal.press('Enter');
    await terminal.shows('exit code 0');

    expect(await cli.run(['call', 'theirs', 'count'])).toMatchObject({ code: 0 });
    const listed = await cli.run(['approve']);
    expect(listed.stdout).toContain('theirs: start and connection');
    expect(listed.stdout).toContain('for this session');
    expect((await cli.run(['revoke', 'theirs'])).stdout).toContain('1 approval revoked.');
    expect(await cli.run(['call', 'theirs', 'count'])).toMatchObject({ code: 4 });
  });
});
