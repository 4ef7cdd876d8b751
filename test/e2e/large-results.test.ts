import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isObject, limits } from '../../src/base/index.ts';
import type { Presented, ToolResult } from '../../src/policy/index.ts';
import { createAdapter, createBridge, type ToolObject } from '../../src/toolsets/index.ts';
import { createCli, testServer } from '../support/cli.ts';
import { daemonHome } from '../support/daemon-home.ts';
import { trestleHome, valueOf } from '../support/trestle-home.ts';

const [command = '', ...args] = testServer('large.mjs');
const entry = { command, args };
const fiveMegabytes = 5_000_000;
const kinds = ['line', 'lines', 'windows', 'returns', 'wide', 'hostile', 'surrogates', 'parts'] as const;

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** What may never reach a terminal or a model. */
const commanding = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/u; // eslint-disable-line no-control-regex -- these are the subject

/** All that is shown, as a terminal has it. */
function shownText({ blocks }: Pick<Presented, 'blocks'>): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** What the server says of the whole text of its answer. */
function digestIn(result: ToolResult): unknown {
  const { _meta: meta } = result;
  return isObject(meta) ? meta['sha256'] : undefined;
}

function expectBounded(text: string): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.shownBytes);
  expect(text.replace(/\n$/, '').split('\n').length).toBeLessThanOrEqual(limits.shownLines);
  expect(text).not.toMatch(commanding);
  expect(text.isWellFormed()).toBe(true);
}

/** The saved whole: the server's bytes, in a file that nobody else can read. */
function expectSaved(shown: Presented, digest: unknown): void {
  const path = shown.cut?.path ?? '';
  expect(sha256(readFileSync(path))).toBe(digest);
  if (process.platform === 'win32') return;
  expect((lstatSync(path).mode & 0o777).toString(8)).toBe('600');
  expect((lstatSync(dirname(path)).mode & 0o777).toString(8)).toBe('700');
}

describe('a result of 5 MB', () => {
  it.each(kinds)('B5: %s: at most 50 KiB and 2,000 lines are shown, the whole is saved to the byte', async (tool) => {
    const { runtime } = trestleHome({ large: entry });
    const { shown, result } = valueOf(
      await runtime.call({ server: 'large', tool, arguments: { bytes: fiveMegabytes } }),
    );
    expectBounded(shownText(shown));
    expectSaved(shown, digestIn(result));
  });

  it('B5: what was no UTF-8 is saved as it was read', async () => {
    const { runtime } = trestleHome({ large: entry });
    const { shown } = valueOf(await runtime.call({ server: 'large', tool: 'invalid', arguments: { bytes: 100_000 } }));
    expectBounded(shownText(shown));
    expectSaved(shown, sha256('\u{fffd}'.repeat(100_000)));
  });

  it('B5: so it is with resources and prompts', async () => {
    const { runtime } = trestleHome({ large: entry });
    const read = valueOf(await runtime.read({ server: 'large', uri: `large:windows/${fiveMegabytes}` }));
    expectBounded(shownText(read.shown));
    expectSaved(read.shown, sha256(String((read.contents[0] as { readonly text?: unknown }).text)));
    const prompt = { server: 'large', prompt: 'hostile', arguments: { bytes: String(fiveMegabytes) } };
    const got = valueOf(await runtime.getPrompt(prompt));
    expectBounded(shownText(got.shown));
    const [message] = got.messages as readonly [{ readonly content: { readonly text: string } }];
    expectSaved(got.shown, sha256(`user:\n${message.content.text}`));
  });

  it('B5: a failed tool is told within the same limits; a JSON-RPC error is told in a line, its data not at all', async () => {
    const { runtime } = trestleHome({ large: entry });
    const call = (tool: string) => runtime.call({ server: 'large', tool, arguments: { bytes: fiveMegabytes } });
    const failed = await call('failed');
    expect(failed.kind).toBe('tool-error');
    const { shown, result } = valueOf(failed);
    expectBounded(shownText(shown));
    expectSaved(shown, digestIn(result));
    const refused = await call('refused');
    const text = 'failure' in refused ? refused.failure.message : '';
    expectBounded(text);
    expect(text.length).toBeLessThan(1_000);
  });

  it('B5, L7: over a daemon it is the same, and the file is as private', async () => {
    const home = daemonHome({ large: entry });
    await home.start();
    const { runtime, locals } = home.client();
    const request = { server: 'large', tool: 'windows', arguments: { bytes: fiveMegabytes } };
    const { shown, result } = valueOf(await runtime.call(request));
    expect(locals()).toBe(0);
    expectBounded(shownText(shown));
    expectSaved(shown, digestIn(result));
  });
});

describe('through the tools', () => {
  async function used(
    tool: ToolObject | undefined,
    given: object,
  ): Promise<{ readonly text: string; readonly details: Readonly<Record<string, unknown>> }> {
    if (tool === undefined) throw new Error('there is no such tool');
    const { content, details } = await tool.execute(given, {});
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    return { text, details: isObject(details) ? details : {} };
  }

  it('B5: both toolsets show as much, and tell the host where the whole is', async () => {
    const { runtime, folder } = trestleHome({ large: entry });
    const bridge = createBridge(runtime, { downloadRoot: undefined });
    const adapter = createAdapter(runtime, { cwd: folder });
    const toolArguments = { bytes: fiveMegabytes };
    const outputs = [
      await used(bridge[0], { server: 'large', toolName: 'hostile', arguments: toolArguments }),
      await used(bridge[1], { server: 'large', uri: `large:lines/${fiveMegabytes}` }),
      await used(adapter[1], { configPath: 'servers.json', server: 'large', tool: 'failed', arguments: toolArguments }),
    ];
    for (const { text, details } of outputs) {
      expectBounded(text);
      expect(details['summary']).toMatchObject({ path: expect.stringMatching(/spill/) as string });
    }
  });

  it('B5: what is told in a line only is kept for the host, whole', async () => {
    const { runtime } = trestleHome({ large: entry });
    const [call] = createBridge(runtime, { downloadRoot: undefined });
    const { text, details } = await used(call, { server: 'large', toolName: 'sound', arguments: { bytes: 60_000 } });
    expect(text).toBe('[audio: audio/wav, 43.9 KiB]');
    const { path } = details['summary'] as { readonly path: string };
    const kept = JSON.parse(readFileSync(path, 'utf8')) as { readonly content: readonly [{ readonly data: string }] };
    expect(kept.content[0].data).toHaveLength(60_000);
  });
});

describe('on the command line', () => {
  it('B5, L2: the text form is cut; --full, -o and --json give every byte', async () => {
    const cli = createCli();
    await cli.run(['add', 'large', '--', command, ...args]);
    const call = ['call', 'large', 'hostile', `bytes=${fiveMegabytes}`];
    const cut = await cli.run(call);
    expectBounded(cut.stdout);
    const json = JSON.parse((await cli.run([...call, '--json'])).stdout) as ToolResult;
    const digest = digestIn(json);
    expect(sha256((json.content[0] as { readonly text: string }).text)).toBe(digest);
    expect(sha256((await cli.run([...call, '--full'])).stdoutBytes)).toBe(digest);
    await cli.run([...call, '-o', 'whole.txt']);
    expect(sha256(readFileSync(join(cli.cwd, 'whole.txt')))).toBe(digest);
    const [scope = '', ...others] = readdirSync(join(cli.home, 'spill'));
    expect([scope, others]).toEqual([expect.stringMatching(/^project-[0-9a-f]{12}$/), []]);
    const spills = join(cli.home, 'spill', scope);
    expect(readdirSync(spills).map((name) => sha256(readFileSync(join(spills, name))))).toEqual([digest]);
  });

  it('B5, L1: prompts and resources are cut like results, probe tells a line', async () => {
    const cli = createCli();
    await cli.run(['add', 'large', '--', command, ...args]);
    expectBounded((await cli.run(['prompt', 'large', 'parts', `bytes=${fiveMegabytes}`])).stdout);
    expectBounded((await cli.run(['read', 'large', `large:returns/${fiveMegabytes}`])).stdout);
    const probed = await cli.run(['probe', '--call', '--', command, ...args]);
    expectBounded(probed.stdout);
    expect(existsSync(join(cli.home, 'registry', 'large', 'meta.json'))).toBe(true);
  });
});
