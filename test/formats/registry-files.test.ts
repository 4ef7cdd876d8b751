/** The published schemas of the registry against folders that a sync of real servers has written. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished } from 'vitest';
import { type FileKind, publishedSchema, schemaFile } from '../../scripts/published-schemas.ts';
import { schemaMembers } from '../../scripts/schema-members.ts';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/index.ts';
import { createRuntime, hasValue } from '../../src/index.ts';
import { referenceServer } from '../support/cli.ts';
import { homeWith } from '../support/home.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

const servers = ['everything', 'filesystem', 'memory', 'sequential-thinking'] as const;

const filesOf: Readonly<Partial<Record<FileKind, string>>> = {
  'registry-meta': '*/meta.json',
  'registry-tool': '*/tools/*.json',
  'registry-resources': '*/resources.json',
  'registry-prompts': '*/prompts.json',
  'registry-index': 'index.json',
};

it('R5: every file that a sync of real servers writes is valid, and every member in it has a description', async () => {
  const notes = tempFolder();
  const entries = servers.map((name) => {
    const [command, ...args] = referenceServer(name);
    return [name, { command, args: name === 'filesystem' ? [...args, notes] : args, description: 'Real' }] as const;
  });
  const home = homeWith(Object.fromEntries(entries));
  const runtime = createRuntime({ home, cwd: notes, reconcile: false });
  onTestFinished(() => runtime.close());
  for (const server of servers) expect(hasValue(await runtime.sync({ server })), server).toBe(true);
  expect(await runtime.registry.validate()).toEqual([]);

  for (const [kind, pattern] of Object.entries(filesOf) as [FileKind, string][]) {
    const schema = JSON.parse(readFileSync(join(projectRoot, 'schemas', schemaFile(kind)), 'utf8')) as JsonObject;
    const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    const described = new Set(schemaMembers(publishedSchema(kind)).map(({ path }) => path));
    const files = globSync(pattern, { cwd: join(home, 'registry') });
    expect(files.length, kind).toBeGreaterThanOrEqual(kind === 'registry-index' ? 1 : servers.length);
    for (const file of files) {
      const contents = JSON.parse(readFileSync(join(home, 'registry', file), 'utf8')) as JsonValue;
      expect(isValid(contents), `${file}: ${JSON.stringify(isValid.errors)}`).toBe(true);
      expect(undescribed(contents, described), file).toEqual([]);
    }
  }
});

/** Members that no schema speaks of, where it speaks of any beside them. */
function undescribed(value: JsonValue, described: ReadonlySet<string>, at = ''): readonly string[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item) => undescribed(item, described, `${at}[]`));
  }
  if (!isObject(value) || ![...described].some((path) => isInside(path, at))) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return described.has(path) ? undescribed(member, described, path) : [path];
  });
}

const isInside = (path: string, at: string): boolean => at === '' || path.startsWith(`${at}.`);
