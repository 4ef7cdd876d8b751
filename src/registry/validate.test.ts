import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { someCatalogue } from '../../test/support/catalogue.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { listFolderSync, parseJson } from '../base/index.ts';
import { findingError, openRegistry, type Registry } from './index.ts';

async function synced(): Promise<{ readonly registry: Registry; readonly folder: string }> {
  const root = tempFolder();
  const registry = openRegistry(root);
  await registry.apply(someCatalogue('demo'), { nowMs: 1 });
  return { registry, folder: join(root, 'demo') };
}

function edit(file: string, change: (value: Record<string, unknown>) => void): void {
  const value = parseJson(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(value);
  writeFileSync(file, JSON.stringify(value));
}

describe('validate', () => {
  it('R2, R5: a file nested without end is a finding like any other, and the next sync repairs it', async () => {
    const { registry, folder } = await synced();
    const [name = ''] = listFolderSync(join(folder, 'tools'));
    const file = join(folder, 'tools', name);
    const { name: tool } = parseJson(readFileSync(file, 'utf8')) as { readonly name: string };
    writeFileSync(file, `{"name": "${tool}", "inputSchema": ${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`);
    expect(await registry.validate()).toMatchObject([{ file, problem: 'is nested too deeply' }]);
    await registry.apply(someCatalogue('demo'), { nowMs: 2 });
    expect(await registry.validate()).toEqual([]);
  });

  it('R5: a synced registry has no findings', async () => {
    const { registry } = await synced();
    expect(await registry.validate()).toEqual([]);
  });

  it.each([
    [
      'meta.json',
      '/lifecycle/idleTimeoutMinutes',
      (v: Record<string, unknown>) =>
        (v['lifecycle'] = { mode: 'lazy', idleTimeoutMinutes: 'ten', requestTimeoutMs: 0 }),
    ],
    ['meta.json', '/transport', (v: Record<string, unknown>) => delete v['transport']],
    ['meta.json', '/transport/url', (v: Record<string, unknown>) => (v['transport'] = { kind: 'http', headers: {} })],
    ['meta.json', '/transport/kind', (v: Record<string, unknown>) => (v['transport'] = { kind: 'pigeon' })],
    ['meta.json', '/capabilities', (v: Record<string, unknown>) => (v['capabilities'] = 'all')],
    ['meta.json', '/name', (v: Record<string, unknown>) => (v['name'] = 'other')],
    ['meta.json', '/syncedAt', (v: Record<string, unknown>) => (v['syncedAt'] = 'yesterday')],
    ['tools/echo.json', '/inputSchema', (v: Record<string, unknown>) => (v['inputSchema'] = 'none')],
    ['tools/echo.json', '/name', (v: Record<string, unknown>) => delete v['name']],
    ['tools/echo.json', '/description', (v: Record<string, unknown>) => (v['description'] = 7)],
    ['tools/getsum~cc3ecc60d47b7c5ad8c5.json', '/name', (v: Record<string, unknown>) => (v['name'] = 'echo')],
    ['resources.json', '/resources/0/uri', (v: Record<string, unknown>) => (v['resources'] = [{ name: 'x' }])],
    ['prompts.json', '', (v: Record<string, unknown>) => (v['prompts'] = 'none')],
  ])('R5: %s: a wrong %s is reported with file and field', async (file, field, change) => {
    const { registry, folder } = await synced();
    const path = file.startsWith('tools/getsum')
      ? join(folder, 'tools', listFolderSync(join(folder, 'tools')).find((name) => name.startsWith('getsum')) ?? '')
      : join(folder, file);
    edit(path, change);
    const findings = await registry.validate();
    expect(findings).toMatchObject([{ server: 'demo', file: path, field, severity: 'error' }]);
  });

  it('R5: a meta.json of another program, or of a person, lacks nothing but what says how the server is reached', async () => {
    const { registry, folder } = await synced();
    const file = join(folder, 'meta.json');
    const transport = { kind: 'stdio', command: 'demo-server' };
    writeFileSync(file, JSON.stringify({ name: 'demo', transport, lifecycle: { mode: 'lazy' }, syncedFrom: 'manual' }));
    expect(await registry.validate()).toEqual([]);
    writeFileSync(file, JSON.stringify({ name: 'demo', transport: { kind: 'stdio' } }));
    expect(await registry.validate()).toMatchObject([{ file, field: '/transport/command', problem: 'is missing' }]);
  });

  it('R5: a field is named by its JSON Pointer, whatever its name', async () => {
    const { registry, folder } = await synced();
    edit(join(folder, 'meta.json'), (meta) => {
      (meta['transport'] as Record<string, unknown>)['env'] = { 'a/b~c': 1 };
    });
    expect((await registry.validate())[0]?.field).toBe('/transport/env/a~1b~0c');
  });

  it('R5: a meta.json without digest is valid, and so are unknown members', async () => {
    const { registry, folder } = await synced();
    edit(join(folder, 'meta.json'), (meta) => {
      delete meta['digest'];
      delete meta['instructionsDigest'];
      meta['x-mine'] = { any: ['thing'] };
    });
    edit(join(folder, 'tools', 'echo.json'), (tool) => (tool['x-mine'] = 1));
    expect(await registry.validate()).toEqual([]);
  });

  it('R2: an edited file is worth a warning', async () => {
    const { registry, folder } = await synced();
    edit(join(folder, 'tools', 'echo.json'), (tool) => (tool['description'] = 'mine'));
    expect(await registry.validate()).toMatchObject([
      { file: join(folder, 'meta.json'), field: '/digest', severity: 'note' },
    ]);
  });

  it('R2: a truncated file is reported, the others are still checked', async () => {
    const { registry, folder } = await synced();
    writeFileSync(join(folder, 'tools', 'echo.json'), '{"name":');
    edit(join(folder, 'prompts.json'), (file) => (file['prompts'] = [{}]));
    expect((await registry.validate()).map(({ file, field }) => [file, field])).toEqual([
      [join(folder, 'tools', 'echo.json'), ''],
      [join(folder, 'prompts.json'), '/prompts/0/name'],
    ]);
  });

  it('R5: rebuilds the index', async () => {
    const { registry, folder } = await synced();
    const index = join(folder, '..', 'index.json');
    edit(index, (value) => {
      (value['servers'] as { description: string }[]).forEach((server) => (server.description = 'forged'));
    });
    await registry.validate();
    expect(readFileSync(index, 'utf8')).not.toContain('forged');
  });

  it('a finding becomes an error that names file and field', () => {
    const finding = {
      server: 'demo',
      file: '/r/demo/meta.json',
      field: '/name',
      problem: 'is missing',
      severity: 'error',
    } as const;
    expect(findingError(finding)).toMatchObject({
      code: 'registry_invalid',
      message: '/r/demo/meta.json at /name is missing.',
      server: 'demo',
    });
  });
});

describe('published schemas', () => {
  const folder = join(import.meta.dirname, '../../schemas');

  it('R5: accept what a sync writes and refuse what validate refuses', async () => {
    const { folder: server } = await synced();
    const check = (name: string, file: string): boolean =>
      new Ajv2020({ strict: false, validateFormats: false }).validate(
        parseJson(readFileSync(join(folder, `registry-${name}.schema.json`), 'utf8')) as object,
        parseJson(readFileSync(file, 'utf8')),
      );
    expect(check('meta', join(server, 'meta.json'))).toBe(true);
    expect(check('tool', join(server, 'tools', 'echo.json'))).toBe(true);
    expect(check('resources', join(server, 'resources.json'))).toBe(true);
    expect(check('prompts', join(server, 'prompts.json'))).toBe(true);
    expect(check('index', join(server, '..', 'index.json'))).toBe(true);
    edit(join(server, 'meta.json'), (meta) => (meta['capabilities'] = 'all'));
    expect(check('meta', join(server, 'meta.json'))).toBe(false);
  });
});
