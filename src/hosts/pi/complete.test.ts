import { join } from 'node:path';
import { expect, it } from 'vitest';
import { someCatalogue, someTool } from '../../../test/support/catalogue.ts';
import { homeWith } from '../../../test/support/home.ts';
import { openRegistry } from '../../registry/index.ts';
import { createRuntime, placesOf, type Runtime } from '../../runtime/index.ts';
import { completeCommand } from './complete.ts';

async function runtimeOf(): Promise<Runtime> {
  const home = homeWith({ demo: { command: 'x' }, 'demo.two': { command: 'y' } });
  const tools = [someTool('say'), someTool('two words'), someTool('\u001B[31mred')];
  await openRegistry(join(home, 'registry')).apply(someCatalogue('demo', { tools }), { nowMs: 1 });
  return createRuntime({ places: placesOf(home), cwd: home, userHome: home, env: {}, platform: process.platform });
}

it.each([
  ['re', ['remove ', 'revoke ', 'reload ']],
  ['lo', ['login ', 'logout ']],
  ['sync', undefined],
  ['sync ', ['sync demo ', 'sync demo.two ']],
  ['sync demo', ['sync demo ', 'sync demo.two ']],
  // A name that hides something is offered as what it can be called by.
  ['show demo ', ['show demo 31mred~fd3e556828a19f767aa4 ', 'show demo say ', "show demo 'two words' "]],
  ['approve demo --tool s', ['approve demo --tool say ']],
  ['search --server=demo.', ['search --server=demo.two ']],
  ['sync --f', ['sync --force ']],
  ['daemon ', undefined],
  ['search anything', undefined],
])('N1: %j goes on as %j, whole lines each', async (prefix, values) => {
  const offered = await completeCommand(prefix, await runtimeOf());
  expect(offered?.map(({ value }) => value)).toEqual(values);
});

it('N1: says what a command and a tool do', async () => {
  const runtime = await runtimeOf();
  expect(await completeCommand('valid', runtime)).toEqual([
    { value: 'validate ', label: 'validate', description: 'Check the files of registry, configuration and state' },
  ]);
  expect((await completeCommand('show demo sa', runtime))?.[0]?.description).toBe('Does say.');
});
