import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type JsonValue,
  nestsDeeper,
  silentLog,
  stringifyJson,
  systemClock,
  TrestleError,
} from '../../src/base/index.ts';
import {
  addEntry,
  loadConfig,
  loadServersFile,
  loadSettings,
  removeEntry,
  resolveDefinition,
} from '../../src/config/index.ts';
import { findRecord } from '../../src/daemon/record.ts';
import { cleanText } from '../../src/policy/index.ts';
import { openRegistry, type ToolDescriptor } from '../../src/registry/index.ts';
import { createApprovals } from '../../src/runtime/consent/approvals.ts';
import { openEraMemory } from '../../src/runtime/connections/era-memory.ts';
import { openLauncherMemory } from '../../src/runtime/connections/launcher-memory.ts';
import { createRuntime, placesOf } from '../../src/runtime/index.ts';
import { openChoiceMemory } from '../../src/runtime/context/choice-memory.ts';
import { openTokenMemory } from '../../src/runtime/context/token-memory.ts';
import { validateRegistry } from '../../src/runtime/health/validate.ts';
import { readSecretsFile } from '../../src/secrets/file-store.ts';
import { array, constantFrom, integer, oneof, record, tuple } from '../support/properties.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { assertPlain, holdsLater, valueOrError, valueOrErrorLater } from './holds.ts';
import { damaged, jsonText, jsonValue, odd, shaped, text } from './hostile.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = tempFolder();
  file = join(folder, 'servers.json');
});

const texts = oneof(array(text, { maxLength: 3 }), jsonValue);
const entry = shaped({
  command: text,
  args: texts,
  env: shaped({ A: text, TOKEN: text }),
  cwd: text,
  url: oneof(text, constantFrom('http://127.0.0.1:1/', 'https://a:b@host/', 'http://[::1', '${URL}')),
  headers: shaped({ 'x-key': text, authorization: text }),
  type: constantFrom('local', 'remote', 'stdio', 'http', 'sse'),
  environment: shaped({ A: text }),
  timeout: oneof(integer(), constantFrom(Infinity, -1, 0.5, 9007199254740993n)),
  enabled: constantFrom(true, false, 'yes'),
  lifecycle: text,
  protocolVersions: texts,
  tools: jsonValue,
  auth: jsonValue,
});

/** JSON with comments and trailing commas, a good entry in it. */
const serversText = tuple(
  array(tuple(oneof(odd, text), entry), { maxLength: 3 }),
  constantFrom('', '// x\n', '/* x */', '\u{feff}', ','),
  constantFrom('mcpServers', 'mcp'),
).map(([entries, extra, shape]) => {
  const members = entries.map(([name, value]) => `${JSON.stringify(name)}: ${jsonOf(value)}`);
  const good = shape === 'mcp' ? '{"type": "local", "command": ["node"]}' : '{"command": "node"}';
  return `{${extra === ',' ? '' : extra} "${shape}": {${[...members, `"good": ${good}`].join(',')}}${extra} }`;
});

/** What is nested too deeply for a file is left to the texts that are made as such. */
function jsonOf(value: JsonValue): string {
  return nestsDeeper(value, 60) ? '{}' : stringifyJson(value);
}

const places = (): Parameters<typeof loadConfig>[0] => ({
  serversFile: file,
  settingsFile: join(folder, 'settings.json'),
});
const context = { env: { PATH: '/bin' }, platform: 'linux', userHome: '/home/x', cwd: '/' };

describe('servers.json', () => {
  it('F2: one good entry works beside any others, and each other is one that works or one error', async () => {
    await holdsLater(serversText, 150, async (given) => {
      writeFileSync(file, given);
      const view = valueOrError(() => loadConfig(places()));
      if (view instanceof TrestleError) throw view;
      assertPlain([view.servers, view.notices]);
      const isTwice = (view.broken.get('good')?.message ?? '').includes('twice');
      if (!isTwice) expect(view.servers.get('good')?.transport).toMatchObject({ command: 'node' });
      for (const name of view.broken.keys()) expect(view.servers.has(name)).toBe(false);
      for (const definition of view.servers.values()) {
        const resolved = await valueOrErrorLater(() => resolveDefinition(definition, context));
        if (!(resolved instanceof TrestleError)) assertPlain(resolved);
      }
    });
  });

  it('F2: a damaged file is read or is one error with its place, and never written', async () => {
    await holdsLater(damaged(oneof(serversText, jsonText, text)), 80, async (bytes) => {
      writeFileSync(file, bytes);
      const view = valueOrError(() => loadConfig(places()));
      const named = valueOrError(() => loadServersFile(file));
      const settings = valueOrError(() => loadSettings(file));
      assertPlain([view, named, settings]);
      const edit = await valueOrErrorLater(() => addEntry(file, 'added', { entry: { command: 'x', args: [] } }));
      if (edit instanceof TrestleError) {
        expect(readFileSync(file).equals(bytes)).toBe(true);
        return;
      }
      // What is written is what can be read, and all that was there is there.
      const after = loadConfig(places());
      expect(after.servers.get('added')?.transport).toMatchObject({ command: 'x' });
      if (!(view instanceof TrestleError)) {
        for (const name of view.servers.keys()) if (name !== 'added') expect(after.servers.has(name)).toBe(true);
      }
      await removeEntry(file, 'added');
      expect(loadConfig(places()).servers.has('added')).toBe(false);
    });
  });

  it('N3: settings are read or are one error', async () => {
    const settings = shaped({
      outputGuard: oneof(constantFrom(true, false), shaped({ maxBytes: integer(), maxLines: integer() })),
      idleTimeout: integer(),
      requestTimeoutMs: integer(),
      contextBudgetTokens: integer(),
    });
    await holdsLater(settings, 150, async (given) => {
      writeFileSync(file, jsonOf(given));
      const read = valueOrError(() => loadSettings(file));
      assertPlain(read);
      if (read instanceof TrestleError) return;
      for (const value of [read.idleMinutes, read.outputGuard.maxBytes, read.contextBudgetTokens]) {
        expect(Number.isSafeInteger(value) || value > 0).toBe(true);
      }
    });
  });
});

const descriptor = shaped({
  name: oneof(odd, text),
  description: text,
  inputSchema: jsonValue,
  annotations: jsonValue,
});
const meta = shaped({
  name: text,
  description: text,
  instructions: text,
  transport: shaped({ kind: constantFrom('stdio', 'http'), command: text, args: texts, env: shaped({}), url: text }),
  lifecycle: jsonValue,
  capabilities: jsonValue,
  syncedAt: text,
  digest: jsonValue,
});

/** Files of a registry's server, by name, and what may stand in them. */
const registryFiles = record({
  'meta.json': damaged(oneof(meta.map(jsonOf), jsonText)),
  'tools/one.json': damaged(oneof(descriptor.map(jsonOf), jsonText)),
  'tools/two~x.json': damaged(descriptor.map(jsonOf)),
  'resources.json': damaged(
    oneof(shaped({ resources: array(descriptor), resourceTemplates: jsonValue }).map(jsonOf), jsonText),
  ),
  'prompts.json': damaged(shaped({ prompts: array(descriptor) }).map(jsonOf)),
});

const goodTool: ToolDescriptor = { name: 'good', description: 'Finds lost things.', inputSchema: { type: 'object' } };

async function syncGood(root: string, server: string, tools: readonly ToolDescriptor[]): Promise<void> {
  const transport = { kind: 'stdio', command: 'x', args: [], env: {} } as const;
  const lifecycle = { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 } as const;
  const about = { name: server, description: '', instructions: '', transport, auth: { kind: 'none' }, lifecycle };
  const lists = { tools, resources: [], resourceTemplates: [], prompts: [] };
  await openRegistry(root).apply({ ...lists, meta: { ...about, capabilities: {} } }, { nowMs: 0 });
}

/** Everything that can be read of a server. */
async function readAll(root: string, server: string): Promise<unknown> {
  const registry = openRegistry(root);
  return [
    registry.servers(),
    registry.server(server),
    registry.meta(server),
    registry.tools(server),
    registry.resources(server),
    registry.prompts(server),
    registry.tool(server, 'constructor'),
    registry.tool(server, '__proto__'),
    registry.tool(server, '../../good/tools/good'),
    await registry.search({ query: 'lost things' }),
  ];
}

describe('the registry', () => {
  it('R2: files of a server are read or are findings, and the other server works', async () => {
    await syncGood(folder, 'good', [goodTool]);
    await holdsLater(registryFiles, 60, async (files) => {
      mkdirSync(join(folder, 'bad', 'tools'), { recursive: true });
      for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, 'bad', name), bytes);
      assertPlain(await readAll(folder, 'bad'));
      const registry = openRegistry(folder);
      assertPlain(await validateRegistry(registry));
      expect(registry.tool('good', 'good').value).toEqual(goodTool);
      const { value: found } = await registry.search({ query: 'lost things' });
      expect(found.hits.map(({ server, tool }) => [server, tool])).toContainEqual(['good', 'good']);
    });
  });

  it('C1, C5: the text for a model is clean and within its budget, whatever stands in the files', async () => {
    const places = placesOf(folder);
    const command = { command: 'no-such-program' };
    writeFileSync(places.serversFile, JSON.stringify({ mcpServers: { good: command, bad: command } }));
    await syncGood(places.registryRoot, 'good', [goodTool]);
    const server = join(places.registryRoot, 'bad');
    mkdirSync(join(server, 'tools'), { recursive: true });
    await holdsLater(tuple(registryFiles, integer({ min: 0, max: 400 })), 40, async ([files, budgetTokens]) => {
      for (const [name, bytes] of Object.entries(files)) writeFileSync(join(server, name), bytes);
      const host = { userHome: folder, env: {}, platform: process.platform };
      const runtime = createRuntime({ places, cwd: folder, ...host });
      const { text: block, tokens } = await runtime.context({ budgetTokens });
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
      expect(cleanText(block)).toBe(block);
      assertPlain(await runtime.status());
      await runtime.close();
    });
  });

  it('C7: any words are searched for, and those that say nothing are refused', async () => {
    await syncGood(folder, 'good', [goodTool]);
    const registry = openRegistry(folder);
    await holdsLater(text, 150, async (query) => {
      const found = await valueOrErrorLater(() => registry.search({ query }));
      assertPlain(found);
      if (found instanceof TrestleError) expect([found.code, query.trim()]).toEqual(['invalid_arguments', '']);
    });
  });

  it('R5: an index or a search index that is damaged is made anew', async () => {
    await syncGood(folder, 'good', [goodTool]);
    const expected = await readAll(folder, 'good');
    const index = readFileSync(join(folder, 'index.json'), 'utf8');
    const search = readFileSync(join(folder, '.search.json'), 'utf8');
    // Numbers that lead somewhere else: what can be parsed is not yet right.
    const twisted = (...names: readonly string[]): string =>
      search.replaceAll(/"(\w+)":"([^"]*)"/g, (whole, name: string, packed: string) =>
        names.includes(name)
          ? `"${name}":"${Buffer.from(Buffer.from(packed, 'base64').toReversed()).toString('base64')}"`
          : whole,
      );
    const forms = [index, search, twisted('postings'), twisted('lengths'), twisted('starts', 'postings', 'lengths')];
    const wrong = oneof(damaged(constantFrom(...forms)), damaged(oneof(jsonText, text)));
    await holdsLater(tuple(wrong, wrong), 150, async ([first, second]) => {
      writeFileSync(join(folder, 'index.json'), first);
      writeFileSync(join(folder, '.search.json'), second);
      await readAll(folder, 'good');
      // What looks like an index is believed until its sources change; nothing but a rebuild may be needed.
      await openRegistry(folder).validate();
      rmSync(join(folder, '.search.json'));
      expect(await readAll(folder, 'good')).toEqual(expected);
    });
  });

  it('R3: whatever tools are called, their files lie in their folder, and each is found by its name', async () => {
    const names = array(oneof(odd, text), { maxLength: 5 });
    let turn = 0;
    await holdsLater(names, 30, async (given) => {
      turn += 1;
      const [root, distinct] = [join(folder, String(turn)), [...new Set(given)]];
      await syncGood(
        root,
        'named',
        distinct.map((name) => ({ name, inputSchema: {} })),
      );
      const registry = openRegistry(root);
      for (const name of distinct) expect(registry.tool('named', name).value?.name).toBe(name);
      expect(readdirSync(root).sort()).toEqual(expect.arrayContaining(['named']));
      expect(readdirSync(join(root, 'named', 'tools'))).toHaveLength(distinct.length);
      expect(readdirSync(folder).filter((name) => !/^\d+$/.test(name))).toEqual([]);
    });
  });
});

describe('files of state', () => {
  it('S2, L7: whatever stands in them is used or forgotten, and they can be written again', async () => {
    const fact = shaped({
      era: constantFrom('legacy', 'modern'),
      link: constantFrom('stdio', 'sse'),
      fromSilence: constantFrom(true, false),
      atMs: integer(),
      tokens: integer(),
      shape: constantFrom('sections', 'root', 'else'),
      places: oneof(odd, record({ mine: record({ rung: constantFrom('80', 'names', 'x'), names: integer() }) })),
    });
    const facts = array(tuple(oneof(odd, constantFrom('known'), text), fact), { maxLength: 4 }).map((entries) =>
      jsonOf(Object.fromEntries(entries)),
    );
    await holdsLater(damaged(oneof(facts, jsonText)), 80, async (bytes) => {
      const names = ['eras', 'launchers', 'tokens', 'choices'].map((name) => join(folder, name));
      for (const name of names) writeFileSync(name, bytes);
      const [eraFile, launcherFile, tokenFile, choiceFile] = names;
      const log = { clock: systemClock, log: silentLog };
      const eras = openEraMemory(eraFile ?? '', log);
      const launchers = openLauncherMemory(launcherFile ?? '', log);
      const tokens = openTokenMemory(tokenFile ?? '', log);
      const choices = openChoiceMemory(choiceFile ?? '', log);
      for (const key of ['known', '__proto__', 'constructor', 'toString']) {
        assertPlain(eras.get(key));
        expect(['undefined', 'number']).toContain(typeof launchers.ranAtMs(key));
        for (const { names: listed } of choices.get(key)?.places.values() ?? [])
          expect(listed).toBeGreaterThanOrEqual(0);
      }
      expect(eras.get('never')).toBeUndefined();
      eras.set('mine', { era: 'legacy', link: 'stdio', fromSilence: false, atMs: Number.MAX_SAFE_INTEGER });
      launchers.ran('mine', 5);
      expect(await tokens.count('one two')).toBe(2);
      choices.set('mine', { shape: 'sections', places: new Map([['mine', { rung: 'counts', names: 3 }]]) });
      await Promise.all([eras.close(), launchers.close(), tokens.close(), choices.close()]);
      expect(openEraMemory(eraFile ?? '', log).get('mine')?.era).toBe('legacy');
      expect(openLauncherMemory(launcherFile ?? '', log).ranAtMs('mine')).toBe(5);
      expect(
        openChoiceMemory(choiceFile ?? '', log)
          .get('mine')
          ?.places.get('mine')?.names,
      ).toBe(3);
    });
  });

  it('K1: whatever stands among the approvals, they are read, or nothing is approved and one sentence says so', async () => {
    const approval = shaped({
      server: oneof(constantFrom('files'), text),
      file: oneof(constantFrom('/s.json', null), text),
      identity: oneof(constantFrom('a1'), text),
      kind: constantFrom('use', 'connect', 'all'),
      tools: oneof(array(text, { maxLength: 2 }), constantFrom(['*'])),
      arguments: shaped({ path: constantFrom('*', '/tmp/*') }),
      approvedAt: text,
      expiresAt: text,
      descriptors: shaped({ read: text }),
    });
    const list = shaped({ approvals: array(approval, { maxLength: 3 }) }).map(jsonOf);
    const granted = {
      server: 'new',
      file: null,
      identity: 'a2',
      kind: 'use',
      approvedAt: '2026-01-01T00:00:00Z',
    } as const;
    const wanted = { kind: 'use', server: 'files', file: '/s.json', identity: 'a1', tool: 'read' } as const;
    const options = { stateFolder: folder, clock: systemClock };
    await holdsLater(damaged(oneof(list, jsonText)), 60, async (bytes) => {
      writeFileSync(join(folder, 'approvals.json'), bytes, { mode: 0o600 });
      const approvals = createApprovals(options);
      assertPlain(approvals.list());
      expect(approvals.isApproved({ ...wanted, server: '__proto__' }, 'library')).toBe(false);
      if (approvals.problem() !== undefined) expect(approvals.isApproved(wanted, 'library')).toBe(false);
      await approvals.add(granted);
      expect(createApprovals(options).isApproved({ ...wanted, ...granted }, 'library')).toBe(true);
    });
  });

  it('K4: whatever stands in the file of secrets, it is read, or one sentence says that it cannot be', async () => {
    const secrets = shaped({ web: constantFrom('hunter2-hunter2') }).map(jsonOf);
    await holdsLater(damaged(oneof(secrets, jsonText)), 60, async (bytes) => {
      writeFileSync(join(folder, 'secrets.json'), bytes, { mode: 0o600 });
      const read = valueOrError(() => readSecretsFile(folder));
      assertPlain(read);
      if (!(read instanceof TrestleError)) return;
      expect(read.code).toBe('secrets_unavailable');
      expect(read.message).not.toContain('hunter2');
    });
  });

  it('L7: whatever stands in the record of a daemon is a record or none', async () => {
    const run = join(folder, 'run');
    mkdirSync(run, { mode: 0o700 });
    const recordText = shaped({
      protocol: integer(),
      version: text,
      address: text,
      token: text,
      process: shaped({ pid: integer(), machine: text, started: text }),
      startedAt: text,
      program: shaped({ path: text, modifiedMs: integer() }),
    }).map(jsonOf);
    await holdsLater(damaged(oneof(recordText, jsonText)), 150, async (bytes) => {
      writeFileSync(join(run, 'daemon.json'), bytes, { mode: 0o600 });
      const found = findRecord(run);
      assertPlain(found);
      expect(['none', 'record', 'foreign']).toContain(found.kind);
      expect(existsSync(join(run, 'daemon.json'))).toBe(true);
    });
  });
});
