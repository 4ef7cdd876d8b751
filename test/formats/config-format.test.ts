import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { withTables } from '../../scripts/config-format.ts';
import { type FileKind, fileKinds, fileSchemas, publishedSchema, schemaFile } from '../../scripts/published-schemas.ts';
import { isObject, type JsonObject, type JsonValue, limits, prettyJson } from '../../src/base/index.ts';
import { type Definition, loadConfig, loadSettings } from '../../src/config/index.ts';
import { readJsonc } from '../../src/config/jsonc.ts';
import { readApproval } from '../../src/policy/approvals.ts';
import { standardAlgorithm } from '../../src/session/auth/grants.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

const page = readFileSync(join(projectRoot, 'docs', 'config-format.md'), 'utf8');

/** A member that a schema speaks of: its path as the page writes it, and all that is said of it. */
type Said = readonly [path: string, schema: JsonObject];

/** Every member at every depth, found by a walk of our own through all that a schema may hold. */
function walk(schema: JsonValue | undefined, at = ''): readonly Said[] {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).flatMap((one) => walk(one, at));
  if (!isObject(schema)) return [];
  const { properties, anyOf, oneOf, allOf, items, additionalProperties } = schema;
  const own = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]): readonly Said[] => {
    const path = at === '' ? name : `${at}.${name}`;
    return [[path, isObject(member) ? member : {}], ...walk(member, path)];
  });
  const forms = [anyOf, oneOf, allOf].flatMap((inner) => walk(inner, at));
  return [...own, ...forms, ...walk(items, `${at}[]`), ...walk(additionalProperties, `${at}.<name>`)];
}

/** The members that have a line under these marks of the page. */
function documented(...marks: readonly string[]): ReadonlySet<string> {
  const lines = marks.flatMap((mark) => page.split(`<!-- ${mark} -->`)[1]?.split('<!-- end -->')[0]?.split('\n') ?? []);
  return new Set(lines.flatMap((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? []));
}

/** The marks under which the members of a kind of file stand, each with the place in the file that its members are told from. */
const marksOf: Readonly<Record<FileKind, Readonly<Record<string, readonly string[]>>>> = {
  servers: { '': ['servers'], 'mcpServers.<name>.': ['program', 'address'], 'mcp.<name>.': ['local', 'remote'] },
  settings: { '': ['settings'] },
  approvals: { '': ['approvals'] },
  'registry-meta': { '': ['registry-meta'] },
  'registry-tool': { '': ['registry-tool'] },
  'registry-resources': { '': ['registry-resources'] },
  'registry-prompts': { '': ['registry-prompts'] },
  'registry-index': { '': ['registry-index'] },
};

/** Examples of the page that are marked so. */
function examples(mark: 'example' | 'settings' | 'approvals'): readonly JsonValue[] {
  const blocks = [...page.matchAll(/^```jsonc (\w+)\n([\s\S]*?)^```$/gm)].filter(([, found]) => found === mark);
  return blocks.map(([, , text = '']) => readJsonc(text).value ?? null);
}

function isValid(schema: JsonObject, value: unknown): boolean {
  return new Ajv2020({ strict: false, validateFormats: false }).validate(schema, value);
}

function fileWith(name: string, contents: unknown): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, JSON.stringify(contents));
  return file;
}

/** The member names at each place of an example, as paths. */
function shownIn(value: JsonValue | undefined, at: string): readonly string[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one) => shownIn(one, `${at}[]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...shownIn(inner, path)];
  });
}

describe('docs/config-format.md', () => {
  it('F3: has the tables that the schemas and the formats make (npm run schemas writes them)', () => {
    expect(withTables(page)).toBe(page);
  });

  it.each(fileKinds)('F3: has a line for every member of %s at every depth, and no line for another', (kind) => {
    const members = walk(publishedSchema(kind)).map(([path]) => path);
    const told = Object.entries(marksOf[kind]).flatMap(([place, marks]) =>
      [...documented(...marks)].map((path) => place + path),
    );
    expect([...new Set(told)].sort()).toEqual([...new Set(members)].sort());
    expect(told.length).toBeGreaterThan(0);
  });

  it('F3: its entries are taken by Trestle and by the schema, and show every member of an entry', () => {
    const [mcpServers, mcp] = examples('example');
    for (const [shape, example] of [
      ['mcpServers', mcpServers],
      ['mcp', mcp],
    ] as const) {
      expect(isValid(publishedSchema('servers'), example)).toBe(true);
      const serversFile = fileWith('servers.json', example);
      const { broken, notices, servers } = loadConfig({ serversFile, settingsFile: '' });
      expect([broken.size, notices, servers.size]).toEqual([0, [], 2]);
      const entries = isObject(example) ? Object.values(example[shape] as JsonObject) : [];
      const shown = new Set(entries.flatMap((entry) => Object.keys(isObject(entry) ? entry : {})));
      // What stands inside others has an example of its own; what has no effect is not recommended.
      const ofEntry = [...documented(...(marksOf.servers[`${shape}.<name>.`] ?? []))].filter(
        (path) => !path.includes('.'),
      );
      expect(ofEntry.filter((name) => !shown.has(name) && name !== 'exposure')).toEqual([]);
    }
  });

  it('F3, K6: what it names inside auth and oauth is known to Trestle, and nothing else is', () => {
    for (const [shape, member, entry] of [
      ['mcpServers', 'auth', { url: 'https://x' }],
      ['mcp', 'oauth', { type: 'remote', url: 'https://x' }],
    ] as const) {
      const inner = walk(publishedSchema('servers')).flatMap(([path, { examples: all }]) => {
        const name = path.split(`${shape}.<name>.${member}.`)[1];
        return name === undefined ? [] : [[name, (all as readonly JsonValue[])[0]] as const];
      });
      const written = { ...Object.fromEntries(inner), ...(member === 'auth' ? { type: 'oauth' } : {}), pigeon: 1 };
      const { broken, notices } = loadConfig({
        serversFile: fileWith('servers.json', { [shape]: { a: { ...entry, [member]: written } } }),
        settingsFile: '',
      });
      expect(broken.size).toBe(0);
      expect(notices).toEqual([expect.stringMatching(new RegExp(` a\\.${member}\\.pigeon\\.$`))]);
    }
  });

  it('F3: its settings are taken by Trestle and by the schema, and show every member', () => {
    const [settings] = examples('settings');
    expect(isValid(publishedSchema('settings'), settings)).toBe(true);
    expect(loadSettings(fileWith('settings.json', settings)).notices).toEqual([]);
    const members = [...documented('settings')].filter((name) => name !== '$schema');
    expect(shownIn(settings, '')).toEqual(members);
  });

  it('K1: its approvals are taken by Trestle and by the schema, and show every member', () => {
    const [file] = examples('approvals');
    expect(isValid(publishedSchema('approvals'), file)).toBe(true);
    const [approval] = (file as { approvals: JsonObject[] }).approvals;
    expect(readApproval(approval)).toEqual(approval);
    const shown = Object.keys(approval ?? {}).map((name) => `approvals[].${name}`);
    expect(['approvals', ...shown]).toEqual([...documented('approvals')]);
  });
});

describe('the published schemas', () => {
  it('F3, R5: are those in schemas/, and no others are there (else run: npm run schemas)', () => {
    const folder = join(projectRoot, 'schemas');
    expect(readdirSync(folder).sort()).toEqual(fileKinds.map(schemaFile).sort());
    for (const kind of fileKinds) {
      expect(readFileSync(join(folder, schemaFile(kind)), 'utf8')).toBe(prettyJson(publishedSchema(kind)));
    }
  });

  it.each(fileKinds)('F3, R5: %s says of every member what it is, with an example that is valid', (kind) => {
    for (const [path, member] of walk(publishedSchema(kind))) {
      expect(member['description'], path).toEqual(expect.stringMatching(/\.$/));
      const { examples: all = [] } = member;
      expect(all, path).not.toEqual([]);
      for (const example of all as readonly JsonValue[]) {
        expect(isValid(member, example), `${path}: ${JSON.stringify(example)}`).toBe(true);
      }
    }
  });

  it('F3: every default of an entry is the one that holds where nothing is said', () => {
    const [program, address] = [read({ command: 'x' }), read({ url: 'https://x' })];
    const { transport: process } = program;
    const { transport: http } = address;
    if (process.kind !== 'stdio' || http.kind !== 'http') throw new Error('the entries mean another transport');
    const auth = read({ url: 'https://x', auth: {} }).auth;
    const held: Readonly<Record<string, unknown>> = {
      args: process.args,
      env: process.env,
      framing: process.framing,
      headers: http.headers,
      transport: http.choice,
      redirects: http.redirects,
      enabled: program.enabled,
      disabled: !program.enabled,
      lifecycle: program.lifecycle,
      sharing: program.sharing,
      protocol: program.protocol,
      protocolVersions: program.protocolVersions,
      'tools.deny': read({ command: 'x', tools: {} }).tools?.deny,
      'tools.ask': read({ command: 'x', tools: {} }).tools?.ask,
      'auth.type': auth?.kind,
      'auth.dpop': auth?.dpop,
      'oauth.dpop': auth?.dpop,
      environment: process.env,
      'auth.algorithm': standardAlgorithm,
    };
    const defaults = walk(publishedSchema('servers')).flatMap(([path, { default: standard }]) =>
      standard === undefined || !path.includes('.<name>.')
        ? []
        : [[path.replace(/^.*?<name>\./, ''), standard] as const],
    );
    expect(Object.fromEntries(defaults)).toEqual(held);
  });

  it('F3: every default of settings.json is the one that holds without a file', () => {
    const { notices: _notices, outputGuard, ...settings } = loadSettings(join(tempFolder(), 'none.json'));
    const { enabled, ...guard } = outputGuard;
    const held: Readonly<Record<string, unknown>> = {
      outputGuard: enabled,
      ...Object.fromEntries(Object.entries(guard).map(([name, value]) => [`outputGuard.${name}`, value])),
      idleTimeout: settings.idleMinutes,
      requestTimeoutMs: settings.requestTimeoutMs ?? 0,
      contextBudgetTokens: settings.contextBudgetTokens,
      schemaInjectionToolLimit: settings.schemaToolLimit,
      requireConsent: settings.requireConsent,
      destructiveTools: settings.destructiveTools,
      secretStore: settings.secretStore,
      shareServers: settings.shareServers,
      footer: settings.footer,
    };
    const members = walk(publishedSchema('settings')).filter(([path]) => path !== '$schema');
    expect(Object.fromEntries(members.map(([path, { default: standard }]) => [path, standard]))).toEqual(held);
    // What 0 stands for is said in words.
    expect(limits.requestIdleMs).toBe(60_000);
  });

  /** The definition of an entry that is taken without a word. */
  function read(entry: JsonObject): Definition {
    const { servers } = loadConfig({
      serversFile: fileWith('servers.json', { mcpServers: { a: entry } }),
      settingsFile: '',
    });
    const definition = servers.get('a');
    if (definition === undefined) throw new Error(`not taken: ${JSON.stringify(entry)}`);
    return definition;
  }

  it.each([
    [{}, true],
    [{ outputGuard: false, idleTimeout: 0, requestTimeoutMs: 1, unknown: 1 }, true],
    [{ outputGuard: { maxBytes: 1 } }, true],
    [{ outputGuard: { maxBytes: 0 } }, false],
    [{ outputGuard: 'off' }, false],
    [{ idleTimeout: -1 }, false],
    [{ contextBudgetTokens: 'many' }, false],
    [{ requireConsent: 'yes' }, false],
    [{ destructiveTools: 'deny' }, false],
    [{ secretStore: 'keychain' }, false],
  ])('F3: settings %j are taken by both or by none: %s', (contents, taken) => {
    const load = (): unknown => loadSettings(fileWith('settings.json', contents));
    expect(fileSchemas.settings.safeParse(contents).success).toBe(taken);
    expect(isThrown(load)).toBe(!taken);
  });

  const yes = { server: 'a', file: null, identity: 'b', kind: 'use', approvedAt: '2026-01-31T12:00:00.000Z' };

  it.each([
    [yes, true],
    [{ ...yes, tools: ['a'], arguments: { b: 'c' }, descriptors: {}, parts: { a: { b: 'c' } } }, true],
    [{ ...yes, file: undefined }, false],
    [{ ...yes, kind: 'call' }, false],
    [{ ...yes, tools: 'a' }, false],
    [{ ...yes, expiresAt: 5 }, false],
    [{ ...yes, parts: { a: 'b' } }, false],
    [{ ...yes, onlyOn: 'sundays' }, false],
  ])('K1: an approval %j is taken by both or by none: %s', (approval, taken) => {
    expect(fileSchemas.approvals.safeParse({ approvals: [approval] }).success).toBe(taken);
    expect(readApproval(JSON.parse(JSON.stringify(approval))) !== undefined).toBe(taken);
  });
});

function isThrown(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
