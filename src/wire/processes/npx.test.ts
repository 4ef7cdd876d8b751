/** Servers that are configured as `npx PACKAGE`, with a cache as npx makes it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everythingVersion, fakeNpx, type NpxCache, npxCacheOfEverything } from '../../../test/support/npx-cache.ts';
import { processesWithEnvironment } from '../../../test/support/processes.ts';
import { openTestLink, testKeeper } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { StdioEndpoint } from '../endpoint.ts';
import type { LauncherMemory } from './launcher.ts';

interface Npx {
  readonly endpoint: StdioEndpoint;
  /** The arguments of each run of npx, one line each. */
  readonly runs: () => string;
  /** Living processes of the server's tree. */
  readonly processes: () => readonly number[];
}

function npx({ cache, spec }: NpxCache, ...args: readonly string[]): Npx {
  const { folder, ran } = fakeNpx();
  const mark = crypto.randomUUID();
  const cwd = tempFolder();
  // A project of its own: one above it that has the package would be npx's first choice.
  writeFileSync(join(cwd, 'package.json'), '{}');
  const endpoint: StdioEndpoint = {
    kind: 'stdio',
    command: 'npx',
    args: ['-y', spec, ...args],
    env: { PATH: [folder, process.env['PATH']].join(delimiter), npm_config_cache: cache, TEST_MARK: mark },
    cwd,
  };
  return {
    endpoint,
    runs: () => (existsSync(ran) ? readFileSync(ran, 'utf8') : ''),
    processes: () => processesWithEnvironment(`TEST_MARK=${mark}`),
  };
}

function memory(): LauncherMemory {
  const runs = new Map<string, number>();
  return { ranAtMs: (folder) => runs.get(folder), ran: (folder, atMs) => void runs.set(folder, atMs) };
}

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

describe.runIf(process.platform === 'linux')('npx', () => {
  it.each([undefined, 'latest', everythingVersion])(
    'T9: a cached package is one process, of the program itself, with our marks (%s)',
    async (tag) => {
      const { endpoint, runs, processes } = npx(npxCacheOfEverything(tag, 1), 'stdio');
      const { link, request } = await openTestLink(endpoint);
      await expect(request('initialize', hello)).resolves.toHaveProperty('result');
      expect(processes()).toEqual([link.pid]);
      const [entry = ''] = readFileSync(`/proc/${link.pid}/environ`, 'utf8').match(/TRESTLE_TREE=[^\0]+/) ?? [];
      expect(processesWithEnvironment(entry)).toEqual([link.pid]);
      expect(readFileSync(`/proc/${link.pid}/cmdline`, 'utf8').split('\0').slice(2)).toEqual(['stdio', '']);
      expect(runs()).toBe('');
      await link.close();
      expect(processes()).toEqual([]);
    },
  );

  it('T9: a package without exact version that was not looked up for a day goes through npx, once', async () => {
    const cache = npxCacheOfEverything(undefined, 25);
    const files = readdirSync(cache.tree, { recursive: true });
    const { endpoint, runs, processes } = npx(cache);
    const keeper = testKeeper(memory());
    const first = await openTestLink(endpoint, keeper);
    await first.request('initialize', hello);
    expect(processes()).toHaveLength(2);
    await first.link.close();
    expect(processes()).toEqual([]);
    expect(readdirSync(cache.tree, { recursive: true })).toEqual(files);
    const second = await openTestLink(endpoint, keeper);
    await second.request('initialize', hello);
    expect(processes()).toEqual([second.link.pid]);
    expect(runs()).toBe(`-y ${cache.spec}\n`);
  });

  it('T9: an npx that fails is no look for a newer version', async () => {
    const cache = npxCacheOfEverything(undefined, 25);
    const { endpoint } = npx(cache);
    const folder = tempFolder();
    writeFileSync(join(folder, 'npx'), '#!/bin/sh\necho error >&2\necho sorry\nexit 1\n', { mode: 0o755 });
    const launchers = memory();
    const { ended } = await openTestLink(
      { ...endpoint, env: { ...endpoint.env, PATH: `${folder}:/usr/bin:/bin` } },
      testKeeper(launchers),
    );
    await expect(ended).resolves.toMatchObject({ code: 'server_exited' });
    expect(launchers.ranAtMs(cache.tree)).toBeUndefined();
  });

  it('T9: an exact version that is not the cached one goes through npx, and its tree is ended with it', async () => {
    const cache = npxCacheOfEverything(everythingVersion, 1);
    const { endpoint, runs, processes } = npx({ ...cache, spec: cache.spec.replace(everythingVersion, '0.0.1') });
    const { link, request } = await openTestLink(endpoint);
    await request('initialize', hello);
    expect(runs()).toContain('@0.0.1');
    expect(processes()).toHaveLength(2);
    await link.close();
    expect(processes()).toEqual([]);
  });

  it('T9: errors name what was configured, not what was started', async () => {
    const { endpoint } = npx(npxCacheOfEverything(undefined, 1));
    await expect(openTestLink({ ...endpoint, cwd: join(endpoint.cwd, 'gone') })).rejects.toMatchObject({
      code: 'cwd_not_found',
    });
    await expect(openTestLink({ ...endpoint, args: [...endpoint.args, 'a\0b'] })).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('"npx"') as string,
    });
  });
});
