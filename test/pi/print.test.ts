/** A prompt in print mode, in the newest and the oldest Pi, whichever format its model speaks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referenceServer, testServer } from '../support/cli.ts';
import { entryOf, piPlace, printPi, recordsOf, scriptedModel, sectionOf, syncServers } from '../support/pi.ts';
import { extensionPath, type PiPlace, runPi } from '../support/pi-place.ts';
import { callTool, repeatResults } from '../support/scripted-model.ts';

const bridgeTools = ['CallMcpTool', 'FetchMcpResource', 'ListMcpResources'];

/** A place whose server `files` has one file to read. */
function withFiles(place: PiPlace): string {
  const file = join(place.cwd, 'note.txt');
  writeFileSync(file, 'what the note says');
  syncServers(place, { files: entryOf([...referenceServer('filesystem'), place.cwd]) });
  return file;
}

/** What stands around the section in each release: the oldest has no sections, and it follows the whole prompt. */
const around = {
  newest: /^You are .*<\/cwd>\n\n<mcp_bridge>\n.*<\/mcp_bridge>/s,
  oldest: /^You are .*\nCurrent working directory: [^\n]*\n\n<mcp_bridge>\n.*<\/mcp_bridge>$/s,
} as const;

describe.each(['newest', 'oldest'] as const)('the %s Pi', (release) => {
  it.each(['openai-completions', 'anthropic-messages'] as const)(
    'N1: takes the section to a model that speaks %s, its call to a real server, and the result to the final text',
    async (api) => {
      let file = '';
      const model = await scriptedModel(() => callTool('files', 'read_text_file', { path: file }), repeatResults);
      const place = piPlace(model, { api });
      file = withFiles(place);
      const run = await printPi(place, 'read the note', { release });
      expect(run).toMatchObject({ code: 0, stdout: 'FINAL what the note says\n', stderr: '' });
      const [first, second] = model.requests;
      expect(first?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(bridgeTools));
      expect(first?.system).toMatch(around[release]);
      expect(sectionOf(first)).toMatch(/## files\n[^]*- read_text_file/);
      expect(sectionOf(second)).toBe(sectionOf(first));
      expect(second?.results).toHaveLength(1);
    },
  );
});

it('N1: in JSON mode every line of standard output is a record of Pi, and the result has its details', async () => {
  let file = '';
  const model = await scriptedModel(() => callTool('files', 'read_text_file', { path: file }), repeatResults);
  const place = piPlace(model);
  file = withFiles(place);
  const run = await runPi(place, ['--mode', 'json', '--no-session', '-e', extensionPath, 'read the note']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const records = recordsOf(run.stdout);
  expect(records.find(({ type }) => type === 'tool_execution_end')).toMatchObject({
    toolName: 'CallMcpTool',
    isError: false,
    result: {
      content: [{ type: 'text', text: 'what the note says' }],
      details: { kind: 'ok', execution: 'done' },
      structuredContent: { content: [{ type: 'text', text: 'what the note says' }] },
    },
  });
  expect(run.stdout).toContain('FINAL what the note says');
});

it('N1: without any server there is no section, and nothing is said', async () => {
  const model = await scriptedModel({ text: 'done' });
  const run = await printPi(piPlace(model), 'hello');
  expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(model.requests[0]?.system).not.toContain('mcp_bridge');
});

it.each(['newest', 'oldest'] as const)(
  'N1: in the %s Pi a call that failed is an error for Pi, and keeps its details',
  async (release) => {
    const model = await scriptedModel(callTool('counting', 'fail'), callTool('counting', 'count'), { text: 'done' });
    const place = piPlace(model, { api: 'anthropic-messages' });
    const counting = entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran')));
    place.write('mcp-servers.json', { mcpServers: { counting } });
    const args = ['--mode', 'json', '--no-session', '-e', extensionPath, 'fail, then count'];
    const ends = recordsOf((await runPi(place, args, { release })).stdout).filter(
      ({ type }) => type === 'tool_execution_end',
    );
    expect(ends).toMatchObject([
      { isError: true, result: { details: { kind: 'tool-error', execution: 'done' } } },
      { isError: false, result: { details: { kind: 'ok' } } },
    ]);
    expect(model.requests.at(-1)?.results.map(({ isError }) => isError)).toEqual([true, false]);
  },
);

it('N1: on a Node.js that is too old for Trestle Pi works on, and says in one line why there are no tools', async () => {
  const model = await scriptedModel({ text: 'done' });
  const old = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.6.0'}})`;
  const run = await printPi(piPlace(model), 'hello', {
    release: 'oldest',
    node: ['--import', `data:text/javascript,${encodeURIComponent(old)}`],
  });
  expect(run).toMatchObject({
    code: 0,
    stdout: 'done\n',
    stderr: expect.stringMatching(/^Trestle needs Node\.js 22\.19 or later, and this is 20\.6\.0: .*\n$/) as string,
  });
  expect(model.requests[0]?.tools.filter(({ name }) => bridgeTools.includes(name))).toEqual([]);
});
