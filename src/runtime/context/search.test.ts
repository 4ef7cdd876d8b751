import { expect, it } from 'vitest';
import { someCatalogue, someTool } from '../../../test/support/catalogue.ts';
import { trestleHome } from '../../../test/support/trestle-home.ts';

/** Five servers with the same tool, of which one can be called. */
async function home() {
  const one = trestleHome({
    good: { command: 'x' },
    off: { command: 'x', enabled: false },
    denying: { command: 'x', tools: { deny: ['*'] } },
    broken: { command: '' },
  });
  const { registry } = one.runtime;
  for (const name of ['good', 'off', 'denying', 'broken', 'stray']) {
    await registry.apply(someCatalogue(name, { tools: [someTool('read_page', 'Reads.')] }), { nowMs: 1 });
  }
  return one;
}

it('C7, K3: what cannot be called is not found and not counted: disabled, denied, broken, in the registry only', async () => {
  const one = await home();
  const { runtime } = one;
  const found = await runtime.search({ query: 'read page' });
  expect(found).toEqual({
    hits: [{ server: 'good', tool: 'read_page', key: 'read_page', description: 'Reads.' }],
    total: 1,
    findings: [],
  });
  one.configure({ off: { command: 'x' } });
  expect((await runtime.search({ query: 'read page' })).hits).toMatchObject([{ server: 'off' }]);
});

it.each([
  ['off', 'disabled'],
  ['broken', 'config_entry_invalid'],
  ['stray', 'approval_needed'],
  ['god', 'unknown_server'],
])('C7: a search of the server %s says why there is nothing', async (server, code) => {
  const { runtime } = await home();
  await expect(runtime.search({ query: 'read', server })).rejects.toMatchObject({ code });
});

it('C7: a server that was never synced has no tools to find', async () => {
  const { runtime } = trestleHome({ fresh: { command: 'x' } });
  expect(await runtime.search({ query: 'read', server: 'fresh' })).toEqual({ hits: [], total: 0, findings: [] });
});
