import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type Launch, launcherState, resolveLaunch } from './launcher.ts';

function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}

/** A cache folder as npx makes it. */
function cachePackage(cache: string, spec: string, manifest: { name: string; version: string; bin?: unknown }): string {
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
      ['..'],
      ['server.tgz'],
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

describe('the program of a cached package', () => {
  const server = { name: '@scope/server', version: '1.2.3', bin: { other: 'other.js', server: 'main.js' } };
  const hour = 3_600_000;

  interface Cached {
    readonly home: string;
    readonly tree: string;
    readonly folder: string;
    readonly launch: (command: string, args: readonly string[], platform?: string) => Launch;
    /** When the launcher ran for which folder. */
    readonly runs: Map<string, number>;
  }

  /** A package with a script for Node.js and a text for a shell, installed `hours` ago. */
  function cached(
    spec: string,
    manifest: { name: string; version: string; bin?: unknown } = server,
    hours = 1,
  ): Cached {
    const home = tempFolder();
    const tree = cachePackage(join(home, '.npm'), spec, manifest);
    const folder = join(tree, 'node_modules', manifest.name);
    write(join(folder, 'main.js'), '#!/usr/bin/env node\n');
    write(join(folder, 'other.js'), '#!/usr/bin/env node\n');
    write(join(folder, 'plain.mjs'), '');
    write(join(folder, 'shell'), '#!/bin/sh\n');
    write(join(folder, 'bun.js'), '#!/usr/bin/env bun\n');
    write(join(tree, 'outside.js'), '#!/usr/bin/env node\n');
    age(join(tree, 'node_modules/.package-lock.json'), hours);
    const cwd = join(home, 'project');
    mkdirSync(cwd);
    const env = { HOME: home, PATH: '/bin', OWN: 'x' };
    const runs = new Map<string, number>();
    const memory = { ranAtMs: (of: string) => runs.get(of) };
    return {
      home,
      tree,
      folder,
      runs,
      launch: (command, args, platform = 'linux') =>
        resolveLaunch({ kind: 'stdio', command, args, env, cwd }, { nowMs: Date.now(), platform, memory }),
    };
  }

  function age(path: string, hours: number): void {
    write(path, '{}');
    const seconds = (Date.now() - hours * hour) / 1000;
    utimesSync(path, seconds, seconds);
  }

  it.each([
    ['-y', '@scope/server'],
    ['--yes', '@scope/server@latest'],
    ['-y', '--', '@scope/server@1.2.3'],
    ['@scope/server'],
  ])('T9: npx %s %s is started with this Node.js, its arguments and environment unchanged', (...args) => {
    const { launch, folder, tree, home } = cached(args.at(-1) ?? '');
    const rest = ['-y', 'a b', '--', '--package'];
    const path = [join(tree, 'node_modules', '.bin'), '/bin'].join(delimiter);
    const program = {
      file: process.execPath,
      args: [join(folder, 'main.js'), ...rest],
      env: { HOME: home, PATH: path, OWN: 'x' },
    };
    expect(launch('npx', [...args, ...rest])).toEqual({ program });
    expect(launch('npx.cmd', [...args, ...rest], 'win32')).toEqual({ program });
  });

  it.each([
    ['npx', ['-p', 'server', 'server']],
    ['npx', ['--package=server', 'server']],
    ['npx', ['-c', 'server']],
    ['npx', ['--no', 'server']],
    ['npx', ['server@^1.0.0']],
    ['npx', ['server@next']],
    ['npx', ['github:a/server']],
    ['npx', ['https://example.com/server.tgz']],
    ['npx', ['./server']],
    ['npx', []],
    ['npm', ['exec', 'server']],
    ['pnpm', ['dlx', 'server']],
    ['bunx', ['server']],
    ['uvx', ['server']],
    ['./npx', ['server']],
    ['/opt/wrappers/npx', ['server']],
    ['node', ['server']],
  ])('T9: %s %j is left to the launcher', (command, args) => {
    const { launch, home } = cached('server', { ...server, name: 'server' });
    expect(launch('npx', ['server'])).toHaveProperty('program');
    // Whatever the spec, a folder as npx would make for it is there.
    for (const spec of args) {
      const other = cachePackage(join(home, '.npm'), spec, { ...server, name: 'server' });
      write(join(other, 'node_modules/server/main.js'), '#!/usr/bin/env node\n');
      age(join(other, 'node_modules/.package-lock.json'), 1);
    }
    expect(launch(command, args)).toEqual({});
  });

  it("T9: npm's own npx may be given by its path", () => {
    const { launch, home } = cached('@scope/server');
    write(join(home, 'npm/bin/npx-cli.js'), '');
    symlinkSync(join(home, 'npm/bin/npx-cli.js'), join(home, 'npx'));
    expect(launch(join(home, 'npx'), ['@scope/server'])).toHaveProperty('program');
  });

  it.each([
    ['another name', { _name: 'else' }],
    ['another version', { version: '1.2.4' }],
    ['no program', { bin: undefined }],
    ['a missing program', { bin: 'missing.js' }],
    ['a folder', { bin: '.' }],
    ['a program outside the package', { bin: '../../../outside.js' }],
    ['a link that leads out of the package', { bin: 'link.js' }],
    ['two programs, none named like it', { bin: { a: 'main.js', b: 'other.js' } }],
    ['a program that is no path', { bin: { server: 7 } }],
  ])('T9: a package.json that says %s is refused', (_, lie) => {
    const { launch, folder, tree } = cached('@scope/server@1.2.3');
    expect(launch('npx', ['@scope/server@1.2.3'])).toHaveProperty('program');
    symlinkSync(join(tree, 'outside.js'), join(folder, 'link.js'));
    const { _name: name = server.name, ...rest } = lie as { _name?: string };
    write(join(folder, 'package.json'), { ...server, name, ...rest });
    expect(launch('npx', ['@scope/server@1.2.3'])).toEqual({});
  });

  it.each([
    ['plain.mjs', 'node', 'node'],
    ['shell', 'itself', 'launcher'],
    ['bun.js', 'itself', 'launcher'],
  ])('T9: %s is started by %s, on Windows by %s', (bin, unix, windows) => {
    const { launch, folder } = cached('server', { name: 'server', version: '1.0.0', bin });
    const file = join(folder, bin);
    const expected = { node: [process.execPath, file], itself: [file], launcher: [] };
    const started = (platform: string): readonly string[] => {
      const { program } = launch('npx', ['server'], platform);
      return program === undefined ? [] : [program.file, ...program.args];
    };
    expect(started('linux')).toEqual(expected[unix as keyof typeof expected]);
    expect(started('win32')).toEqual(expected[windows as keyof typeof expected]);
  });

  it('T9: without exact version it is believed for a day, then the launcher runs once', () => {
    for (const spec of ['@scope/server', '@scope/server@latest']) {
      expect(cached(spec, server, 23).launch('npx', [spec])).toHaveProperty('program');
      const { launch, tree, runs } = cached(spec, server, 25);
      expect(launch('npx', [spec])).toEqual({ runsFor: tree });
      runs.set(tree, Date.now() - 23 * hour);
      expect(launch('npx', [spec])).toHaveProperty('program');
      for (const hours of [25, -25]) {
        runs.set(tree, Date.now() - hours * hour);
        expect(launch('npx', [spec])).toEqual({ runsFor: tree });
      }
    }
    expect(cached('@scope/server@1.2.3', server, 9999).launch('npx', ['@scope/server@1.2.3'])).toHaveProperty(
      'program',
    );
  });

  it("T9: it is never looked for in the working folder's project, whose package says nothing about the cache either", () => {
    const fresh = cached('@scope/server');
    const project = (home: string): void => {
      write(join(home, 'project/node_modules/@scope/server/package.json'), server);
      write(join(home, 'project/node_modules/@scope/server/main.js'), '#!/usr/bin/env node\n');
      write(join(home, 'project/.npmrc'), `cache=${join(home, 'project')}\n`);
      // A cache of its own, as whoever wrote the project would make it.
      const tree = cachePackage(join(home, 'project'), '@scope/server', server);
      write(join(tree, 'node_modules/@scope/server/main.js'), '#!/usr/bin/env node\n');
      age(join(tree, 'node_modules/.package-lock.json'), 1);
    };
    project(fresh.home);
    expect(fresh.launch('npx', ['@scope/server']).program?.args).toEqual([join(fresh.folder, 'main.js')]);
    expect(fresh.launch('npx', ['@scope/server@1.2.3'])).toEqual({});
    const stale = cached('@scope/server', server, 25);
    project(stale.home);
    expect(stale.launch('npx', ['@scope/server'])).toEqual({});
  });
});
