import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tmpdir } from 'node:os';
import { createCli, testServer } from '../support/cli.ts';

const [program = '', ...args] = testServer('counting.mjs', 'stdio', join(tmpdir(), 'nothing-is-counted'));
const snippet = JSON.stringify({
  mcpServers: { counting: { command: program, args, env: { LEVEL: 'warn' }, timeout: 5 } },
});

it('L1: a snippet is added from standard input, as an argument, and as the line of another tool', async () => {
  const cli = createCli();
  const piped = await cli.run(['add', '-'], { input: snippet });
  expect(piped).toMatchObject({ code: 0, stderr: expect.stringContaining('counting: timeout') as string });
  expect(piped.stdout).toContain('Call it: trestle call counting');
  const entry = { command: program, args, env: { LEVEL: 'warn' } };
  const servers = (): unknown =>
    (JSON.parse(readFileSync(join(cli.home, 'servers.json'), 'utf8')) as { mcpServers: unknown }).mcpServers;
  expect(servers()).toEqual({ counting: entry });

  expect(await cli.run(['add', snippet])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--replace') as string,
  });
  expect(await cli.run(['add', snippet, '--replace', '--timeout', '30'])).toMatchObject({ code: 0 });
  expect(servers()).toEqual({ counting: { ...entry, timeout: 30 } });

  const line = `claude mcp add again -e LEVEL=warn -- ${[program, ...args].join(' ')}`;
  expect(await cli.run(['add', line])).toMatchObject({ code: 0 });
  expect(await cli.run(['add', 'named', JSON.stringify(entry)])).toMatchObject({ code: 0 });
  expect(await cli.run(['add', '--', 'claude', 'mcp', 'add', 'third', '--', program, ...args])).toMatchObject({
    code: 0,
  });
  const config = Buffer.from(JSON.stringify(entry)).toString('base64url');
  const link = `cursor://anysphere.cursor-deeplink/mcp/install?name=linked&config=${config}`;
  expect(await cli.run(['add', link])).toMatchObject({ code: 0 });
  const quoted = (text: string): string => JSON.stringify(text);
  const toml = `# config.toml\n[mcp_servers.tabled]\ncommand = ${quoted(program)}\nargs = [${args.map(quoted).join(', ')}]\n`;
  expect(await cli.run(['add', '-'], { input: toml })).toMatchObject({ code: 0 });
  expect(Object.keys(servers() as object)).toEqual(['counting', 'again', 'named', 'third', 'linked', 'tabled']);
});

it('L1: what is no server, has no name, or is described twice is refused before anything is written', async () => {
  const cli = createCli();
  for (const words of [
    ['add', '{"theme": "dark"}'],
    ['add', '{"command": "node"}'],
    ['add', snippet, '--env', 'A=b'],
    ['add', 'one', '{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}}'],
    ['add', 'npm install -g some-server'],
    ['add', 'node server.mjs'],
    ['add', '--npx', 'a', '--uvx', 'b'],
    ['add', '--npx', '--help me'],
    ['add', '--npx', 'a b'],
  ]) {
    expect({ words, ...(await cli.run(words)) }).toMatchObject({ code: 2 });
  }
  expect(() => readFileSync(join(cli.home, 'servers.json'))).toThrow('ENOENT');
});
