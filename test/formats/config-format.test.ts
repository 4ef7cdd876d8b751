import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memberNames, withTables } from '../../scripts/config-format.ts';
import { publishedServersSchema, serversSchema } from '../../scripts/servers-schema.ts';
import { publishedSettingsSchema, settingsSchema } from '../../scripts/settings-schema.ts';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/index.ts';
import { loadConfig, loadSettings } from '../../src/config/index.ts';
import { readJsonc } from '../../src/config/jsonc.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

const page = readFileSync(join(projectRoot, 'docs', 'config-format.md'), 'utf8');
const own = { servers: publishedServersSchema(), settings: publishedSettingsSchema() };

/** Examples of the page that are marked so. */
function examples(mark: 'example' | 'settings'): readonly JsonValue[] {
  const blocks = [...page.matchAll(/^```jsonc (\w+)\n([\s\S]*?)^```$/gm)].filter(([, found]) => found === mark);
  return blocks.map(([, , text = '']) => readJsonc(text).value ?? null);
}

function fileWith(name: string, contents: unknown): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, JSON.stringify(contents));
  return file;
}

/** Every description in a schema of a member, at any depth; undefined where there is none. */
function descriptions(schema: JsonValue): readonly (readonly [name: string, description: JsonValue | undefined])[] {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).flatMap(descriptions);
  if (!isObject(schema)) return [];
  const { properties, ...rest } = schema;
  const members = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...members.map(([name, member]) => [name, isObject(member) ? member['description'] : undefined] as const),
    ...members.flatMap(([, member]) => descriptions(member)),
    ...Object.values(rest).flatMap(descriptions),
  ];
}

describe('docs/config-format.md', () => {
  it('F3: has the tables that the schemas and the formats make (npm run schemas writes them)', () => {
    expect(withTables(page, own)).toBe(page);
  });

  it('F3: its examples are taken by Trestle and by the schema, and show every member', () => {
    const [mcpServers, mcp] = examples('example');
    for (const example of [mcpServers, mcp]) {
      expect(serversSchema.safeParse(example).success).toBe(true);
      const { broken, notices, servers } = loadConfig({
        serversFile: fileWith('servers.json', example),
        settingsFile: '',
      });
      expect([broken.size, notices, servers.size]).toEqual([0, [], 2]);
    }
    for (const [shape, example] of [
      ['mcpServers', mcpServers],
      ['mcp', mcp],
    ] as const) {
      const entries = isObject(example) ? Object.values(example[shape] as JsonObject) : [];
      const shown = new Set(entries.flatMap((entry) => Object.keys(isObject(entry) ? entry : {})));
      const documented = variants(shape).flatMap(memberNames);
      expect(documented.filter((name) => !shown.has(name) && name !== 'exposure')).toEqual([]);
    }
    const [settings] = examples('settings');
    expect(settingsSchema.safeParse(settings).success).toBe(true);
    expect(loadSettings(fileWith('settings.json', settings)).notices).toEqual([]);
    expect(memberNames(own.settings).filter((name) => name !== '$schema')).toEqual(Object.keys(settings as JsonObject));
  });
});

function variants(shape: 'mcpServers' | 'mcp'): readonly unknown[] {
  const schema = own.servers as { properties: Record<string, { additionalProperties: { anyOf: unknown[] } }> };
  return schema.properties[shape]?.additionalProperties.anyOf ?? [];
}

describe('the schema of settings.json', () => {
  it('F3: is the one in schemas/, and has a description of every member', () => {
    const text = readFileSync(join(projectRoot, 'schemas', 'settings.schema.json'), 'utf8');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(own.settings)));
    const told = descriptions(JSON.parse(text) as JsonValue);
    expect(told.filter(([, description]) => typeof description !== 'string')).toEqual([]);
    expect(told.length).toBeGreaterThan(10);
  });

  it('F3: its defaults are those that hold without a file', () => {
    const { notices: _notices, ...settings } = loadSettings(join(tempFolder(), 'none.json'));
    const { properties } = own.settings as { properties: Record<string, { default?: unknown }> };
    const defaults = (name: string): unknown => properties[name]?.default;
    expect(defaults('idleTimeout')).toBe(settings.idleMinutes);
    expect(defaults('contextBudgetTokens')).toBe(settings.contextBudgetTokens);
    expect(defaults('schemaInjectionToolLimit')).toBe(settings.schemaToolLimit);
    expect(defaults('requireConsent')).toBe(settings.requireConsent);
    expect(defaults('destructiveTools')).toBe(settings.destructiveTools);
    expect(defaults('secretStore')).toBe(settings.secretStore);
    expect(defaults('outputGuard')).toBe(settings.outputGuard.enabled);
  });

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
  ])('F3: %j is taken by both or by none: %s', (contents, taken) => {
    const load = (): unknown => loadSettings(fileWith('settings.json', contents));
    expect(settingsSchema.safeParse(contents).success).toBe(taken);
    expect(isThrown(load)).toBe(!taken);
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
