import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someCatalogue, someTool } from '../../test/support/catalogue.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { fileKey, parseJson } from '../base/index.ts';
import { type LiveCatalogue, openRegistry, type Registry, type SyncChanges } from './index.ts';

const nowMs = 1_750_000_000_000;
const posix = process.platform !== 'win32';

function sync(registry: Registry, live: LiveCatalogue, force = false): Promise<SyncChanges> {
  return registry.apply(live, { nowMs, force });
}

const read = (...path: readonly string[]): Record<string, unknown> =>
  parseJson(readFileSync(join(...path), 'utf8')) as Record<string, unknown>;

function edit(file: string, change: Readonly<Record<string, unknown>>): void {
  writeFileSync(file, JSON.stringify({ ...read(file), ...change }));
}

/** Every file below a folder with its bytes, but those that a sync may always change. */
function bytes(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .filter(({ name }) => name !== 'meta.json')
      .map((file) => [join(file.parentPath, file.name), readFileSync(join(file.parentPath, file.name), 'utf8')]),
  );
}

describe('apply', () => {
  it('R1: the first sync writes everything, in a fixed form', async () => {
    const root = join(tempFolder(), 'registry');
    const changes = await sync(openRegistry(root), someCatalogue('demo'));
    expect(changes).toMatchObject({
      server: 'demo',
      tools: { added: ['echo', 'getSum'], changed: [], removed: [], unchanged: 0 },
      resources: { added: ['demo://one'] },
      resourceTemplates: { added: ['demo://{id}'] },
      prompts: { added: ['greet'] },
      overwritten: [],
      instructionsKept: false,
      repaired: false,
      findings: [],
    });
    expect(Object.keys(read(root, 'demo', 'meta.json'))).toEqual([
      'name',
      'description',
      'instructions',
      'transport',
      'auth',
      'lifecycle',
      'capabilities',
      'syncedFrom',
      'syncedAt',
      'instructionsDigest',
      'digest',
    ]);
    expect(read(root, 'demo', 'meta.json')).toMatchObject({
      transport: { env: { API_KEY: '${API_KEY}' } },
      syncedFrom: 'live-server',
      syncedAt: '2025-06-15T15:06:40.000Z',
    });
    expect(readFileSync(join(root, 'demo', 'tools', 'echo.json'), 'utf8')).toBe(
      `${JSON.stringify(someTool('echo'), undefined, 2)}\n`,
    );
    expect(read(root, 'demo', 'resources.json')).toEqual({
      resources: [{ uri: 'demo://one', name: 'one' }],
      resourceTemplates: [{ uriTemplate: 'demo://{id}', name: 'any' }],
    });
    expect(read(root, 'demo', 'prompts.json')).toEqual({ prompts: [{ name: 'greet' }] });
    expect(readdirSync(join(root, 'demo')).sort()).toEqual(['meta.json', 'prompts.json', 'resources.json', 'tools']);
  });

  it('R1: a re-sync without a change, also in another order, leaves no byte of difference outside meta.json', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    const before = bytes(join(root, 'demo'));
    const [echo, sum] = [someTool('echo'), someTool('getSum')];
    const reordered = {
      inputSchema: { properties: { text: { type: 'string' } }, type: 'object' },
      description: echo.description ?? '',
      name: 'echo',
    };
    const changes = await registry.apply(someCatalogue('demo', { tools: [sum, reordered] }), { nowMs: nowMs + 1 });
    expect(changes.tools).toEqual({ added: [], changed: [], removed: [], unchanged: 2 });
    expect(changes.meta).toEqual([]);
    expect(bytes(join(root, 'demo'))).toEqual(before);
    expect(read(root, 'demo', 'meta.json')['syncedAt']).toBe('2025-06-15T15:06:40.001Z');
  });

  it('R1: added, changed and removed tools are told and written', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    const tools = [someTool('echo', 'Says it twice.'), someTool('new')];
    const changes = await sync(registry, someCatalogue('demo', { tools, resources: [], instructions: 'Hurry.' }));
    expect(changes.tools).toEqual({
      added: ['new'],
      changed: [
        {
          name: 'echo',
          fields: ['description'],
          parts: [{ part: 'description', before: 'Does echo.', after: 'Says it twice.' }],
          drift: true,
        },
      ],
      removed: ['getSum'],
      unchanged: 0,
    });
    expect(changes.resources.removed).toEqual(['demo://one']);
    expect(changes.meta).toEqual(['instructions']);
    expect(changes.overwritten).toEqual([]);
    expect(registry.tools('demo').value.map(({ description }) => description)).toEqual(['Says it twice.', 'Does new.']);
    expect(readdirSync(join(root, 'demo', 'tools'))).toEqual(['echo.json', 'new.json']);
  });

  it('R1, S7: a list that was not read leaves what the registry had', async () => {
    const registry = openRegistry(tempFolder());
    await sync(registry, someCatalogue('demo'));
    const changes = await sync(
      registry,
      someCatalogue('demo', { tools: undefined, resources: undefined, prompts: undefined }),
    );
    expect(changes.tools).toEqual({ added: [], changed: [], removed: [], unchanged: 2 });
    expect(registry.tools('demo').value).toHaveLength(2);
    expect(registry.resources('demo').value.resources).toHaveLength(1);
    expect(registry.prompts('demo').value).toHaveLength(1);
    expect(await registry.validate()).toEqual([]);
  });

  it('R1: instructions edited by hand are kept, until they equal what the server says', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo', { instructions: 'One.' }));
    edit(join(root, 'demo', 'meta.json'), { instructions: 'Mine.' });
    for (const instructions of ['One.', 'Two.', 'Two.']) {
      expect(await sync(registry, someCatalogue('demo', { instructions }))).toMatchObject({ instructionsKept: true });
      expect(registry.meta('demo').value?.instructions).toBe('Mine.');
    }
    edit(join(root, 'demo', 'meta.json'), { instructions: 'Two.' });
    const changes = await sync(registry, someCatalogue('demo', { instructions: 'Three.' }));
    expect(changes).toMatchObject({ instructionsKept: false, meta: ['instructions'] });
    expect(registry.meta('demo').value?.instructions).toBe('Three.');
  });

  it('R1: what a hand noted beside the kind of sign-in stays while the kind is the same; description and lifecycle are as configured', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    const meta = join(root, 'demo', 'meta.json');
    edit(meta, {
      description: 'Mine.',
      lifecycle: { mode: 'eager', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
      auth: { kind: 'none', bearerTokenEnv: 'DEMO_TOKEN' },
    });
    expect((await sync(registry, someCatalogue('demo'))).meta).toEqual(['description', 'lifecycle']);
    expect(read(meta)).toMatchObject({
      description: 'The server demo',
      lifecycle: { mode: 'lazy' },
      auth: { kind: 'none', bearerTokenEnv: 'DEMO_TOKEN' },
    });
    expect(registry.signIn('demo').value).toEqual({ bearerTokenEnv: 'DEMO_TOKEN' });
    const { meta: live, ...lists } = someCatalogue('demo');
    await sync(registry, { ...lists, meta: { ...live, auth: { kind: 'oauth' } } });
    expect(read(meta)['auth']).toEqual({ kind: 'oauth' });
  });

  it('R1: tools edited by hand are overwritten and listed, others that changed are not', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    const first = ['a', 'b', 'c', 'd'].map((name) => someTool(name));
    await sync(registry, someCatalogue('demo', { tools: first }));
    edit(join(root, 'demo', 'tools', 'a.json'), { description: 'mine' });
    edit(join(root, 'demo', 'tools', 'd.json'), { description: 'mine' });
    writeFileSync(join(root, 'demo', 'tools', 'extra.json'), JSON.stringify(someTool('extra')));
    const tools = [someTool('a'), someTool('b', 'new'), someTool('c')];
    const changes = await sync(registry, someCatalogue('demo', { tools }));
    expect(changes.overwritten).toEqual(['a', 'd', 'extra']);
    expect(changes.tools.changed.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(changes.repaired).toBe(false);
    expect(registry.tool('demo', 'a').value?.description).toBe('Does a.');
    expect(readdirSync(join(root, 'demo', 'tools'))).toEqual(['a.json', 'b.json', 'c.json']);
  });

  it('R1: a server written by hand needs force', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    edit(join(root, 'demo', 'meta.json'), { syncedFrom: 'manual', digest: undefined, instructionsDigest: undefined });
    const tools = [someTool('echo', 'other')];
    await expect(sync(registry, someCatalogue('demo', { tools }))).rejects.toMatchObject({ code: 'registry_invalid' });
    expect(registry.tools('demo').value).toHaveLength(2);
    await sync(registry, someCatalogue('demo', { tools }), true);
    expect(registry.tools('demo').value).toEqual(tools);
    expect(registry.meta('demo').value?.syncedFrom).toBe('live-server');
  });

  it('R5: members that this version does not know are kept', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo', { tools: [{ ...someTool('echo'), icons: [], 'x-new': { a: 1 } }] }));
    edit(join(root, 'demo', 'meta.json'), { 'x-note': 'mine' });
    await sync(registry, someCatalogue('demo'));
    expect(read(root, 'demo', 'meta.json')['x-note']).toBe('mine');
    await sync(registry, someCatalogue('demo', { tools: [{ 'x-new': { a: 1 }, ...someTool('echo') }] }));
    expect(Object.keys(read(root, 'demo', 'tools', 'echo.json'))).toEqual([
      'name',
      'description',
      'inputSchema',
      'x-new',
    ]);
  });

  it('R2: a corrupt file is reported and kept beside, never overwritten silently; the rest works', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    const files = [join('tools', 'echo.json'), 'resources.json', 'prompts.json', 'meta.json'];
    for (const file of files) writeFileSync(join(root, 'demo', file), '{"name": "ec');
    writeFileSync(join(root, 'demo', 'tools', 'stranger.json'), 'not json');
    expect(registry.tool('demo', 'getSum').value?.name).toBe('getSum');
    expect(registry.tool('demo', 'echo')).toMatchObject({ value: undefined, findings: [{ severity: 'error' }] });
    const changes = await sync(registry, someCatalogue('demo'));
    expect(changes.findings.map(({ file }) => file).sort()).toEqual(
      [...files, join('tools', 'stranger.json')].map((file) => join(root, 'demo', file)).sort(),
    );
    for (const file of files) expect(readFileSync(join(root, 'demo', `${file}.corrupt`), 'utf8')).toBe('{"name": "ec');
    expect(readFileSync(join(root, 'demo', 'tools', 'stranger.json'), 'utf8')).toBe('not json');
    expect(registry.tools('demo').value).toHaveLength(2);
    expect((await registry.validate()).map(({ file }) => file)).toEqual([join(root, 'demo', 'tools', 'stranger.json')]);
  });

  it('R2: a second corrupt file does not overwrite the first one that was kept', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    for (const text of ['first', 'second']) {
      await sync(registry, someCatalogue('demo'));
      writeFileSync(join(root, 'demo', 'tools', 'echo.json'), text);
    }
    await sync(registry, someCatalogue('demo'));
    const kept = ['corrupt', 'corrupt-2'].map((end) => join(root, 'demo', 'tools', `echo.json.${end}`));
    expect(kept.map((file) => readFileSync(file, 'utf8'))).toEqual(['first', 'second']);
  });

  it('R2: what a dead writer left is removed', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    writeFileSync(join(root, 'demo', 'tools', '.trestle-tmp-1-x-1'), 'half');
    writeFileSync(join(root, '.trestle-tmp-1-x-2'), 'half');
    await sync(registry, someCatalogue('demo'));
    expect(Object.keys(bytes(root)).filter((file) => file.includes('trestle-tmp'))).toEqual([]);
  });

  it('R3: strange, long, reserved and case-folding names each get a file of their own inside the folder', async () => {
    const root = join(tempFolder(), 'registry');
    const registry = openRegistry(root);
    const names = [
      'echo',
      'Echo',
      'ECHO',
      '__proto__',
      'constructor',
      '../../x',
      '/etc/x',
      'CON',
      'a\0b',
      '🎉',
      '',
      'z'.repeat(300),
    ];
    const changes = await sync(registry, someCatalogue('demo', { tools: names.map((name) => someTool(name)) }));
    expect(changes.tools.added).toEqual(names);
    const files = readdirSync(join(root, 'demo', 'tools'));
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
    for (const name of names) {
      expect(registry.tool('demo', name).value?.description).toBe(`Does ${name}.`);
      expect(files).toContain(`${fileKey(name)}.json`);
    }
    expect(readdirSync(join(root, '..'))).toEqual(['registry']);
    expect(registry.server('demo').value?.tools).toHaveLength(names.length);
  });

  it('R3: the name is taken from inside the file, and the next sync puts it into its own file', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    const tools = join(root, 'demo', 'tools');
    writeFileSync(join(tools, 'renamed.json'), readFileSync(join(tools, 'echo.json')));
    rmSync(join(tools, 'echo.json'));
    expect(registry.tool('demo', 'echo').value?.name).toBe('echo');
    expect(registry.tool('demo', 'renamed').value?.name).toBe('echo');
    const changes = await sync(registry, someCatalogue('demo'));
    expect(changes.tools.unchanged).toBe(2);
    expect(changes.overwritten).toEqual([]);
    expect(readdirSync(tools)).toContain('echo.json');
    expect(readdirSync(tools)).not.toContain('renamed.json');
  });

  it('R3: of a name that is listed twice the first descriptor is kept, and told', async () => {
    const registry = openRegistry(tempFolder());
    const tools = [someTool('echo', 'first'), someTool('echo', 'second')];
    const changes = await sync(registry, someCatalogue('demo', { tools, prompts: [{ name: 'p' }, { name: 'p' }] }));
    expect(changes.findings.map(({ severity, field }) => [severity, field])).toEqual([
      ['warning', '/name'],
      ['warning', '/prompts'],
    ]);
    expect(registry.tool('demo', 'echo').value?.description).toBe('first');
    expect(registry.prompts('demo').value).toHaveLength(1);
  });

  it.runIf(posix)(
    'R3: links in place of folders are refused, and nothing is written or read through them',
    async () => {
      const [root, outside] = [tempFolder(), tempFolder()];
      const registry = openRegistry(root);
      await sync(openRegistry(outside), someCatalogue('demo'));
      symlinkSync(join(outside, 'demo'), join(root, 'demo'));
      const before = bytes(outside);
      await expect(sync(registry, someCatalogue('demo', { tools: [] }))).rejects.toMatchObject({
        code: 'registry_invalid',
      });
      expect(registry.servers()).toMatchObject({ value: [], findings: [{ file: join(root, 'demo') }] });
      for (const reading of [registry.server('demo'), registry.meta('demo'), registry.tool('demo', 'echo')]) {
        expect(reading).toMatchObject({ value: undefined, findings: [{ severity: 'error' }] });
      }
      expect(registry.tools('demo').value).toEqual([]);
      rmSync(join(root, 'demo'));
      mkdirSync(join(root, 'demo'));
      symlinkSync(join(outside, 'demo', 'tools'), join(root, 'demo', 'tools'));
      await expect(sync(registry, someCatalogue('demo', { tools: [] }))).rejects.toMatchObject({
        code: 'registry_invalid',
      });
      expect(registry.tool('demo', 'echo').value).toBeUndefined();
      expect(bytes(outside)).toEqual(before);
    },
  );

  it.runIf(posix)('R3: a link in place of a file is reported, never followed', async () => {
    const [root, outside] = [tempFolder(), tempFolder()];
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    writeFileSync(join(outside, 'target'), JSON.stringify(someTool('echo', 'from outside')));
    const file = join(root, 'demo', 'tools', 'echo.json');
    rmSync(file);
    symlinkSync(join(outside, 'target'), file);
    expect(registry.tool('demo', 'echo')).toMatchObject({ value: undefined, findings: [{ file }] });
    const changes = await sync(registry, someCatalogue('demo'));
    expect(changes.findings[0]?.problem).toContain('is a link');
    expect(readFileSync(join(outside, 'target'), 'utf8')).toContain('from outside');
    expect(registry.tool('demo', 'echo').value?.description).toBe('Does echo.');
  });

  it.each(['', '..', 'a/b', '.x', 'x.', 'nul', 'index.json', 'registry', 'ä', 'x'.repeat(65)])(
    'R4: a server cannot be called %j',
    async (name) => {
      const root = join(tempFolder(), 'registry');
      const registry = openRegistry(root);
      await expect(sync(registry, someCatalogue(name))).rejects.toMatchObject({ code: 'invalid_name' });
      expect(() => registry.tool(name, 'echo')).toThrow(expect.objectContaining({ code: 'invalid_name' }));
      expect(readdirSync(join(root, '..'))).toEqual([]);
    },
  );

  it('R4: a second server whose name differs only in case is refused', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('Demo'));
    await expect(sync(registry, someCatalogue('demo'))).rejects.toMatchObject({
      code: 'invalid_name',
      message: expect.stringContaining('Demo') as string,
    });
    expect(registry.servers().value.map(({ name }) => name)).toEqual(['Demo']);
  });

  it('R6: remove deletes the folder and leaves other servers', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    for (const name of ['one', 'two']) await sync(registry, someCatalogue(name));
    expect(await registry.remove('one')).toBe(true);
    expect(await registry.remove('one')).toBe(false);
    expect(registry.servers().value.map(({ name }) => name)).toEqual(['two']);
    expect(readdirSync(root).filter((name) => !name.startsWith('.'))).toEqual(['index.json', 'two']);
    for (const name of ['..', '.lock', 'index.json', 'two/tools']) expect(await registry.remove(name)).toBe(false);
  });

  it.runIf(posix)('R6: remove follows no link', async () => {
    const [root, outside] = [tempFolder(), tempFolder()];
    const registry = openRegistry(root);
    await sync(openRegistry(outside), someCatalogue('demo'));
    const before = bytes(outside);
    symlinkSync(join(outside, 'demo'), join(root, 'linked'));
    await sync(registry, someCatalogue('real'));
    symlinkSync(join(outside, 'demo', 'tools'), join(root, 'real', 'more'));
    expect([await registry.remove('linked'), await registry.remove('real')]).toEqual([true, true]);
    expect(bytes(outside)).toEqual(before);
    expect(readdirSync(root).filter((name) => !name.startsWith('.'))).toEqual(['index.json']);
  });
});

describe('applyLists', () => {
  const unread = { tools: undefined, resources: undefined, resourceTemplates: undefined, prompts: undefined };

  it('S11: changes the lists that were read, and nothing else', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    edit(join(root, 'demo', 'meta.json'), { instructions: 'Edited by hand.' });
    const lists = { ...unread, server: 'demo', tools: [someTool('echo'), someTool('added')] };
    const changes = await registry.applyLists(lists, { nowMs: nowMs + 1 });
    expect(changes).toMatchObject({ tools: { added: ['added'], removed: ['getSum'], unchanged: 1 }, meta: [] });
    expect(registry.server('demo').value?.tools.map(({ name }) => name)).toEqual(['added', 'echo']);
    expect(registry.prompts('demo').value).toHaveLength(1);
    expect(registry.meta('demo').value?.syncedAt).toBe(new Date(nowMs + 1).toISOString());
    // The next sync still knows that a person wrote the instructions.
    expect(await sync(registry, someCatalogue('demo'))).toMatchObject({ instructionsKept: true });
    expect(registry.meta('demo').value?.instructions).toBe('Edited by hand.');
  });

  it('S11: writes nothing where the lists are as stored, whatever their order', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    await sync(registry, someCatalogue('demo'));
    const all = (): unknown => [bytes(join(root, 'demo')), readFileSync(join(root, 'demo', 'meta.json'), 'utf8')];
    const before = all();
    const lists = {
      ...unread,
      server: 'demo',
      tools: [someTool('getSum'), someTool('echo')],
      prompts: [{ name: 'greet' }],
    };
    expect(await registry.applyLists(lists, { nowMs: nowMs + 1 })).toMatchObject({ tools: { unchanged: 2 } });
    expect(all()).toEqual(before);
  });

  it('S11: does nothing for a server that was never synced, or was written by hand', async () => {
    const root = tempFolder();
    const registry = openRegistry(root);
    const lists = { ...unread, server: 'demo', tools: [someTool('echo')] };
    expect(await registry.applyLists(lists, { nowMs })).toBeUndefined();
    expect(registry.servers().value).toEqual([]);
    await sync(registry, someCatalogue('demo'));
    edit(join(root, 'demo', 'meta.json'), { syncedFrom: 'manual' });
    expect(await registry.applyLists(lists, { nowMs })).toBeUndefined();
    expect(registry.tools('demo').value).toHaveLength(2);
  });
});
