/**
 * What Pi does that the host for it builds on, observed from outside with extensions of a few lines. When one goes red after an
 * upgrade of Pi, the host's way of doing the same has to be looked at.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { piPlace, recordsOf, scriptedModel } from '../support/pi.ts';
import { type PiPlace, runPi } from '../support/pi-place.ts';
import { repeatResults } from '../support/scripted-model.ts';
import { openPiSession } from '../support/pi-rpc.ts';

/** An extension with this body for its factory, which is given `pi`. */
function extension(place: PiPlace, body: string, name = 'tiny'): string {
  const file = join(place.agentFolder, `${name}.js`);
  writeFileSync(file, `export default function (pi) {\n${body}\n}\n`);
  return file;
}

/** Registers a tool `ask` with this as the body of its `execute`. */
const tool = (body: string, more = ''): string =>
  `pi.registerTool({
    name: 'ask', label: 'Ask', description: 'Asks.', ${more}
    parameters: { type: 'object', properties: { arguments: { type: 'object', additionalProperties: true } } },
    async execute(id, params, signal, onUpdate) { ${body} },
  });`;
const asks = (args: unknown): { readonly calls: readonly [{ readonly name: 'ask'; readonly arguments: unknown }] } => ({
  calls: [{ name: 'ask', arguments: args }],
});
const answer = `return { content: [{ type: 'text', text: JSON.stringify(params) }], details: {} };`;

it('the newest Pi has sections of the system prompt, and one of ours stands in its own tag', async () => {
  const model = await scriptedModel({ text: 'done' });
  const place = piPlace(model);
  const set = `pi.on('before_agent_start', (event) => { event.systemPromptOptions.sections.ours = 'OUR TEXT'; });`;
  const run = await runPi(place, ['-p', '--no-session', '-e', extension(place, set), 'hello']);
  expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(model.requests[0]?.system).toContain('<ours>\nOUR TEXT\n</ours>');
});

it('the oldest Pi has no sections, and takes a whole system prompt', async () => {
  const model = await scriptedModel({ text: 'done' });
  const place = piPlace(model);
  const set = `pi.on('before_agent_start', (event) => ({
    systemPrompt: event.systemPrompt + '\\n\\n' + String(event.systemPromptOptions?.sections),
  }));`;
  const args = ['-p', '--no-session', '-e', extension(place, set), 'hello'];
  expect(await runPi(place, args, { release: 'oldest' })).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(model.requests[0]?.system).toMatch(/\n\nundefined$/);
});

it.each(['newest', 'oldest'] as const)(
  'free-form arguments reach a tool of the %s Pi as they were given, and what `prepareArguments` makes of others',
  async (release) => {
    const free = { n: '7', none: null, deep: [{ a: 1 }] };
    const model = await scriptedModel(asks({ arguments: free }), asks({ arguments: '{"n":1}' }), repeatResults);
    const place = piPlace(model);
    const mend = `prepareArguments: (args) =>
      typeof args.arguments === 'string' ? { arguments: JSON.parse(args.arguments) } : args,`;
    const file = extension(place, tool(answer, mend));
    const run = await runPi(place, ['-p', '--no-session', '-e', file, 'hello'], { release });
    const seen = [free, { n: 1 }].map((args) => JSON.stringify({ arguments: args }));
    expect(run).toMatchObject({ code: 0, stdout: `FINAL ${seen.join(' | ')}\n`, stderr: '' });
  },
);

it('what an extension prints goes to standard error in print mode, and a notification nowhere', async () => {
  const model = await scriptedModel({ text: 'done' });
  const place = piPlace(model);
  const say = `pi.on('session_start', (event, context) => { console.log('PRINTED'); context.ui.notify('NOTIFIED', 'error'); });`;
  const run = await runPi(place, ['-p', '--no-session', '-e', extension(place, say), 'hello']);
  expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: 'PRINTED\n' });
});

it('a result that says that it is an error keeps its details, and a thrown error loses them', async () => {
  const model = await scriptedModel(asks({}), asks({ arguments: { throws: true } }), { text: 'done' });
  const place = piPlace(model);
  const body = `if (params.arguments?.throws) throw Object.assign(new Error('no'), { details: { kept: 1 } });
    return { content: [{ type: 'text', text: 'no' }], details: { kept: 1 }, isError: true };`;
  const run = await runPi(place, ['--mode', 'json', '--no-session', '-e', extension(place, tool(body)), 'hello']);
  const ends = recordsOf(run.stdout).filter(({ type }) => type === 'tool_execution_end');
  const [kept, lost] = [{ kept: 1 }, {}].map((details) => ({ isError: true, result: { details } }));
  expect(ends).toMatchObject([kept, lost]);
  expect(ends[1]?.['result']).toHaveProperty('details', {});
});

it('two extensions with a tool of the same name end Pi before either of them runs', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  const [one, other] = ['one', 'other'].map((name) => extension(place, tool(answer), name));
  const run = await runPi(place, ['-p', '--no-session', '-e', one ?? '', '-e', other ?? '', 'hello']);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/conflicts with/) as string });
  expect(model.requests).toEqual([]);
});

it('a reload evaluates an extension anew; a new session calls its factory again; each session ends before the next', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  const folder = join(place.agentFolder, 'extensions');
  mkdirSync(folder);
  const file = join(folder, 'tiny.js');
  writeFileSync(
    file,
    `let loads = 0;
    export default function (pi) {
      console.error('factory', ++loads);
      for (const name of ['session_start', 'session_shutdown']) pi.on(name, ({ reason }) => console.error(name, reason));
      pi.registerCommand('again', { handler: (args, context) => context.reload() });
    }`,
  );
  const session = openPiSession(place, { args: ['--no-session'] });
  await session.prompt('/again');
  await session.ask({ type: 'new_session' });
  expect(await session.close()).toBe(0);
  expect(session.stderr().trim().split('\n')).toEqual([
    'factory 1',
    'session_start startup',
    'session_shutdown reload',
    'factory 1',
    'session_start reload',
    'session_shutdown new',
    'factory 2',
    'session_start new',
    'session_shutdown quit',
  ]);
});

it("a project whose only file is the bridge's own is trusted by Pi, so its trust alone is not enough", async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  mkdirSync(join(place.cwd, '.pi'));
  writeFileSync(join(place.cwd, '.pi/mcp-servers.json'), '{ "mcpServers": {} }');
  const say = `pi.on('session_start', (event, context) => { console.log(context.isProjectTrusted()); });`;
  const file = extension(place, say);
  const trusted = async (...more: readonly string[]): Promise<string> =>
    (await runPi(place, ['-p', '--no-session', ...more, '-e', file, 'hello'])).stderr.trim();
  expect([await trusted(), await trusted('-na')]).toEqual(['true', 'false']);
  writeFileSync(join(place.cwd, '.pi/settings.json'), '{}');
  expect([await trusted(), await trusted('-a')]).toEqual(['false', 'true']);
});
