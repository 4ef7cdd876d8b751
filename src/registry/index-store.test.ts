import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { someCatalogue, someTool } from '../../test/support/catalogue.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { openRegistry } from './index.ts';

const posix = process.platform !== 'win32';

async function registryWith(...servers: readonly string[]): Promise<string> {
  const root = tempFolder();
  for (const server of servers) await openRegistry(root).apply(someCatalogue(server), { nowMs: 1 });
  return root;
}

const indexFile = (root: string): string => join(root, 'index.json');

describe('the index', () => {
  it('R5: an empty or missing registry has no servers, and looking makes no folder', () => {
    const root = join(tempFolder(), 'registry');
    expect(openRegistry(root).servers()).toEqual({ value: [], findings: [] });
    expect(openRegistry(root).server('demo')).toEqual({ value: undefined, findings: [] });
    expect(readdirSync(join(root, '..'))).toEqual([]);
  });

  it('R1: lists servers and their tools by name', async () => {
    const root = await registryWith('b', 'a');
    const servers = openRegistry(root).servers();
    expect(servers.findings).toEqual([]);
    expect(servers.value).toMatchObject([
      { name: 'a', description: 'The server a', transport: 'stdio', resources: 1, resourceTemplates: 1, prompts: 1 },
      { name: 'b' },
    ]);
    expect(servers.value[0]?.tools.map(({ name }) => name)).toEqual(['echo', 'getSum']);
  });

  it('R5: is not written again while nothing changed', async () => {
    const root = await registryWith('demo');
    openRegistry(root).servers();
    const before = statSync(indexFile(root)).mtimeMs;
    openRegistry(root).servers();
    openRegistry(root).server('demo');
    expect(statSync(indexFile(root)).mtimeMs).toBe(before);
  });

  it.each(['deleted', 'truncated', 'of another registry', 'empty'])('R5: is made anew when it was %s', async (how) => {
    const root = await registryWith('demo');
    const texts = {
      truncated: '{"servers":[{"name":"de',
      empty: '',
      'of another registry': '{"servers":[{"name":"x"}]}',
    };
    if (how === 'deleted') rmSync(indexFile(root));
    else writeFileSync(indexFile(root), texts[how as keyof typeof texts]);
    const { value } = openRegistry(root).servers();
    expect(value.map(({ name, tools }) => [name, tools.length])).toEqual([['demo', 2]]);
    expect(JSON.parse(readFileSync(indexFile(root), 'utf8'))).toMatchObject({ servers: [{ name: 'demo' }] });
  });

  it('R5: a server without tools is in the index like any other', async () => {
    const root = await registryWith('after');
    await openRegistry(root).apply(someCatalogue('empty', { tools: [] }), { nowMs: 1 });
    const before = statSync(indexFile(root)).mtimeMs;
    expect(openRegistry(root).servers().value).toMatchObject([
      { name: 'after', toolCount: 2 },
      { name: 'empty', toolCount: 0, tools: [] },
    ]);
    expect(statSync(indexFile(root)).mtimeMs).toBe(before);
  });

  it('R5: tools whose lines in the index are broken are read from their files', async () => {
    const root = await registryWith('demo');
    const text = readFileSync(indexFile(root), 'utf8');
    for (const broken of [text.replace('{"name":"echo"', '{"name":echo'), text.replace('"name":"echo"', '"name":7')]) {
      writeFileSync(indexFile(root), broken);
      expect(
        openRegistry(root)
          .servers()
          .value[0]?.tools.map(({ name }) => name),
      ).toEqual(['echo', 'getSum']);
    }
  });

  it('R5: sees servers and tools that came and went by hand', async () => {
    const root = await registryWith('one', 'two');
    const registry = openRegistry(root);
    expect(registry.servers().value).toHaveLength(2);
    rmSync(join(root, 'two'), { recursive: true });
    writeFileSync(join(root, 'one', 'tools', 'new.json'), JSON.stringify(someTool('new')));
    for (const reader of [registry, openRegistry(root)]) {
      expect(reader.servers().value.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
        ['echo', 'getSum', 'new'],
      ]);
    }
  });

  it('R5: sees an edit in place of a descriptor when its server is asked for, and of meta.json always', async () => {
    const root = await registryWith('demo');
    const registry = openRegistry(root);
    registry.servers();
    const file = join(root, 'demo', 'tools', 'echo.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Does echo.', 'Is mine.'));
    expect(registry.server('demo').value?.tools[0]?.description).toBe('Is mine.');
    expect(openRegistry(root).servers().value[0]?.tools[0]?.description).toBe('Is mine.');
    const meta = join(root, 'demo', 'meta.json');
    writeFileSync(meta, readFileSync(meta, 'utf8').replace('The server demo', 'My server'));
    expect(registry.servers().value[0]?.description).toBe('My server');
  });

  it('R5: is made anew also when a newer file has an older time than the index', async () => {
    const root = await registryWith('demo');
    const registry = openRegistry(root);
    registry.servers();
    const meta = join(root, 'demo', 'meta.json');
    writeFileSync(meta, readFileSync(meta, 'utf8').replace('The server demo', 'Restored'));
    utimesSync(meta, 1_000, 1_000);
    expect(registry.servers().value[0]?.description).toBe('Restored');
  });

  it('R2: a broken server is reported at every look, and the others are listed', async () => {
    const root = await registryWith('good', 'bad', 'half');
    writeFileSync(join(root, 'bad', 'meta.json'), '{"name": "b');
    rmSync(join(root, 'half', 'meta.json'));
    for (let look = 0; look < 2; look += 1) {
      const { value, findings } = openRegistry(root).servers();
      expect(value.map(({ name }) => name)).toEqual(['good']);
      expect(findings.map(({ file }) => file)).toEqual(['bad', 'half'].map((name) => join(root, name, 'meta.json')));
    }
    expect(openRegistry(root).server('half').findings[0]?.problem).toContain('never synced to the end');
  });

  it('R2: tools that are no folder are reported, and nothing is written', async () => {
    const root = await registryWith('good', 'bad');
    const tools = join(root, 'bad', 'tools');
    rmSync(tools, { recursive: true });
    writeFileSync(tools, '');
    const registry = openRegistry(root);
    const finding = { server: 'bad', file: tools, problem: 'is no folder' };
    expect(registry.servers()).toMatchObject({ value: [{ name: 'bad' }, { name: 'good' }], findings: [finding] });
    expect(registry.tools('bad')).toMatchObject({ value: [], findings: [finding] });
    expect(await registry.validate()).toMatchObject([finding]);
    await expect(registry.apply(someCatalogue('bad'), { nowMs: 2 })).rejects.toMatchObject({
      code: 'registry_invalid',
    });
  });

  it.runIf(posix && process.getuid?.() !== 0)('R2: a folder that cannot be read does not hide the others', async () => {
    const root = await registryWith('good', 'bad');
    chmodSync(join(root, 'bad'), 0);
    onTestFinished(() => chmodSync(join(root, 'bad'), 0o755));
    const registry = openRegistry(root);
    const finding = { server: 'bad', problem: 'cannot be read (EACCES)' };
    expect(registry.servers()).toMatchObject({ value: [{ name: 'good' }], findings: [finding] });
    expect(registry.tools('bad')).toMatchObject({ value: [], findings: [finding] });
    expect(await registry.validate()).toMatchObject([finding]);
  });

  it('R4: folders whose names cannot name a server are findings, files beside them are none', async () => {
    const root = await registryWith('demo');
    for (const name of ['two words', 'nul', '.hidden']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'README.md'), '');
    const { value, findings } = openRegistry(root).servers();
    expect(value.map(({ name }) => name)).toEqual(['demo']);
    expect(findings.map(({ server }) => server)).toEqual(['nul', 'two words']);
  });

  it('R4: of two folders that differ only in case the second is a finding', async ({ skip }) => {
    const root = await registryWith('Demo');
    mkdirSync(join(root, 'demo'), { recursive: true });
    skip(!readdirSync(root).includes('demo'), 'this file system folds case');
    expect(openRegistry(root).servers()).toMatchObject({ value: [{ name: 'Demo' }], findings: [{ server: 'demo' }] });
  });

  it.runIf(posix)('R3: an index that is a link is not followed', async () => {
    const [root, outside] = [await registryWith('demo'), tempFolder()];
    renameSync(indexFile(root), join(outside, 'index.json'));
    symlinkSync(join(outside, 'index.json'), indexFile(root));
    const before = readFileSync(join(outside, 'index.json'), 'utf8').replaceAll('demo', 'fake');
    writeFileSync(join(outside, 'index.json'), before);
    expect(
      openRegistry(root)
        .servers()
        .value.map(({ name }) => name),
    ).toEqual(['demo']);
    expect(readFileSync(join(outside, 'index.json'), 'utf8')).toBe(before);
  });

  it('a registry that cannot be written can be read and validated', async () => {
    const root = await registryWith('demo');
    for (const name of ['index.json', '.lock']) rmSync(join(root, name), { recursive: true });
    // No name to write under, whoever runs the test.
    mkdirSync(indexFile(root));
    writeFileSync(join(root, '.lock'), '');
    const registry = openRegistry(root);
    expect(registry.servers().value).toHaveLength(1);
    expect(registry.server('demo').value?.tools).toHaveLength(2);
    expect((await registry.validate()).map(({ file }) => file)).toEqual([indexFile(root)]);
    await expect(registry.apply(someCatalogue('demo'), { nowMs: 2 })).rejects.toMatchObject({ code: 'file_error' });
    expect(readdirSync(root).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('R7: one tool of 10,000 is shown from the index and its own file, whatever the others are', async () => {
    const root = tempFolder();
    await openRegistry(root).apply(someCatalogue('huge', { tools: [] }), { nowMs: 1 });
    const folder = join(root, 'huge', 'tools');
    for (let index = 0; index < 10_000; index += 1) {
      writeFileSync(join(folder, `tool${index}.json`), JSON.stringify(someTool(`tool${index}`)));
    }
    openRegistry(root).servers();
    // Others that nobody can read would be noticed by any look at them.
    for (const name of readdirSync(folder).slice(0, 500))
      if (name !== 'tool77.json') writeFileSync(join(folder, name), '{');
    const registry = openRegistry(root);
    expect(registry.tool('huge', 'tool77')).toMatchObject({ value: { name: 'tool77' }, findings: [] });
    for (const { value, findings } of [registry.server('huge'), openRegistry(root).servers()]) {
      expect(findings).toHaveLength(0);
      expect([value].flat()[0]).toHaveProperty('tools.length', 10_000);
    }
  });
});
