/** The tables of docs/config-format.md, made from the published JSON Schemas and from the table of other tools' formats. */
import { isObject, jsonEquals, type JsonObject, type JsonValue, stringifyJson } from '../src/base/index.ts';
import { type FormatId, formatIds, formats, hostIds, hosts } from '../src/config/index.ts';
import { fileKinds, publishedSchema } from './published-schemas.ts';
import { formsOf, type SchemaMember, schemaMembers } from './schema-members.ts';

/** The page with every table between its two marks made anew. */
export function withTables(page: string): string {
  const tables: Readonly<Record<string, readonly string[]>> = {
    ...schemaTables(),
    tools: toolTable(),
    members: formatIds.flatMap((id) => fieldTable(id)),
    hosts: hostTable(),
  };
  return page.replaceAll(/(<!-- ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g, (whole, begin: string, name: string) => {
    const lines = tables[name];
    return lines === undefined ? whole : `${begin}\n${lines.join('\n')}\n\n<!-- end -->`;
  });
}

/** By mark: the members of each kind of file; those of servers.json in tables for each form of an entry. */
function schemaTables(): Readonly<Record<string, readonly string[]>> {
  const { servers, ...others } = Object.fromEntries(fileKinds.map((kind) => [kind, publishedSchema(kind)]));
  const [program, address] = entryForms(servers, 'mcpServers');
  const [local, remote] = entryForms(servers, 'mcp');
  const whole = schemaMembers(servers).filter(({ path }) => !path.includes('.'));
  return {
    servers: memberTable(whole),
    program: memberTable(program),
    address: memberTable(address.filter((member) => !isAmong(program, member))),
    local: memberTable(local),
    remote: memberTable(remote.filter((member) => !isAmong(local, member))),
    ...Object.fromEntries(Object.entries(others).map(([kind, schema]) => [kind, memberTable(schemaMembers(schema))])),
  };
}

/** The members of both forms that an entry of a shape may have. */
function entryForms(
  servers: JsonObject | undefined,
  shape: 'mcpServers' | 'mcp',
): readonly [first: readonly SchemaMember[], second: readonly SchemaMember[]] {
  const entries = ['properties', shape, 'additionalProperties'].reduce<JsonValue | undefined>(
    (inner, name) => (isObject(inner) ? inner[name] : undefined),
    servers,
  );
  const [first, second] = formsOf(entries);
  return [schemaMembers(first), schemaMembers(second)];
}

/** Whether the same is said of a member already. */
function isAmong(told: readonly SchemaMember[], { path, says }: SchemaMember): boolean {
  return told.some((other) => other.path === path && jsonEquals(other.says, says));
}

/** One line a member: name, type, example, meaning with unit and default. */
function memberTable(members: readonly SchemaMember[]): readonly string[] {
  return [
    '| member | value | example | meaning, unit, default |',
    '|---|---|---|---|',
    ...members.map(({ path, says, isNeeded }) => {
      const meaning = isNeeded ? `${meaningOf(says)} Needed.` : meaningOf(says);
      const cells = [typeOf(says), exampleOf(says), meaning].map(cellText);
      return `| \`${path}\` | ${cells.join(' | ')} |`;
    }),
  ];
}

function typeOf(says: readonly JsonObject[]): string {
  return [...new Set(says.map(typeOfOne))].join(' or ');
}

function exampleOf(says: readonly JsonObject[]): string {
  const examples = says.flatMap(({ examples }) => (Array.isArray(examples) ? (examples as readonly JsonValue[]) : []));
  return examples.map((example) => `\`${stringifyJson(example)}\``).join(', ');
}

function meaningOf(says: readonly JsonObject[]): string {
  const texts = says.map(({ description, default: standard }) => {
    const text = typeof description === 'string' ? description.replace(reference, 'May hold `${…}`.') : '';
    return standard === undefined ? text : `${text} Default: \`${stringifyJson(standard)}\`.`;
  });
  return [...new Set(texts)].join(' ');
}

/** Said of many members, and by the page once for all. */
const reference = 'May hold ${VARIABLE} and ${VARIABLE:-default}.';

const plainTypes: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: '`true` or `false`',
  object: 'object',
  null: '`null`',
};

/** A type in a few words. */
function typeOfOne(schema: JsonValue | undefined): string {
  if (!isObject(schema)) return 'anything';
  const { type, items, additionalProperties } = schema;
  const forms = formsOf(schema);
  if (forms.length > 1) return typeOf(forms);
  if (schema['const'] !== undefined) return `\`${stringifyJson(schema['const'])}\``;
  if (Array.isArray(schema['enum']))
    return (schema['enum'] as readonly JsonValue[]).map((one) => `\`${stringifyJson(one)}\``).join(', ');
  if (type === 'array') return `list of ${typeOfOne(items)}s`;
  if (type === 'object' && isObject(additionalProperties) && isObject(schema['propertyNames']))
    return `${typeOfOne(additionalProperties)}s by name`;
  if (Array.isArray(type)) return typeOf((type as readonly JsonValue[]).map((one) => ({ type: one })));
  if (type === 'number' || type === 'integer') return rangeOf(schema);
  return typeof type === 'string' ? (plainTypes[type] ?? 'anything') : 'anything';
}

function rangeOf({ minimum, maximum }: JsonObject): string {
  if (typeof minimum !== 'number') return 'number';
  return typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER
    ? `number from ${minimum} to ${maximum}`
    : `number from ${minimum}`;
}

const machines = { Linux: 'linux', macOS: 'darwin', Windows: 'win32' } as const;

/** Where each tool keeps its files, by system. */
function toolTable(): readonly string[] {
  return [
    '| tool | files of the user (Linux; macOS; Windows) | files of a project | entries under | time in | variables |',
    '|---|---|---|---|---|---|',
    ...formatIds.map((id) => {
      const { title, projectFiles, key, timeUnit, variables } = formats[id];
      const project = projectFiles.map((file) => `\`${file}\``).join(', ') || 'none';
      return `| ${title} (\`${id}\`) | ${userFiles(id)} | ${project} | \`${key}\` | ${timeUnit ?? 'nothing'} | ${cellText(variables.says)} |`;
    }),
  ];
}

function userFiles(id: FormatId): string {
  const perSystem = Object.values(machines).map((platform) => {
    const userHome = platform === 'win32' ? String.raw`C:\Users\me` : '/home/me';
    const files = formats[id].userFiles({ platform, userHome, env: {} });
    return files
      .map((file) => `\`${file.replace(userHome, '~').replace(String.raw`~\AppData\Roaming`, '%APPDATA%')}\``)
      .join(', ');
  });
  // Where only the separators differ, one system speaks for all.
  const told = perSystem.filter((files, index) => index === 0 || files.replaceAll('\\', '/') !== perSystem[0]);
  return [...new Set(told)].join('; ');
}

/** What becomes of each member of a tool's entries. */
function fieldTable(id: FormatId): readonly string[] {
  return [
    `### ${formats[id].title}`,
    '',
    '| member there | becomes here |',
    '|---|---|',
    ...Object.entries(formats[id].fields).map(([field, { becomes }]) => `| \`${field}\` | ${cellText(becomes)} |`),
    '',
  ];
}

function hostTable(): readonly string[] {
  return [
    '| host | file on Linux | entry under |',
    '|---|---|---|',
    ...hostIds.map((id) => {
      const [file = ''] = hosts[id].files({ platform: 'linux', userHome: '~', env: {} });
      const { title, at, other } = hosts[id];
      const places = [at, ...(other === undefined ? [] : [other.at])].map((place) => `\`${place.join('.')}\``);
      return `| ${title} (\`${id}\`) | \`${file}\` | ${places.join(', or ')} |`;
    }),
  ];
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
