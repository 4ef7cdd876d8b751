/** Integers that no double can keep, through real servers over every way to them and through every door of ours (S13). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../src/base/index.ts';
import type { HostPorts } from '../../src/runtime/index.ts';
import { createBridge } from '../../src/toolsets/index.ts';
import { type Cli, createCli, createDaemonCli, testServer } from '../support/cli.ts';
import { startHttpServer } from '../support/everything.ts';
import { configureServers } from '../support/home.ts';
import { failureOf, trestleHome, valueOf } from '../support/trestle-home.ts';

type Way = 'stdio' | 'json' | 'events';
const ways: readonly Way[] = ['stdio', 'json', 'events'];

/** 2^53 + 1, the greatest of 64 bits with and without sign, and one of a hundred digits. */
const integers = ['9007199254740993', '-9223372036854775808', '18446744073709551615', '-' + '1234567890'.repeat(10)];
const [odd = ''] = integers;

async function entryFor(way: Way): Promise<Readonly<Record<string, unknown>>> {
  const [command = '', ...args] = testServer('big-integers.mjs', way);
  if (way === 'stdio') return { command, args };
  return { url: await startHttpServer([command, ...args]) };
}

async function home(way: Way, ports: HostPorts = {}): Promise<ReturnType<typeof trestleHome>> {
  return trestleHome({ big: await entryFor(way) }, { ports });
}

describe.each(ways)('over %s', (way) => {
  it('S13: results hold them as bigint and show their digits, also where only structured content has them', async () => {
    const { runtime } = await home(way);
    for (const digits of integers) {
      for (const as of ['both', 'structured', 'text']) {
        const outcome = await runtime.call({ server: 'big', tool: 'give', arguments: { digits, as } });
        const { result, shown } = valueOf(outcome);
        expect(result.structuredContent).toEqual(as === 'text' ? undefined : { id: BigInt(digits) });
        const text = as === 'structured' ? `{"id":${digits}}` : `{"id": ${digits}}`;
        expect(shown.blocks).toEqual([{ type: 'text', text }]);
        const notes = as === 'text' ? ['The tool has an output schema but sent no structured content.'] : [];
        expect(outcome).toMatchObject({ notes });
      }
    }
  });

  it('S13: arguments arrive with their digits, given as values and as JSON text', async () => {
    const { runtime } = await home(way);
    const echo = async (args: unknown): Promise<unknown> =>
      valueOf(await runtime.call({ server: 'big', tool: 'echo', arguments: args })).shown.blocks;
    const text = `{"id":${odd},"list":[${integers.join()}],"text":"${odd}","half":0.5}`;
    expect(await echo(parseJson(text))).toEqual([{ type: 'text', text }]);
    expect(await echo(text)).toEqual([{ type: 'text', text }]);
    expect(await echo({ id: 5n })).toEqual([{ type: 'text', text: '{"id":5}' }]);
  });

  it('S13: arguments are checked to the last digit, and what would not arrive is refused', async () => {
    const { runtime } = await home(way);
    const refusal = async (args: Readonly<Record<string, unknown>>): Promise<string> => {
      const failed = failureOf(await runtime.call({ server: 'big', tool: 'echo', arguments: args }));
      expect(failed).toMatchObject({ kind: 'invalid-arguments', execution: 'not-sent' });
      return failed.failure.message;
    };
    expect(await refusal({ id: 18446744073709551616n })).toContain(
      'id must be at most 18446744073709551615, got 18446744073709551616',
    );
    expect(await refusal({ kind: 9007199254740994n })).toContain('one of 9007199254740993, 9007199254740995');
    expect(await refusal({ more: [{ n: Number.POSITIVE_INFINITY }] })).toContain('a number that cannot be sent');
    const circle: Record<string, unknown> = {};
    circle['more'] = circle;
    expect(await refusal(circle)).toContain('nested too deeply');
  });

  it('S13: errors keep them in code and data', async () => {
    const { runtime } = await home(way);
    const failed = failureOf(await runtime.call({ server: 'big', tool: 'refuse' }));
    expect(failed.failure.details).toMatchObject({
      rpcCode: -9007199254740993n,
      rpcData: { limit: 9007199254740993n },
    });
  });

  it('S13, R1: descriptors keep them on disk, and a second sync finds no difference', async () => {
    const { runtime } = await home(way);
    valueOf(await runtime.sync({ server: 'big' }));
    const file = join(runtime.registry.path('big'), 'tools', 'echo.json');
    const text = readFileSync(file, 'utf8');
    for (const digits of ['"default": 9223372036854775807', '"maximum": 18446744073709551615', ' 9007199254740995\n']) {
      expect(text).toContain(digits);
    }
    expect(valueOf(await runtime.sync({ server: 'big' })).changes.tools).toMatchObject({ changed: [], unchanged: 4 });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await runtime.registry.validate()).toEqual([]);
  });

  it('B1, S13: the bridge passes them on; its details can be written by any host', async () => {
    const { runtime } = await home(way);
    const [call] = createBridge(runtime, { downloadRoot: undefined });
    const use = async (toolName: string, args: unknown) =>
      await call?.execute({ server: 'big', toolName, arguments: args });
    expect(await use('echo', `{"id": ${odd}}`)).toMatchObject({ content: [{ text: `{"id":${odd}}` }] });
    const given = await use('give', { digits: odd, as: 'structured' });
    expect(given?.content).toEqual([{ type: 'text', text: `{"id":${odd}}` }]);
    expect(JSON.parse(JSON.stringify(given?.details))).toMatchObject({ result: { structuredContent: { id: odd } } });
    expect(JSON.stringify((await use('refuse', {}))?.details)).toContain(`"limit":"${odd}"`);
  });
});

it.each(['stdio', 'events'] as const)(
  'S6, S13: over %s a question with such an id is answered under the same digits, and the answer has its own',
  async (way) => {
    const { runtime } = await home(way, {
      elicit: async (_server, params) => {
        expect(stringifyJson(params)).toContain(`"minimum":${odd}`);
        return { action: 'accept', content: { id: 18446744073709551615n } };
      },
    });
    const { blocks } = valueOf(await runtime.call({ server: 'big', tool: 'ask' })).shown;
    const content = '{"id":18446744073709551615,"other":9007199254740995}';
    expect(blocks).toEqual([
      { type: 'text', text: `{"jsonrpc":"2.0","id":${odd},"result":{"action":"accept","content":${content}}}` },
    ]);
  },
);

describe.each([
  ['in the process', createCli],
  ['through the daemon', createDaemonCli],
])('the command, %s', (_, create) => {
  async function cliFor(way: Way): Promise<Cli> {
    const cli = create();
    configureServers(cli.home, { big: await entryFor(way) });
    return cli;
  }

  it.each(ways)('L2, S13: arguments over %s arrive as typed, as JSON, and from standard input', async (way) => {
    const cli = await cliFor(way);
    const echo = async (words: readonly string[], input?: string): Promise<string> => {
      const run = await cli.run(['call', 'big', 'echo', ...words], input === undefined ? {} : { input });
      return run.stdout + run.stderr;
    };
    expect(await echo([`id=${odd}`, `text=${odd}`])).toBe(`{"id":${odd},"text":"${odd}"}\n`);
    expect(await echo([`more:=[${integers.join()}]`])).toBe(`{"more":[${integers.join()}]}\n`);
    expect(await echo(['--args', `{"id": ${odd}}`])).toBe(`{"id":${odd}}\n`);
    expect(await echo(['--args', '-'], `{"id": ${odd}}`)).toBe(`{"id":${odd}}\n`);
    expect(await echo(['id=18446744073709551616'])).toMatch(
      /got 18446744073709551616[^]*Try: .*id=9223372036854775807/,
    );
    expect(await echo(['more:=[1e400]'])).toContain('more has too large a number');
    expect(await echo(['--args', '{"more": 1e400}'])).toContain('--args has too large a number');
  });

  it('L2, S13: results are printed with their digits: shown, --json, into a file, and by a tool object', async () => {
    const cli = await cliFor('stdio');
    const give = ['call', 'big', 'give', `digits=${odd}`, 'as=structured'];
    expect((await cli.run(give)).stdout).toBe(`{"id":${odd}}\n`);
    expect((await cli.run([...give, '--json'])).stdout).toContain(`"structuredContent": {\n    "id": ${odd}\n  }`);
    expect((await cli.run([...give, '-o', 'out.json'])).code).toBe(0);
    expect(readFileSync(join(cli.cwd, 'out.json'), 'utf8')).toContain(`"id":${odd}`);
    const used = await cli.run(['tool', 'CallMcpTool', `{"server":"big","toolName":"echo","arguments":{"id":${odd}}}`]);
    expect(used.stdout).toBe(`{"id":${odd}}\n`);
  });

  it('L2, S13: descriptors are shown with their digits', async () => {
    const cli = await cliFor('stdio');
    expect((await cli.run(['sync', 'big'])).code).toBe(0);
    expect((await cli.run(['show', 'big', 'echo'])).stdout).toContain('9223372036854775807');
    expect((await cli.run(['show', 'big', 'echo', '--json'])).stdout).toContain('"maximum": 18446744073709551615');
    expect((await cli.run(['validate'])).code).toBe(0);
  });
});
