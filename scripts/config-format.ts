/** The tables of docs/config-format.md, made from the published JSON Schemas and from the table of other tools' formats. */
import { isObject, type JsonObject, type JsonValue } from '../src/base/index.ts';
import { type FormatId, formatIds, formats, hostIds, hosts } from '../src/config/index.ts';

/** The page with every table between its two marks made anew. */
export function withTables(page: string, schemas: Readonly<Record<'servers' | 'settings', unknown>>): string {
  const tables: Readonly<Record<string, readonly string[]>> = {
    program: memberTable(variant(schemas.servers, 'mcpServers', 0)),
    address: memberTable(
      variant(schemas.servers, 'mcpServers', 1),
      memberNames(variant(schemas.servers, 'mcpServers', 0)),
    ),
    local: memberTable(variant(schemas.servers, 'mcp', 0)),
    remote: memberTable(variant(schemas.servers, 'mcp', 1), memberNames(variant(schemas.servers, 'mcp', 0))),
    settings: memberTable(schemas.settings),
    tools: toolTable(),
    members: formatIds.flatMap((id) => fieldTable(id)),
    hosts: hostTable(),
  };
  return page.replaceAll(/(<!-- (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (whole, begin: string, name: string) => {
    const lines = tables[name];
    return lines === undefined ? whole : `${begin}\n${lines.join('\n')}\n\n<!-- end -->`;
  });
}

function variant(schema: unknown, shape: string, index: number): unknown {
  const entries = at(schema, ['properties', shape, 'additionalProperties', 'anyOf']);
  return Array.isArray(entries) ? (entries as readonly unknown[])[index] : undefined;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

function members(schema: unknown): readonly (readonly [name: string, member: JsonObject])[] {
  const properties = at(schema, ['properties']);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, member]) => [
    name,
    isObject(member) ? member : {},
  ]);
}

export function memberNames(schema: unknown): readonly string[] {
  return members(schema).map(([name]) => name);
}

/** One line a member: name, type, meaning with unit and default. Those of `told` have a line elsewhere. */
function memberTable(schema: unknown, told: readonly string[] = []): readonly string[] {
  const rows = members(schema).filter(([name]) => !told.includes(name));
  return [
    '| member | value | meaning, unit, default |',
    '|---|---|---|',
    ...rows.map(([name, member]) => `| \`${name}\` | ${cellText(typeOf(member))} | ${cellText(meaningOf(member))} |`),
  ];
}

function meaningOf(member: JsonObject): string {
  const { description } = member;
  const standard = member['default'];
  const text = typeof description === 'string' ? description : '';
  return standard === undefined ? text : `${text} Default: \`${JSON.stringify(standard)}\`.`;
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: '`true` or `false`',
  object: 'object',
};

/** A type in a few words. */
function typeOf(schema: JsonValue | undefined): string {
  if (!isObject(schema)) return 'anything';
  const { type, anyOf, items, additionalProperties } = schema;
  if (schema['const'] !== undefined) return `\`${JSON.stringify(schema['const'])}\``;
  if (Array.isArray(schema['enum']))
    return (schema['enum'] as readonly JsonValue[]).map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  if (Array.isArray(anyOf)) return (anyOf as readonly JsonValue[]).map(typeOf).join(' or ');
  if (type === 'array') return `list of ${typeOf(items)}`;
  if (type === 'object' && isObject(additionalProperties) && additionalProperties['type'] === 'string')
    return 'texts by name';
  if (type === 'number') return rangeOf(schema);
  return typeof type === 'string' ? (plainTypes[type] ?? 'anything') : 'anything';
}

function rangeOf({ minimum, maximum }: JsonObject): string {
  return typeof minimum === 'number' && typeof maximum === 'number' ? `number from ${minimum} to ${maximum}` : 'number';
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
      return `| ${hosts[id].title} (\`${id}\`) | \`${file}\` | \`${hosts[id].at.join('.')}\` |`;
    }),
  ];
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
