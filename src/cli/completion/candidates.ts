/** What can stand at the cursor, from the files of the home. */
import { isObject, type JsonValue, type Program } from '../../base/index.ts';
import { referencedSecrets } from '../../config/index.ts';
import { exactGlob, writableName } from '../../policy/index.ts';
import type { ListedItem } from '../../registry/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { namesInFile } from '../../secrets/index.ts';
import type { WordKind } from '../command.ts';
import { commandsOf } from '../commands.ts';
import type { Flag, FlagTable } from '../flags.ts';
import { folderOf, knownServers } from '../known-names.ts';

export interface Candidate {
  readonly text: string;
  /** A server's own words, uncleaned. */
  readonly description?: unknown;
}

/** What can stand there, or that it is a file. */
export type Candidates = readonly Candidate[] | 'files';

export function commandCandidates(program: Program): Candidates {
  return [
    ...commandsOf(program).map(({ name, brief }) => ({ text: name, description: brief })),
    { text: 'help', description: 'Say more about a command' },
  ];
}

/** Flags that were not given yet, or may be given again. */
export function flagCandidates(table: FlagTable, given: ReadonlySet<string>): Candidates {
  return Object.entries(table)
    .filter(([name, flag]) => flag.kind === 'texts' || !given.has(name))
    .map(([name, flag]) => ({ text: `--${name}`, description: flag.doc }));
}

interface ValuePlace {
  /** The words before the flag. */
  readonly before: readonly string[];
  /** What stands of the value already. */
  readonly typed: string;
}

/** Values of a flag. */
export function valueCandidates(flag: Flag, files: () => Runtime, { before, typed }: ValuePlace): Candidates {
  if (flag.kind === 'switch' || flag.kind === 'seconds') return [];
  if (flag.value === 'SERVER') return serverCandidates(files());
  if (flag.value === 'GLOB')
    return toolCandidates(files(), before[0]).map((tool) => ({ ...tool, text: exactGlob(tool.text) }));
  if (flag.kind === 'texts') return takesReferences(flag) ? secretReferences(files(), keyOf(typed)) : [];
  if (flag.choices !== undefined) return flag.choices.map((text) => ({ text }));
  return /(?<!@)\b(?:FILE|PATH)\b/.test(flag.value) ? 'files' : [];
}

interface Place {
  readonly program: Program;
  /** The words of the command that stand already. */
  readonly before: readonly string[];
  readonly current: string;
}

/** What the next word of a command can be; nothing that would be taken for a flag. */
export function wordCandidates(runtime: Runtime, kinds: readonly WordKind[], place: Place): Candidates {
  const words = wordsAt(runtime, kinds, place);
  return words === 'files' ? words : words.filter(({ text }) => !text.startsWith('-'));
}

function wordsAt(runtime: Runtime, kinds: readonly WordKind[], { program, before, current }: Place): Candidates {
  const last = kinds.at(-1);
  const kind = kinds[before.length] ?? (last === 'arguments' || last === 'prompt-arguments' ? last : undefined);
  const [name = '', item = '', ...given] = before;
  const server = folderOf(runtime, name);
  switch (kind) {
    case undefined:
      return [];
    case 'command':
      return commandCandidates(program);
    case 'file':
      return 'files';
    case 'server':
      return serverCandidates(runtime);
    case 'secret':
      return name === 'list' ? [] : secretNames(runtime).map((text) => ({ text }));
    case 'tool':
      return toolCandidates(runtime, name);
    case 'resource':
      return runtime.registry.resources(server).value.resources.flatMap((resource) => named(resource, 'uri'));
    case 'prompt':
      return runtime.registry.prompts(server).value.flatMap((prompt) => named(prompt, 'name'));
    case 'arguments':
      return toolArguments(runtime.registry.tool(server, item).value?.inputSchema, { given, current });
    case 'prompt-arguments': {
      const prompt = runtime.registry.prompts(server).value.find(({ name }) => name === item);
      return promptArguments(prompt?.['arguments'], given);
    }
    default:
      return kind.map((text) => ({ text }));
  }
}

function serverCandidates(runtime: Runtime): Candidates {
  const described = new Map(runtime.registry.servers().value.map(({ name, description }) => [name, description]));
  return knownServers(runtime).map((text) => ({ text, description: described.get(folderOf(runtime, text)) }));
}

/** Whether it stores a value beside a name, which may be a reference. */
function takesReferences(flag: Flag & { readonly kind: 'texts' }): boolean {
  return /^NAME\b.*=VALUE/.test(flag.value);
}

/** After `NAME=`: each secret as servers.json refers to it. */
function secretReferences(runtime: Runtime, name: string | undefined): Candidates {
  return name === undefined ? [] : secretNames(runtime).map((secret) => ({ text: `${name}=\${keychain:${secret}}` }));
}

/** Secrets that the file holds or that entries refer to. What only a keychain knows is not looked for: it might ask its person. */
function secretNames(runtime: Runtime): readonly string[] {
  const referred = [...runtime.config().servers.values()].flatMap(referencedSecrets);
  return [...new Set([...namesInFile(runtime.places.stateFolder), ...referred])].sort();
}

function toolCandidates(runtime: Runtime, server: string | undefined): readonly Candidate[] {
  if (server === undefined) return [];
  const tools = runtime.registry.server(folderOf(runtime, server)).value?.tools ?? [];
  return tools.map((tool) => ({ text: writableName(tool), description: tool.description }));
}

function named(item: ListedItem, member: 'uri' | 'name'): readonly Candidate[] {
  const text = item[member];
  return typeof text === 'string' ? [{ text, description: item['description'] ?? item['title'] }] : [];
}

/** `key=` for each that is not given, required ones first; after `key=` the values it can have. */
function toolArguments(
  schema: JsonValue | undefined,
  { given, current }: { readonly given: readonly string[]; readonly current: string },
): Candidates {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(schema) || !isObject(properties)) return [];
  const key = keyOf(current);
  if (key !== undefined) return valuesOf(properties[key]).map((value) => ({ text: `${key}=${value}` }));
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as readonly JsonValue[]) : []);
  const keys = openKeys(Object.keys(properties), given);
  return [...keys.filter((name) => required.has(name)), ...keys.filter((name) => !required.has(name))].map((name) => {
    const property = properties[name];
    return { text: `${name}=`, description: isObject(property) ? property['description'] : undefined };
  });
}

function promptArguments(declared: JsonValue | undefined, given: readonly string[]): Candidates {
  const items = Array.isArray(declared) ? (declared as readonly JsonValue[]).filter(isObject) : [];
  const names = items.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  return openKeys(names, given).map((name) => ({
    text: `${name}=`,
    description: items.find((item) => item['name'] === name)?.['description'],
  }));
}

function openKeys(names: readonly string[], given: readonly string[]): readonly string[] {
  const taken = new Set(given.map((word) => keyOf(word)?.replace(/:$/, '')));
  return names.filter((name) => !taken.has(name));
}

/** The key of `key=value`. */
function keyOf(word: string): string | undefined {
  const equals = word.indexOf('=');
  return equals < 0 ? undefined : word.slice(0, equals);
}

/** Values that a schema names, as far as they can be typed as they are. */
function valuesOf(property: JsonValue | undefined): readonly string[] {
  if (!isObject(property)) return [];
  if (property['type'] === 'boolean') return ['true', 'false'];
  const options = property['enum'];
  if (!Array.isArray(options)) return [];
  return (options as readonly JsonValue[]).flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
}
