import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serversSchema } from '../../scripts/servers-schema.ts';
import { projectRoot } from '../../test/support/project-files.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { loadConfig } from './load.ts';
import { loadSettings } from './settings.ts';

function isLoaded(contents: object): boolean {
  const serversFile = join(tempFolder(), 'servers.json');
  writeFileSync(serversFile, JSON.stringify(contents));
  return loadConfig({ serversFile, settingsFile: '' }).broken.size === 0;
}

describe('the published schema', () => {
  it.each([
    { mcpServers: {} },
    { mcpServers: { a: { command: 'x', args: ['y'], env: { A: '${B}' }, cwd: '.', timeout: 5, unknown: 1 } } },
    { mcpServers: { a: { url: 'https://x', headers: { A: 'b' }, transport: 'sse', redirects: 'none', type: 'sse' } } },
    {
      mcpServers: {
        a: { command: 'x', lifecycle: 'keep-alive', sharing: 'shared', protocol: 'modern', tools: { deny: ['x'] } },
      },
    },
    {
      mcpServers: { a: { command: 'x', auth: false, transport: 'stdio' }, b: { command: 'x', auth: { type: 'none' } } },
    },
    { mcpServers: { a: { url: 'https://x', auth: false }, b: { url: 'https://x', auth: 'oauth' } } },
    { mcpServers: { a: { url: 'https://x', auth: { clientId: 'a', scopes: ['b'], redirectPort: 80, dpop: true } } } },
    { mcp: { a: { type: 'remote', url: 'https://x', oauth: { clientId: 'a', clientSecret: 'b', scope: 'c' } } } },
    { mcp: { a: { type: 'local', command: ['x'] }, b: { type: 'remote', url: 'https://x', oauth: false } } },
  ])('F3: takes what is taken: %j', (contents) => {
    expect([serversSchema.safeParse(contents).success, isLoaded(contents)]).toEqual([true, true]);
  });

  it.each([
    { mcpServers: { a: {} } },
    { mcpServers: { a: { command: '' } } },
    { mcpServers: { a: { command: 'x', args: 'y' } } },
    { mcpServers: { a: { command: 'x', env: { A: 1 } } } },
    { mcpServers: { a: { command: 'x', env: { 'A=b': '' } } } },
    { mcpServers: { a: { command: 'x', env: { '': 'a' } } } },
    { mcpServers: { a: { url: 'https://x', headers: { 'a b': 'c' } } } },
    { mcp: { a: { type: 'local', command: ['x'], environment: { 'A=b': '' } } } },
    { mcp: { a: { type: 'remote', url: 'https://x', headers: { 'a b': 'c' } } } },
    { mcpServers: { a: { command: 'x', timeout: 0 } } },
    { mcpServers: { a: { url: 'https://x', transport: 'pigeon' } } },
    { mcpServers: { a: { command: 'x', lifecycle: 'never' } } },
    { mcpServers: { a: { url: 'https://x', auth: 5 } } },
    { mcpServers: { a: { command: 'x', auth: 'oauth' } } },
    { mcpServers: { a: { command: 'x', auth: { clientId: 'a' } } } },
    { mcpServers: { a: { url: 'https://x', auth: { type: 'magic' } } } },
    { mcpServers: { a: { url: 'https://x', auth: { redirectPort: 0 } } } },
    { mcp: { a: { type: 'remote', url: 'https://x', oauth: { clientId: 5 } } } },
    { mcp: { a: { command: ['x'] } } },
    { mcp: { a: { type: 'local', command: [] } } },
  ])('F3: refuses what is refused: %j', (contents) => {
    expect([serversSchema.safeParse(contents).success, isLoaded(contents)]).toEqual([false, false]);
  });
});

/** Its first two letters swapped, and its last two; where one of both holds another member's name, that one may be guessed. */
const slipsOf = (member: string): readonly string[] => [
  member.charAt(1) + member.charAt(0) + member.slice(2),
  member.slice(0, -2) + member.charAt(member.length - 1) + member.charAt(member.length - 2),
];

describe('a slip in the name of a member', () => {
  const shapes = membersIn(publishedSchemaOf('servers'));
  // Kept for files of other tools, and without effect however it is written.
  const members = (shape: string): readonly string[] =>
    [...(shapes.get(shape) ?? [])].filter((name) => name !== 'exposure');

  it.each([
    { of: 'command', entry: { command: 'x' } },
    { of: 'redirects', entry: { url: 'https://x' } },
    { of: 'environment', entry: { command: 'x' } },
  ])('F3: is told with the member that was meant, whichever the schema has beside $of', ({ of, entry }) => {
    const names = members(of).filter((name) => !(name in entry));
    expect(names.length).toBeGreaterThan(5);
    expect(unguessed(names, (slips) => ({ ...entry, ...slips }))).toEqual([]);
  });

  it('F3: so is each of auth', () => {
    const names = members('privateKeyFile');
    expect(names.length).toBeGreaterThan(15);
    expect(unguessed(names, (slips) => ({ url: 'https://x', auth: slips }))).toEqual([]);
  });

  it('F3: so is each of settings.json, and of its limits', () => {
    const settingsFile = join(tempFolder(), 'settings.json');
    const noticesOf = (settings: object): readonly string[] => {
      writeFileSync(settingsFile, JSON.stringify(settings));
      return loadSettings(settingsFile).notices;
    };
    const settings = membersIn(publishedSchemaOf('settings'));
    const names = (settings.get('footer') ?? []).filter((name) => name !== '$schema');
    expect(names.length).toBeGreaterThan(5);
    expect(unguessedIn(names, noticesOf)).toEqual([]);
    const limits = settings.get('maxBytes') ?? [];
    expect(limits.length).toBeGreaterThan(2);
    expect(unguessedIn(limits, (slips) => noticesOf({ outputGuard: slips }))).toEqual([]);
  });
});

/** Which of `names` no notice guesses when its slips stand in an entry. */
function unguessed(names: readonly string[], entryOf: (slips: object) => object): readonly string[] {
  const serversFile = join(tempFolder(), 'servers.json');
  return unguessedIn(names, (slips) => {
    writeFileSync(serversFile, JSON.stringify({ mcpServers: { a: entryOf(slips) } }));
    return loadConfig({ serversFile, settingsFile: '' }).notices;
  });
}

function unguessedIn(names: readonly string[], noticesOf: (slips: object) => readonly string[]): readonly string[] {
  return names.filter((name) => {
    const slips = slipsOf(name);
    const notices = noticesOf(Object.fromEntries(slips.map((slip) => [slip, 'x'])));
    return !slips.some((slip) => notices.some((notice) => notice.includes(`${slip} (${name}?)`)));
  });
}

function publishedSchemaOf(kind: 'servers' | 'settings'): unknown {
  return JSON.parse(readFileSync(join(projectRoot, 'schemas', `${kind}.schema.json`), 'utf8'));
}

/** The members of every object of a JSON Schema, by each of its members; of several objects the one that has most. */
function membersIn(
  schema: unknown,
  found = new Map<string, readonly string[]>(),
): ReadonlyMap<string, readonly string[]> {
  if (typeof schema !== 'object' || schema === null) return found;
  if ('properties' in schema) {
    const names = Object.keys(schema.properties as object);
    for (const name of names) if ((found.get(name)?.length ?? 0) < names.length) found.set(name, names);
  }
  for (const part of Object.values(schema)) membersIn(part, found);
  return found;
}
