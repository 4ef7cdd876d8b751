import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { canonicalPathSync, limits, serverNameProblem } from '../base/index.ts';
import { layered } from './layers.ts';
import type { ConfigView, Verdict } from './config-view.ts';
import { loadConfig } from './load.ts';
import { isInProject, type ProjectPlaces } from './project-files.ts';
import { loadProject } from './project.ts';

/** A user's home and a repository with these files; the working folder is `work/project/deep`. */
function places(files: Readonly<Record<string, string>>): ProjectPlaces & { readonly folder: string } {
  const folder = canonicalPathSync(tempFolder());
  const cwd = join(folder, 'work/project/deep');
  mkdirSync(join(folder, 'work/project/.git'), { recursive: true });
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const home = join(folder, 'home/.trestle');
  return { folder, cwd, userHome: join(folder, 'home'), serversFile: join(home, 'servers.json'), settingsFile: '' };
}

function servers(entries: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ mcpServers: entries });
}

function view(of: ProjectPlaces, verdict: (name: string) => Verdict): ConfigView {
  return layered({ user: loadConfig(of), project: loadProject(of), verdict: ({ name }) => verdict(name) });
}

const commandOf = (of: ConfigView, name: string): unknown => of.servers.get(name)?.transport;

describe('where a project asks for servers', () => {
  it('F4: the nearest file comes first, up to the root of the repository and no further', () => {
    const { definitions } = loadProject(
      places({
        'work/.mcp.json': servers({ outside: { command: 'x' } }),
        'work/project/.mcp.json': servers({ b: { command: 'x' } }),
        'work/project/deep/.trestle/servers.json': servers({ a: { command: 'x' }, b: { command: 'y' } }),
        'work/project/deep/.mcp.json': servers({ c: { url: 'https://example.com' } }),
      }),
    );
    expect(definitions.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'b']);
    expect(new Set(definitions.map(({ source }) => source.scope))).toEqual(new Set(['project']));
  });

  it('F4: outside of a repository only the working folder is looked at', () => {
    const outside = places({
      'work/.mcp.json': servers({ up: { command: 'x' } }),
      'elsewhere/x/.mcp.json': servers({ here: { command: 'x' } }),
    });
    const at = { ...outside, cwd: join(outside.folder, 'elsewhere/x') };
    expect(loadProject(at).definitions.map(({ name }) => name)).toEqual(['here']);
  });

  it("F4: the user's own file is no project file, also by a link", () => {
    const own = places({ 'home/.trestle/servers.json': servers({ mine: { command: 'x' } }) });
    expect(loadProject({ ...own, cwd: own.userHome }).definitions).toEqual([]);
    const linked = join(own.folder, 'work/project/.trestle');
    symlinkSync(dirname(own.serversFile), linked);
    expect(loadProject(own)).toMatchObject({ definitions: [], notices: [] });
  });

  it("F4: with Pi's files the project's is .pi/mcp-servers.json", () => {
    const pi = places({
      'work/project/.pi/mcp-servers.json': servers({ pi: { command: 'x' } }),
      'work/project/.trestle/servers.json': servers({ trestle: { command: 'x' } }),
    });
    const { definitions } = loadProject({ ...pi, serversFile: join(pi.userHome, '.pi/agent/mcp-servers.json') });
    expect(definitions.map(({ name }) => name)).toEqual(['pi']);
  });

  it('K2: what the environment names in a repository around a submodule is of the project, too', () => {
    const at = places({ 'home/x': '', 'work/project/lib/.git': 'gitdir: ../.git/modules/lib' });
    const home = join(at.folder, 'work/project/home');
    mkdirSync(home);
    const moved = {
      ...at,
      cwd: join(at.folder, 'work/project/lib'),
      serversFile: join(home, 'servers.json'),
      isOfProject: true,
    };
    writeFileSync(moved.serversFile, servers({ evil: { command: 'x' } }));
    expect(isInProject(home, moved)).toBe(true);
    expect(isInProject(join(at.folder, 'work/other'), moved)).toBe(false);
    expect(loadProject(moved).definitions.map(({ name, source }) => [name, source.scope])).toEqual([
      ['evil', 'project'],
    ]);
  });

  it("K2: what the environment names inside the project is the project's; a folder that holds the home is no project", () => {
    const at = places({ 'home/x': '' });
    const inside = join(at.folder, 'work/project/sub/home');
    expect(isInProject(inside, at)).toBe(true);
    expect(isInProject(join(at.folder, 'work/other'), at)).toBe(false);
    expect(isInProject(join(at.userHome, '.config'), { ...at, cwd: at.userHome })).toBe(false);
    symlinkSync(join(at.folder, 'work/project'), join(at.folder, 'home/link'));
    expect(isInProject(join(at.folder, 'home/link/sub'), at)).toBe(true);
    const moved = { ...at, serversFile: join(inside, 'servers.json'), isOfProject: true };
    mkdirSync(inside, { recursive: true });
    writeFileSync(moved.serversFile, servers({ evil: { command: 'x' } }));
    expect(loadConfig(moved).servers.size).toBe(0);
    expect(loadProject(moved).definitions.map(({ name, source }) => [name, source.scope])).toEqual([
      ['evil', 'project'],
    ]);
  });
});

describe('project files that are of no use', () => {
  const own = { 'home/.trestle/servers.json': servers({ mine: { command: 'x' } }) };

  it.each([
    ['broken', '{ "mcpServers": {"secret": '],
    ['no object', '[]'],
    ['far too large', ' '.repeat(limits.namedFileBytes + 1)],
    [
      'full of servers',
      servers(
        Object.fromEntries(Array.from({ length: limits.projectServers + 1 }, (_, at) => [`s${at}`, { command: 'x' }])),
      ),
    ],
    ['of another shape', '{"mcpServers": []}'],
  ])('K2: one that is %s is one line, and all else works', (_, text) => {
    const at = places({
      ...own,
      'work/project/deep/.mcp.json': text,
      'work/project/.mcp.json': servers({ good: { command: 'x' } }),
    });
    const { definitions, notices } = loadProject(at);
    expect(definitions.map(({ name }) => name)).toEqual(['good']);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(join(at.cwd, '.mcp.json'));
    expect(notices[0]).not.toContain('secret');
    expect([...view(at, () => 'not approved').servers.keys()]).toEqual(['mine']);
  });

  it('K2: a pipe, a device, a folder and a link out of the project are lines, and nothing waits for them', () => {
    const at = places({ ...own, 'elsewhere.json': servers({ out: { command: 'x' } }) });
    mkdirSync(join(at.cwd, '.trestle'));
    execFileSync('mkfifo', [join(at.cwd, '.trestle/servers.json')]);
    symlinkSync(join(at.folder, 'elsewhere.json'), join(at.cwd, '.mcp.json'));
    mkdirSync(join(at.folder, 'work/project/.mcp.json'));
    symlinkSync('/dev/zero', join(at.folder, 'work/project/.trestle'));
    const { definitions, notices } = loadProject(at);
    expect(definitions).toEqual([]);
    expect(notices).toHaveLength(4);
    expect(notices[1]).toMatch(/is not used: it is a link that leads out of the project\. Its servers are left out\.$/);
  });

  it("K2: one bad entry is told by its name and costs nobody else anything, a user's own server of that name least", () => {
    const at = places({
      ...own,
      'work/project/.mcp.json': servers({
        mine: { command: 5 },
        bad: { url: '' },
        MINE: { command: 'x' },
        good: { command: 'x' },
      }),
    });
    const seen = view(at, () => 'approved');
    expect([...seen.servers.keys()]).toEqual(['good', 'mine']);
    expect(commandOf(seen, 'mine')).toMatchObject({ command: 'x' });
    expect([...seen.broken.keys()].sort()).toEqual(['MINE', 'bad']);
    expect(seen.notices.join()).toContain('Server "mine" in');
  });

  it('K2: a project decides neither that its server is kept connected nor that others share it', () => {
    const at = places({
      'work/project/.mcp.json': servers({ a: { command: 'x', lifecycle: 'keep-alive', sharing: 'shared' } }),
    });
    const { definitions, notices } = loadProject(at);
    expect(definitions[0]).toMatchObject({ lifecycle: 'lazy', sharing: 'scope' });
    expect(notices).toEqual([expect.stringMatching(/not for a project to say: a\.lifecycle, a\.sharing\.$/)]);
  });
});

describe('layers', () => {
  const both = (): ProjectPlaces =>
    places({
      'home/.trestle/servers.json': servers({ web: { command: 'own' }, mine: { command: 'own' } }),
      'work/project/.mcp.json': servers({ web: { command: 'far' }, new: { command: 'far' } }),
      'work/project/deep/.mcp.json': servers({ web: { command: 'near' } }),
    });

  it("K2: what is not approved waits and never stands in for a user's own server", () => {
    const seen = view(both(), () => 'not approved');
    expect([...seen.servers.keys()]).toEqual(['mine', 'web']);
    expect(commandOf(seen, 'web')).toMatchObject({ command: 'own' });
    expect([...seen.waiting].map(([name, { why }]) => [name, why])).toEqual([
      ['new', 'not approved'],
      ['web', 'not approved'],
    ]);
    expect(seen.waiting.get('web')?.definition.transport).toMatchObject({ command: 'near' });
  });

  it("F4: the nearest approved one of a name is in force, over the user's too", () => {
    const at = both();
    expect(
      commandOf(
        view(at, () => 'approved'),
        'web',
      ),
    ).toMatchObject({ command: 'near' });
    const project = loadProject(at);
    const far = layered({
      user: loadConfig(at),
      project,
      verdict: ({ source }) => (source.file?.includes('deep') === true ? 'changed since approval' : 'approved'),
    });
    expect(commandOf(far, 'web')).toMatchObject({ command: 'far' });
    expect(far.waiting.get('web')).toMatchObject({ why: 'changed since approval' });
  });

  it('K2: a disabled entry hides nobody and asks for nothing', () => {
    const at = places({
      'home/.trestle/servers.json': servers({ web: { command: 'own' } }),
      'work/project/.mcp.json': servers({
        web: { command: 'x', enabled: false },
        other: { command: 'x', enabled: false },
      }),
    });
    const seen = view(at, () => 'approved');
    expect([...seen.servers.values()].map(({ name, enabled }) => [name, enabled])).toEqual([
      ['other', false],
      ['web', true],
    ]);
    expect(seen.waiting.size).toBe(0);
  });

  it("R3: two projects' servers of one name have folders of their own in the registry", () => {
    const [one, other] = [both(), both()].map((at) => loadProject(at).definitions[0]?.registryName);
    expect(one).toMatch(/^web\.[0-9a-f]{8}$/);
    expect(other).not.toBe(one);
  });

  it('R3: so have two servers of one project whose long names begin alike', () => {
    const long = 'a'.repeat(limits.serverNameCharacters - 1);
    const at = places({
      'work/project/.mcp.json': servers({ [`${long}1`]: { command: 'x' }, [`${long}2`]: { command: 'y' } }),
    });
    const [one = '', other = ''] = loadProject(at).definitions.map(({ registryName }) => registryName);
    expect(one).not.toBe(other);
    expect([one, other].map(serverNameProblem)).toEqual([undefined, undefined]);
  });
});

it("K3: what a user's own entry denies a project's entry of that name does not allow", () => {
  const at = places({
    'home/.trestle/servers.json': servers({
      web: { command: 'own', tools: { allow: ['read*'], deny: ['read_secret'], ask: ['x'] } },
    }),
    'work/project/.mcp.json': servers({ web: { command: 'x', tools: { allow: ['*'], deny: ['more'] } } }),
  });
  expect(view(at, () => 'approved').servers.get('web')?.tools).toEqual({
    allow: ['read*'],
    deny: ['read_secret', 'more'],
    ask: ['x'],
  });
});
