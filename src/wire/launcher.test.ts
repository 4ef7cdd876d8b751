import { mkdirSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { launcherState } from './launcher.ts';

function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}

/** A cache folder as npx makes it. */
function cachePackage(cache: string, spec: string, manifest: { name: string; version: string }): string {
  const folder = join(cache, '_npx', hash('sha512', spec, 'hex').slice(0, 16));
  write(join(folder, 'package.json'), { dependencies: {}, _npx: { packages: [spec] } });
  write(join(folder, 'node_modules', manifest.name, 'package.json'), manifest);
  return folder;
}

function state(command: string, args: readonly string[], home: string): string {
  return launcherState({ kind: 'stdio', command, args, env: { HOME: home }, cwd: join(home, 'empty') });
}

const manifest = { name: '@scope/server', version: '1.2.3' };

describe("npx's cache", () => {
  it.each(['@scope/server', '@scope/server@latest', '@scope/server@1.2.3'])('T9: %s is found in it', (spec) => {
    const home = tempFolder();
    cachePackage(join(home, '.npm'), spec, manifest);
    expect(state('npx', ['-y', spec, 'more', '-p'], home)).toBe('cached');
    expect(state('/usr/bin/npx', [spec], home)).toBe('cached');
    expect(state('npm', ['exec', '--yes', '--', spec], home)).toBe('cached');
  });

  it('T9: another spec of the same package, another version, a lock or a missing package is not the one asked for', () => {
    const home = tempFolder();
    const cache = join(home, '.npm');
    cachePackage(cache, '@scope/server', manifest);
    expect(state('npx', ['@scope/server@1.2.3'], home)).toBe('uncached');
    cachePackage(cache, '@scope/server@1.2.4', manifest);
    expect(state('npx', ['@scope/server@1.2.4'], home)).toBe('uncached');
    write(join(cachePackage(cache, 'locked', { name: 'locked', version: '1.0.0' }), 'concurrency.lock'), '');
    expect(state('npx', ['locked'], home)).toBe('uncached');
    write(join(cache, '_npx', hash('sha512', 'half', 'hex').slice(0, 16), 'package.json'), {
      _npx: { packages: ['half'] },
    });
    expect(state('npx', ['half'], home)).toBe('uncached');
  });

  it('T9: what cannot be decided is uncached', () => {
    const home = tempFolder();
    cachePackage(join(home, '.npm'), 'server', { name: 'server', version: '1.0.0' });
    for (const args of [
      [],
      ['--package', 'server', 'bin'],
      ['server@^1.0.0'],
      ['github:a/b'],
      ['./server'],
      ['../server'],
    ]) {
      expect([args, state('npx', args, home)]).toEqual([args, 'uncached']);
    }
    write(join(home, '.npm', '_npx', hash('sha512', 'broken', 'hex').slice(0, 16), 'package.json'), '{"_npx":');
    expect(state('npx', ['broken'], home)).toBe('uncached');
  });

  it('T9: is where the environment or .npmrc says', () => {
    const home = tempFolder();
    cachePackage(join(home, 'a'), 'server', { name: 'server', version: '1.0.0' });
    expect(state('npx', ['server'], home)).toBe('uncached');
    const env = { HOME: home, NPM_CONFIG_CACHE: join(home, 'a') };
    expect(launcherState({ kind: 'stdio', command: 'npx', args: ['server'], env, cwd: home })).toBe('cached');
    write(join(home, '.npmrc'), 'fund=false\ncache = ${HOME}/a\n');
    expect(state('npx', ['server'], home)).toBe('cached');
  });
});

it("T9: a project's own package is cached: any version for a bare name, the same for an exact one", () => {
  const home = tempFolder();
  write(join(home, 'node_modules/server/package.json'), { name: 'server', version: '1.0.0' });
  expect(state('npx', ['server'], home)).toBe('cached');
  expect(state('npx', ['server@1.0.0'], home)).toBe('cached');
  expect(state('npx', ['server@1.0.1'], home)).toBe('uncached');
  expect(state('npx', ['server@latest'], home)).toBe('uncached');
  write(join(home, 'empty/package.json'), {});
  expect(state('npx', ['server'], home)).toBe('uncached');
});

it.each([
  ['node', ['npx'], 'none'],
  ['npm', ['run', 'x'], 'none'],
  ['uv', ['run', 'x'], 'none'],
  ['uvx', ['x'], 'uncached'],
  [String.raw`C:\node\npx.cmd`, ['x'], 'uncached'],
  ['pnpm', ['dlx', 'x'], 'uncached'],
])('T9: %s %j is %s', (command, args, expected) => expect(state(command, args, tempFolder())).toBe(expected));
