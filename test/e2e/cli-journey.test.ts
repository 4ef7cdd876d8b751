import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCli, referenceServer, testServer } from '../support/cli.ts';

const parsed = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

it('L1: add creates, syncs and says how to call; list and show answer from the registry; call calls; remove takes all away', async () => {
  const cli = createCli();
  const added = await cli.run([
    'add',
    'everything',
    '--description',
    'all of it',
    '--',
    ...referenceServer('everything'),
  ]);
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout).toContain(`${join(cli.home, 'servers.json')}: added`);
  expect(added.stdout).toContain('+ tool echo');
  expect(added.stdout).toContain('Call it: trestle call everything echo message=');

  expect((await cli.run(['list'])).stdout).toMatch(/^everything {2}\d+ tools {2}stdio {2,}all of it\n$/);
  expect((await cli.run(['list', 'everything'])).stdout).toMatch(/^echo +Echoes back/m);
  expect((await cli.run(['show', 'everything', 'echo'])).stdout).toContain('message  string  required');

  const called = await cli.run(['call', 'everything', 'echo', 'message=hello']);
  expect(called).toMatchObject({ code: 0, stdout: 'Echo: hello\n', stderr: '' });
  expect((await cli.run(['status'])).stdout).toMatch(/^everything {2}idle {2}stdio/);
  expect(await cli.run(['validate'])).toMatchObject({ code: 0 });

  const removed = await cli.run(['rm', 'everything']);
  expect(removed.code).toBe(0);
  expect(removed.stdout).toContain('servers.json: removed');
  expect((await cli.run(['list', '--json'])).stdout).toContain('"servers": []');
});

it('L1: the suggested call runs as it is printed', async () => {
  const cli = createCli();
  const added = await cli.run(['add', 'count', '--', ...testServer('counting.mjs', 'stdio', join(cli.home, 'log'))]);
  const [, words = ''] = /Call it: trestle (.*)/.exec(added.stdout) ?? [];
  expect(await cli.run(words.split(' '))).toMatchObject({ code: 0, stdout: 'counted\n' });
});

it('L1: the suggested call is of a tool that only reads, where the server has one', async () => {
  const cli = createCli();
  const added = await cli.run(['add', 'files', '--', ...referenceServer('filesystem'), cli.cwd]);
  expect(added.stdout).toMatch(/^Call it: trestle call files directory_tree /m);
});

it('F4: an existing name is refused and nothing changes, --replace shows what went and came', async () => {
  const cli = createCli();
  const log = join(cli.home, 'log');
  await cli.run(['add', 'count', '--', ...testServer('counting.mjs', 'stdio', log)]);
  const before = readFileSync(join(cli.home, 'servers.json'), 'utf8');
  const refused = await cli.run(['add', 'count', '--', 'other']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('error[exists]');
  expect(readFileSync(join(cli.home, 'servers.json'), 'utf8')).toBe(before);

  const replaced = await cli.run(
    ['add', 'count', '--replace', '--env', 'TOKEN_NAME', '--', ...testServer('counting.mjs', 'stdio', log)],
    {
      env: { TOKEN_NAME: 'a secret value' },
    },
  );
  expect(replaced.code).toBe(0);
  expect(replaced.stdout).toContain('"TOKEN_NAME": "${TOKEN_NAME}"');
  expect(replaced.stdout + readFileSync(join(cli.home, 'servers.json'), 'utf8')).not.toContain('a secret value');
});

it('L1: a failed sync leaves the entry, says so, and exits with the code of the failure', async () => {
  const cli = createCli();
  const failed = await cli.run(['add', 'gone', '--', 'no-such-program-here', '--flag']);
  expect(failed.code).toBe(3);
  expect(failed.stdout).toContain('servers.json: added');
  expect(failed.stderr).toContain('error[command_not_found]');
  expect(failed.stderr).toContain('The entry stays in');
  expect(failed.stderr).toContain('trestle sync gone');
  expect((await cli.run(['list'])).stdout).toContain('gone  not synced');
});

it('L1: sync with a command creates; sync without a name goes on after a failure and exits with its code', async () => {
  const cli = createCli();
  const log = join(cli.home, 'log');
  expect(await cli.run(['sync', 'count', '--', ...testServer('counting.mjs', 'stdio', log)])).toMatchObject({
    code: 0,
  });
  await cli.run(['add', 'gone', '--', 'no-such-program-here']);
  const all = await cli.run(['sync']);
  expect(all.code).toBe(3);
  expect(all.stdout).toMatch(/^count: \d+ tools, 1 resource, 1 template, unchanged/m);
  expect(all.stdout).toContain('gone: failed');
  const json = parsed((await cli.run(['sync', '--json'])).stdout);
  expect(json['servers']).toMatchObject([
    { server: 'count', sync: { changes: { server: 'count' } } },
    { server: 'gone', kind: 'unavailable' },
  ]);
});

it('L1: resources, read and its file form', async () => {
  const cli = createCli();
  await cli.run(['add', 'count', '--', ...testServer('counting.mjs', 'stdio', join(cli.home, 'log'))]);
  expect((await cli.run(['resources', 'count'])).stdout).toContain('count://text');
  expect(await cli.run(['read', 'count', 'count://text'])).toMatchObject({ code: 0, stdout: 'one text\n' });
  expect(parsed((await cli.run(['read', 'count', 'count://text', '--json'])).stdout)).toMatchObject({
    contents: [{ text: 'one text' }],
  });
  expect(await cli.run(['read', 'count', 'count://bytes', '-o', 'image.png'])).toMatchObject({ code: 0, stdout: '' });
  expect([...readFileSync(join(cli.cwd, 'image.png'))]).toEqual([0, 1, 254, 255]);
});

it('F4: list --json says where every value came from', async () => {
  const cli = createCli();
  await cli.run([
    'add',
    'count',
    '--timeout',
    '7',
    '--',
    ...testServer('counting.mjs', 'stdio', join(cli.home, 'log')),
  ]);
  const { servers } = parsed((await cli.run(['list', '--json'])).stdout);
  const file = join(cli.home, 'servers.json');
  expect(servers).toMatchObject([
    {
      name: 'count',
      known: 'configured',
      values: {
        command: { value: process.execPath, from: file, at: '/mcpServers/count' },
        timeoutSeconds: { value: 7, from: file },
        lifecycle: { value: 'lazy', from: 'default' },
        tools: { from: join(cli.home, 'registry', 'count') },
      },
    },
  ]);
});

it('F4: remove --keep-config leaves the entry', async () => {
  const cli = createCli();
  await cli.run(['add', 'count', '--', ...testServer('counting.mjs', 'stdio', join(cli.home, 'log'))]);
  const before = readFileSync(join(cli.home, 'servers.json'), 'utf8');
  const removed = await cli.run(['delete', 'count', '--keep-config', '--json']);
  expect(parsed(removed.stdout)).toEqual({ server: 'count', edit: null, registry: true, signIns: [] });
  expect(readFileSync(join(cli.home, 'servers.json'), 'utf8')).toBe(before);
});

it('L1: --home pi works on the files of Pi', async () => {
  const cli = createCli();
  const agent = join(cli.home, 'agent');
  const env = { PI_CODING_AGENT_DIR: agent };
  await cli.run(['--home', 'pi', 'add', 'count', '--', ...testServer('counting.mjs', 'stdio', join(cli.home, 'log'))], {
    env,
  });
  expect(readFileSync(join(agent, 'mcp-servers.json'), 'utf8')).toContain('counting.mjs');
  expect(readFileSync(join(agent, 'mcp-registry', 'count', 'meta.json'), 'utf8')).toContain('counting');
  expect((await cli.run(['list'])).stdout).toContain('No servers yet');
});

it('L9: a command or a URL may stand in place of a server; nothing is stored', async () => {
  const cli = createCli();
  const log = join(cli.home, 'log');
  const server = testServer('counting.mjs', 'stdio', log);
  expect(await cli.run(['call', 'echo', 'message=5', '--', ...server])).toMatchObject({ code: 0, stdout: '5\n' });
  expect((await cli.run(['show', 'echo', '--', ...server])).stdout).toContain('message');
  expect((await cli.run(['read', 'count://text', '--', ...server])).stdout).toBe('one text\n');
  const misnamed = await cli.run(['call', 'ecko', '--', ...server]);
  expect(misnamed.code).toBe(2);
  expect(readFileSync(log, 'utf8').match(/^call /gm)).toHaveLength(1);
  expect((await cli.run(['list'])).stdout).toContain('No servers yet');
});

it('L5: probe shows pid, handshake and tools and calls nothing; --call calls three with samples and marks isError', async () => {
  const cli = createCli();
  const log = join(cli.home, 'log');
  const server = testServer('counting.mjs', 'stdio', log);
  const seen = await cli.run(['probe', '--', ...server]);
  expect(seen).toMatchObject({ code: 0 });
  expect(seen.stdout).toMatch(/^pid +\d+$/m);
  expect(seen.stdout).toMatch(/^handshake +legacy, protocol 2025-11-25/m);
  expect(seen.stdout).toMatch(/^name +counting$/m);
  expect(seen.stdout).toMatch(/\d+ requests sent/);
  expect(readFileSync(log, 'utf8')).not.toContain('call ');

  const called = await cli.run(['probe', '--call', '--', ...server]);
  expect(called.code).toBe(0);
  expect(called.stdout).toContain('example_value');
  expect(called.stdout).toContain('isError: it failed');
  expect(readFileSync(log, 'utf8').match(/^call .*/gm)).toEqual(['call count', 'call echo', 'call fail']);
});
