/** A server of the event dialect through the command, found by itself and named by the environment. */
import { describe, expect, it } from 'vitest';
import { createCli, createDaemonCli } from '../support/cli.ts';
import { serveDialect } from '../support/event-dialect.ts';

describe('the event dialect', () => {
  it('H10: a server is added, called, and its errors are told', async () => {
    const server = await serveDialect('endpoint=url');
    const cli = createCli();
    const added = await cli.run(['add', 'plain', '--url', server.url, '--transport', 'events']);
    expect(added).toMatchObject({ code: 0 });
    expect(added.stdout).toContain('(events, ');
    expect(await cli.run(['call', 'plain', 'echo', 'text=hello'])).toMatchObject({ code: 0, stdout: 'hello\n' });
    expect(await cli.run(['call', 'plain', 'value'])).toMatchObject({ code: 0, stdout: '{"n":1}\n' });
    const failed = await cli.run(['call', 'plain', 'fail', 'how=told']);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout + failed.stderr).toContain('the disk is full');
  });

  it('H10, K4: MCP_SERVER_URL names a server where none is configured, MCP_API_KEY is its token and shown nowhere', async () => {
    const server = await serveDialect('token=secret-key-1');
    const cli = createDaemonCli();
    const env = { MCP_SERVER_URL: server.url, MCP_API_KEY: 'secret-key-1' };
    const name = new URL(server.url).host.replace(':', '-');
    expect(await cli.run(['call', name, 'echo', 'text=hello'], { env })).toMatchObject({ code: 0, stdout: 'hello\n' });
    const runs = [
      await cli.run(['list', '--json'], { env }),
      await cli.run(['status'], { env }),
      await cli.run(['doctor'], { env }),
      await cli.run(['call', name, 'echo', 'text=secret-key-1'], { env }),
      await cli.run(['call', name, 'fail', 'how=protocol'], { env }),
      await cli.run(['remove', name], { env }),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1, 2]);
    expect(runs.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain('secret-key-1');
    const [listed] = (JSON.parse(runs[0]?.stdout ?? '') as { servers: readonly Readonly<Record<string, unknown>>[] })
      .servers;
    expect(listed).toMatchObject({
      name,
      source: { shape: 'environment' },
      values: { url: { value: server.url, from: 'MCP_SERVER_URL' } },
    });
    expect((await cli.run(['list'])).stdout).toContain('registry only');
  });
});
