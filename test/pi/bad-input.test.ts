/** What models, files and servers may get wrong: defined, and quiet. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testServer } from '../support/cli.ts';
import { entryOf, piPlace, printPi, scriptedModel } from '../support/pi.ts';
import { callTool, repeatResults, type Turn } from '../support/scripted-model.ts';

const call = (args: unknown): unknown => ({ server: 'counting', toolName: 'echo', arguments: args });

/** What a model gives to CallMcpTool, and what it is told. */
const given: readonly (readonly [args: unknown, answer: RegExp])[] = [
  [call({ message: 'as they should be' }), /^as they should be$/],
  [call('{"message":"the text of an object"}'), /^the text of an object$/],
  [call([{ message: 'a list of one object' }]), /^a list of one object$/],
  [{ server: 'counting', toolName: 'echo', message: 'beside the name' }, /^beside the name$/],
  [call(['a list']), /arguments/],
  [call(7), /arguments/],
  [call('no object'), /arguments/],
  [call(null), /message is required/],
  [{ server: 'counting', toolName: 'echo' }, /message is required/],
  [{ server: 'counting' }, /toolName is required/],
  [{}, /server is required/],
];

it.each(['newest', 'oldest'] as const)(
  'N1: the %s Pi takes arguments as models give them, or says what is wrong with them',
  async (release) => {
    const turns = given.map(([args]): Turn => ({ calls: [{ name: 'CallMcpTool', arguments: args }] }));
    const model = await scriptedModel(...turns, { text: 'done' });
    const place = piPlace(model);
    const counting = entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran')));
    place.write('mcp-servers.json', { mcpServers: { counting } });
    const run = await printPi(place, 'say hello', { release });
    expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
    const answers = model.requests.at(-1)?.results ?? [];
    expect(answers.map(({ text }) => text)).toEqual(
      given.map(([, answer]) => expect.stringMatching(answer) as unknown),
    );
  },
);

it('N1: a servers file that cannot be read costs its servers, and no answer', async () => {
  const model = await scriptedModel(callTool('counting', 'count'), repeatResults);
  const place = piPlace(model);
  place.write('mcp-servers.json', '{ "mcpServers": { "counting": ');
  const { code, stdout, stderr } = await printPi(place, 'count');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^FINAL .*mcp-servers\.json cannot be read/) as string,
  });
  expect(stderr.split('\n').filter(Boolean).length).toBeLessThanOrEqual(1);
});

it('N1: a server that fails at its start is an error of the one call, with its last words', async () => {
  const model = await scriptedModel(callTool('broken', 'count'), callTool('counting', 'count'), repeatResults);
  const place = piPlace(model);
  place.write('mcp-servers.json', {
    mcpServers: {
      broken: entryOf([process.execPath, '-e', 'console.error("no licence"); process.exit(3)']),
      counting: entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran'))),
    },
  });
  const { code, stdout, stderr } = await printPi(place, 'count');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^FINAL .*broken.*no licence.* \| counted\n$/s);
});
