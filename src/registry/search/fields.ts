/** What of a tool is searched: its texts by field. */
import { isObject, type JsonValue, limits } from '../../base/index.ts';
import type { ToolDescriptor } from '../records.ts';

/**
 * Each field with its weight, and how far its length counts against it (BM25F, Robertson and Zaragoza 2009): a long name says no less
 * than a short one, a parameter among twenty does. What a tool is called counts most, then how its description begins; what its
 * parameters are called beats what is said of them. `npm run bench retrieval` shows what a change does.
 */
export const fields = [
  { name: 'name', weight: 3, lengthShare: 0.3 },
  { name: 'server', weight: 1, lengthShare: 0.3 },
  { name: 'title', weight: 2, lengthShare: 0.3 },
  /** The first sentence of the description. */
  { name: 'summary', weight: 1.5, lengthShare: 0.5 },
  { name: 'description', weight: 0.7, lengthShare: 0.3 },
  { name: 'parameters', weight: 0.5, lengthShare: 0.6 },
  { name: 'parameterDescriptions', weight: 0.2, lengthShare: 0.6 },
] as const;

/** Place of the field `name` in {@link fields}. */
export const nameField = 0;

/** The texts of a tool, in the order of {@link fields}. */
export function fieldTexts(server: string, descriptor: ToolDescriptor): readonly string[] {
  const { name, inputSchema } = descriptor;
  const description = textOf(descriptor.description);
  const end = firstSentenceEnd(description);
  const parameters = readParameters(inputSchema);
  return [
    name,
    server,
    titleOf(descriptor),
    description.slice(0, end),
    description.slice(end),
    parameters.names.join(' '),
    parameters.descriptions.join(' '),
  ].map((text) => text.slice(0, limits.searchFieldCharacters));
}

/** Its title, or the older one among its annotations; empty without. */
function titleOf({ title, annotations }: ToolDescriptor): string {
  return textOf(title) || (isObject(annotations) ? textOf(annotations['title']) : '');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function firstSentenceEnd(text: string): number {
  const end = text.search(/[.!?](?=\s)|[。！？\n]/);
  return end < 0 ? text.length : end;
}

interface Parameters {
  readonly names: readonly string[];
  readonly descriptions: readonly string[];
}

/** Names and descriptions of all properties, those of objects and lists inside included. A schema may be anything. */
function readParameters(schema: unknown): Parameters {
  const names: string[] = [];
  const descriptions: string[] = [];
  let level: readonly unknown[] = [schema];
  for (let depth = 0; depth < limits.searchSchemaLevels && level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const node of level) {
      const at = node as JsonValue | undefined;
      if (!isObject(at)) continue;
      const properties = at['properties'];
      for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
        if (names.length >= limits.searchParameters) return { names, descriptions };
        names.push(name);
        if (isObject(property)) descriptions.push(textOf(property['description']));
        next.push(property);
      }
      if (at['items'] !== undefined) next.push(at['items']);
    }
    level = next;
  }
  return { names, descriptions };
}
