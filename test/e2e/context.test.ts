import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/index.ts';
import { someCatalogue, someTool } from '../support/catalogue.ts';
import { type Cli, createCli } from '../support/cli.ts';
import { configureServers } from '../support/home.ts';

/** A home with one synced server of so many tools, of which no process exists. */
async function withTools(count: number): Promise<Cli> {
  const cli = createCli();
  configureServers(cli.home, { notes: { command: 'no-such-program' } });
  const tools = Array.from({ length: count }, (_, index) => someTool(`tool_${String(index).padStart(2, '0')}`));
  const registry = openRegistry(join(cli.home, 'registry'));
  await registry.apply(someCatalogue('notes', { tools }), { nowMs: 0, force: false });
  return cli;
}

it('C6, L8: context prints the block, and nothing else, on standard output; it starts no server and no daemon', async () => {
  const cli = await withTools(20);
  const { code, stdout, stderr } = await cli.run(['context']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^# MCP servers\n\n.*MUST.*\n\n## notes\n(?:.*\n)*- tool_19: .*\n\n\(block [0-9a-f]{8}\)\n$/);
  expect(readdirSync(cli.home)).not.toContain('run');
  expect((await cli.run(['context'])).stdout).toBe(stdout);
});

it('C2: --no-files has no path, and says how to read and to search through the tools', async () => {
  const cli = await withTools(20);
  const { code, stdout } = await cli.run(['context', '--no-files']);
  expect(code).toBe(0);
  expect(stdout).not.toContain(cli.home);
  expect(stdout).toContain('FetchMcpResource {server: "registry", uri: "registry://<server>/<tool>"}');
  expect(stdout).toContain('registry://search?q=<words>');
  expect(stdout).toContain('- tool_19');
});

it('C6: --explain says how each server is shown, what was left out, and why', async () => {
  const cli = await withTools(20);
  const { stdout } = await cli.run(['context', '--explain', '--budget', '120']);
  expect(stdout).toMatch(/^Shown to a model: \d+ of 120 tokens \(block [0-9a-f]{8}\); all descriptors: about \d+\.\n/);
  expect(stdout).toContain('Schemas are not inlined: 20 tools are more than 10.\n');
  expect(stdout).toMatch(
    /^notes {2}20 tools {2}counts.* {2}about \d+ tokens {2}without schemas, descriptions of tools, \d+ names, instructions$/m,
  );
});

it('C6: --json has text, counts and receipt; --budget is the budget', async () => {
  const cli = await withTools(20);
  const { stdout } = await cli.run(['context', '--json', '--budget', '150']);
  const report = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  expect(Object.keys(report)).toEqual([
    'text',
    'hash',
    'tokens',
    'receipt',
    'servers',
    'tools',
    'problems',
    'inlinedTokens',
  ]);
  expect(report['tokens']).toBeLessThanOrEqual(150);
});

it('C1, C6: no room for one line is an empty block, said on standard error and by status', async () => {
  const cli = await withTools(20);
  const { code, stdout, stderr } = await cli.run(['context', '--budget', '0']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain('Not even one line fits into the budget of 0 tokens.');
  writeFileSync(join(cli.home, 'settings.json'), '{"contextBudgetTokens": 5}');
  expect((await cli.run(['status'])).stdout).toContain('Not even one line fits into the budget of 5 tokens.');
});

it('C6: status tells servers, tools, tokens of the budget, and what full inlining would cost', async () => {
  const cli = await withTools(20);
  const { stdout } = await cli.run(['status']);
  expect(stdout).toMatch(
    /^1 server, 20 tools\. Registry: .*\nShown to a model: \d+ of 4000 tokens \(block [0-9a-f]{8}\); all descriptors: about \d+\.\n$/m,
  );
  const { context } = JSON.parse((await cli.run(['status', '--json'])).stdout) as { readonly context: unknown };
  expect(context).toEqual({
    tokens: expect.any(Number) as number,
    budgetTokens: 4_000,
    inlinedTokens: expect.any(Number) as number,
    hash: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
  });
});

it('C3: a block that was counted before is not counted again, so the tokenizer is not loaded', async () => {
  const cli = await withTools(20);
  await cli.run(['context']);
  const file = join(cli.home, 'state', 'token-counts.json');
  const counts = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, { readonly tokens: number }>>;
  expect(Object.keys(counts)).toHaveLength(1);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"tokens": \d+/, '"tokens": 3999'));
  expect((await cli.run(['context', '--explain'])).stdout).toContain('3999 of 4000 tokens');
});

it.each(['-1', 'many', '1e3', '', '1000001'])('L3: --budget %j is refused', async (budget) => {
  const cli = createCli();
  mkdirSync(join(cli.home, 'registry'));
  const { code, stderr } = await cli.run(['context', `--budget=${budget}`]);
  expect(code).toBe(2);
  expect(stderr).toContain('--budget takes a number of tokens from 0 to 1000000');
});

it('C1, C6: a corrupt descriptor beside good ones costs itself alone, and text and receipt say so', async () => {
  for (const count of [3, 20]) {
    const cli = await withTools(count);
    writeFileSync(join(cli.home, 'registry/notes/tools/tool_01.json'), '{"name": "tool_01", ');
    // An edit in place is seen when the index is made anew; where schemas stand in the text, at once.
    if (count === 20) writeFileSync(join(cli.home, 'registry/index.json'), '');
    const text = await cli.run(['context']);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('- tool_00');
    expect(text.stdout).toContain('- tool_02');
    const receipt = await cli.run(['context', '--explain']);
    for (const { stderr } of [text, receipt]) expect(stderr).toContain('tool_01.json');
  }
});
