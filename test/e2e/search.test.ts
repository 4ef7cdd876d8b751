import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { fileKey } from '../../src/base/index.ts';
import { openRegistry } from '../../src/registry/index.ts';
import { someCatalogue, someTool } from '../support/catalogue.ts';
import { type Cli, createCli, testServer } from '../support/cli.ts';
import { configureServers } from '../support/home.ts';

let cli: Cli;
let log: string;

beforeEach(async () => {
  cli = createCli();
  log = join(cli.home, 'started.log');
  writeFileSync(log, '');
  const [command, ...args] = testServer('counting.mjs', 'stdio', log);
  configureServers(cli.home, { files: { command, args }, other: { command, args }, off: { command, enabled: false } });
  const registry = openRegistry(join(cli.home, 'registry'));
  const tools = [
    someTool('readFile', 'Reads a file.\u001B[31m'),
    ...Array.from({ length: 11 }, (_, index) => someTool(`list${index}`, 'Lists files.')),
  ];
  await registry.apply(someCatalogue('files', { tools }), { nowMs: 1 });
  await registry.apply(someCatalogue('other', { tools: [someTool('fly')] }), { nowMs: 1 });
  await registry.apply(someCatalogue('off', { tools: [someTool('readFile')] }), { nowMs: 1 });
});

it('C7, L8: search lists what is found, best first, tells the next page, and starts no server', async () => {
  const first = await cli.run(['search', 'reading', 'files']);
  expect(first).toMatchObject({ code: 0 });
  const lines = first.stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^files {2}readFile {2}Reads a file\.$/);
  expect(lines).toHaveLength(10);
  expect(first.stdout).not.toMatch(/off|fly/);
  expect(first.stderr).toContain('12 tools in all; the next: trestle search reading files --cursor 10');
  const second = await cli.run(['search', 'reading', 'files', '--cursor', '10']);
  expect(second.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(second.stderr).toBe('');
  const third = await cli.run(['search', 'files', '--limit=5', '--cursor=5']);
  expect(third.stderr).toContain('trestle search files --limit=5 --cursor=10');
  expect(readFileSync(log, 'utf8')).toBe('');
});

it('C7, L2: --json gives every hit whole, and says that there is no next page by leaving it out', async () => {
  const { stdout } = await cli.run(['search', 'read', '--server', 'files', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    query: 'read',
    hits: [{ server: 'files', tool: 'readFile', key: fileKey('readFile'), description: 'Reads a file.\u001B[31m' }],
    total: 1,
    findings: [],
  });
  expect(stdout).not.toContain('\u001B');
});

it.each([
  [['search'], 'usage', 'trestle search read file'],
  [['search', ' '], 'usage', 'trestle search read file'],
  [['search', 'x', '--limit', '0'], 'usage', '1 to 100'],
  [['search', 'x', '--limit', '1e1'], 'usage', '1 to 100'],
  [['search', 'x', '--cursor', 'no'], 'invalid_arguments', 'cursor'],
  [['search', 'x', '--server', 'file'], 'unknown_server', 'trestle search x --server files'],
  [['search', 'x', '--server=file'], 'unknown_server', 'trestle search x --server=files'],
  [['search', 'x', '--server', 'off'], 'disabled', 'enabled'],
])('C7, L3: %j is refused with what to do', async (args, code, hint) => {
  const result = await cli.run([...args, '--json']);
  const { error } = JSON.parse(result.stdout) as { error: { code: string; message: string; hint: string } };
  expect(error.code).toBe(code);
  expect(`${error.message} ${error.hint}`).toContain(hint);
  expect(result.code).toBe(code === 'disabled' ? 3 : 2);
});

it('C7: nothing found, emoji, patterns and 10 KB are answered', async () => {
  for (const query of ['the', '🔍', '.*(', 'ש'.repeat(10_000), '"']) {
    expect(await cli.run(['search', query])).toMatchObject({ code: 0, stdout: 'No tool matches.\n', stderr: '' });
  }
});

it('C7: a damaged descriptor is told, and the others are found', async () => {
  writeFileSync(join(cli.home, 'registry/files/tools/list3.json'), '{"na');
  writeFileSync(join(cli.home, 'registry/index.json'), '');
  const { code, stdout, stderr } = await cli.run(['search', 'read']);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('readFile') as string });
  expect(stderr).toContain('list3.json');
});
