import type { JsonObject } from '../../base/index.ts';
import { formatBytes, plural, shorten } from '../../base/index.ts';
import type { ResourceLists } from '../../runtime/index.ts';

/** Longest description in a list: enough to choose by; the resource itself has the rest. */
const descriptionCharacters = 200;

/** Resources and templates as text, one a line: `uri  name (type, size): description`. */
export function resourceListText({ resources, resourceTemplates, problems }: ResourceLists): string {
  if (resources.length + resourceTemplates.length + problems.length === 0) return 'No resources.';
  const sections = [
    section(plural(resources.length, 'resource'), resources, 'uri'),
    section(plural(resourceTemplates.length, 'template'), resourceTemplates, 'uriTemplate'),
    problems.length === 0 ? undefined : ['Left out:', ...problems.map((problem) => `- ${problem}`)].join('\n'),
  ];
  return sections.filter((text) => text !== undefined).join('\n\n');
}

function section(heading: string, items: readonly JsonObject[], address: 'uri' | 'uriTemplate'): string | undefined {
  if (items.length === 0) return undefined;
  return [`${heading}:`, ...items.map((item) => line(item, address))].join('\n');
}

function line(item: JsonObject, address: 'uri' | 'uriTemplate'): string {
  const facts = [textOf(item, 'mimeType'), typeof item['size'] === 'number' ? formatBytes(item['size']) : undefined]
    .filter((fact) => fact !== undefined)
    .join(', ');
  const name = textOf(item, 'title') ?? textOf(item, 'name');
  const description = textOf(item, 'description');
  return [
    `- ${textOf(item, address) ?? '(no address)'}`,
    name === undefined ? '' : `  ${name}`,
    facts === '' ? '' : ` (${facts})`,
    description === undefined ? '' : `: ${description}`,
  ].join('');
}

/** One line: a line break inside would look like another entry. */
function textOf(item: JsonObject, member: string): string | undefined {
  const value = item[member];
  if (typeof value !== 'string' || value === '') return undefined;
  const flat = value.replaceAll(/\s+/g, ' ').trim();
  return member === 'description' ? shorten(flat, descriptionCharacters) : flat;
}
