/** Servers that speak Content-Length frames, through the command. */
import { describe, expect, it } from 'vitest';
import { type Cli, createCli, testServer } from '../support/cli.ts';
import { configureServers } from '../support/home.ts';

function cliWith(manner: string, members: Readonly<Record<string, unknown>> = {}): Cli {
  const cli = createCli();
  const [command, ...args] = testServer('frames.mjs', manner);
  configureServers(cli.home, { editor: { command, args, ...members } });
  return cli;
}

/** What the tool echo says when it is given the text, after a sync. */
async function echo(cli: Cli, text: string): Promise<string> {
  const synced = await cli.run(['sync', 'editor']);
  expect(synced.code, synced.stderr).toBe(0);
  const called = await cli.run(['call', 'editor', 'echo', `message=${text}`]);
  return called.stdout + called.stderr;
}

describe('Content-Length frames', () => {
  it('T6: are found out where the server speaks first, answers lines in frames, or complains of them', async () => {
    for (const manner of ['greets', 'answers', 'complains'])
      expect(await echo(cliWith(manner), 'grüße 🚀')).toContain('grüße 🚀\n');
  });

  it('T6: the timeout of a server that understands nothing else names the setting, and the setting helps', async () => {
    const cli = cliWith('only');
    const silent = await cli.run(['sync', 'editor', '--timeout', '2']);
    expect(silent.code).toBe(5);
    expect(silent.stderr).toContain('set "framing": "content-length" in its definition');
    const [command, ...args] = testServer('frames.mjs', 'only');
    configureServers(cli.home, { editor: { command, args, framing: 'content-length' } });
    expect(await echo(cli, 'grüße 🚀')).toBe('grüße 🚀\n');
    const listed = JSON.parse((await cli.run(['list', '--json'])).stdout) as {
      servers: readonly { values: { framing: object } }[];
    };
    expect(listed.servers[0]?.values.framing).toMatchObject({ value: 'content-length', at: '/mcpServers/editor' });
  });

  it('T3, T6: what goes wrong in one frame fails that call, and the server is called again', async () => {
    const cli = cliWith('only', { framing: 'content-length' });
    expect(await echo(cli, 'grüße 🚀')).toBe('grüße 🚀\n');
    const tooLong = await cli.run(['call', 'editor', 'big', 'bytes:=17000000']);
    expect(tooLong.stderr).toContain('error[message_too_large]');
    const tooShort = await cli.run(['call', 'editor', 'too-short']);
    expect(tooShort.stderr).toContain('error[broken_reply]');
    const endless = await cli.run(['call', 'editor', 'endless']);
    expect(endless.stderr).toContain('error[flooded]');
    expect(await echo(cli, 'grüße 🚀')).toBe('grüße 🚀\n');
  });
});
