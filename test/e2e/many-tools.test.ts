import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/index.ts';
import { someCatalogue, someTool } from '../support/catalogue.ts';
import { createCli } from '../support/cli.ts';
import { configureServers } from '../support/home.ts';
import { projectRoot } from '../support/project-files.ts';

const count = 10_000;

it('R7: with 10,000 tools, list and show read the index and the one descriptor they show', async () => {
  const cli = createCli();
  configureServers(cli.home, { huge: { command: 'x' }, small: { command: 'y' } });
  const root = join(cli.home, 'registry');
  const registry = openRegistry(root);
  await registry.apply(someCatalogue('small'), { nowMs: 1 });
  await registry.apply(someCatalogue('huge', { tools: [] }), { nowMs: 1 });
  const tools = join(root, 'huge', 'tools');
  for (let index = 0; index < count; index += 1) {
    writeFileSync(join(tools, `tool${index}.json`), JSON.stringify(someTool(`tool${index}`)));
  }
  expect((await cli.run(['list'])).stdout).toMatch(/^huge +10000 tools/m);

  const trace = join(cli.cwd, 'files-read');
  const preload = pathToFileURL(join(projectRoot, 'test/support/trace-files.mjs')).href;
  const env = { NODE_OPTIONS: `--import=${preload}`, FILES_READ: trace };
  /** What a command reads of the registry, relative to it. */
  const readBy = async (...args: readonly string[]): Promise<readonly string[]> => {
    writeFileSync(trace, '');
    expect(await cli.run(args, { env })).toMatchObject({ code: 0, stderr: '' });
    const read = readFileSync(trace, 'utf8').split('\n');
    return [...new Set(read.filter((path) => path.startsWith(root)).map((path) => path.slice(root.length + 1)))].sort();
  };
  expect(await readBy('list')).toEqual(['index.json']);
  expect(await readBy('list', 'huge')).toEqual(['index.json']);
  expect(await readBy('list', 'huge', '--json')).toEqual(['index.json']);
  expect(await readBy('show', 'huge', 'tool7777')).toEqual(['huge/tools/tool7777.json']);
  expect(await readBy('show', 'huge')).toEqual(['huge/meta.json', 'index.json']);
});
