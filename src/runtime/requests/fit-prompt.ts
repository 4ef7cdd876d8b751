/** A prompt's name and arguments, checked against what the registry knows before anything starts. */
import { isObject, type JsonValue, limits, nearest, stringifyJson, TrestleError } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import type { ListedItem } from '../../registry/index.ts';
import type { Core } from '../core.ts';

export interface WantedPrompt {
  readonly definition: Definition;
  readonly prompt: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Stands for a value that only the asker knows. */
const exampleValue = 'example_value';

/**
 * Throws `unknown_prompt` when the registry knows the server's prompts and not this one, `invalid_arguments` when a required argument
 * is missing. Where it knows nothing, the server decides.
 */
export function fitPrompt({ registry }: Core, wanted: WantedPrompt): void {
  const { definition, prompt } = wanted;
  const { registryName } = definition;
  if (registry.server(registryName).value === undefined) return;
  const { value: listed, findings } = registry.prompts(registryName);
  if (findings.length > 0) return;
  const found = listed.find(({ name }) => name === prompt);
  if (found === undefined) throw unknownPrompt(wanted, listed);
  const declared = argumentsOf(found);
  const missing = declared.filter(({ name, required }) => required && !Object.hasOwn(wanted.arguments, name));
  if (missing.length > 0) {
    throw missingArguments(
      wanted,
      missing.map(({ name }) => name),
      declared.map(({ name }) => name),
    );
  }
}

function argumentsOf(prompt: ListedItem): readonly { readonly name: string; readonly required: boolean }[] {
  const given = prompt['arguments'];
  if (!Array.isArray(given)) return [];
  return (given as readonly JsonValue[])
    .filter(isObject)
    .flatMap(({ name, required }) => (typeof name === 'string' ? [{ name, required: required === true }] : []));
}

function unknownPrompt({ definition, prompt }: WantedPrompt, listed: readonly ListedItem[]): TrestleError {
  const server = definition.name;
  const names = listed.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const near = nearest(prompt, names, limits.nearestNames);
  const known =
    names.length === 0 ? 'It has no prompts.' : `Its prompts: ${names.slice(0, limits.namesInHint).join(', ')}.`;
  const gained = `If the server has gained it since: trestle sync ${server}.`;
  return new TrestleError({
    code: 'unknown_prompt',
    message: `${server} has no prompt named ${JSON.stringify(prompt)}.`,
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `${known} ${gained}`,
    server,
    details: { nearest: near },
  });
}

function missingArguments(wanted: WantedPrompt, missing: readonly string[], declared: readonly string[]): TrestleError {
  const { definition, prompt, arguments: given } = wanted;
  const server = definition.name;
  // A name that the prompt does not know, and that is nearly one that is missing, is a slip.
  const open = new Set(missing);
  const misspelt = new Map<string, string>();
  for (const key of Object.keys(given)) {
    const [meant] = declared.includes(key) ? [] : nearest(key, open, 1);
    if (meant === undefined) continue;
    open.delete(meant);
    misspelt.set(key, meant);
  }
  const example = {
    ...Object.fromEntries(Object.entries(given).map(([key, value]) => [misspelt.get(key) ?? key, value])),
    ...Object.fromEntries([...open].map((name) => [name, exampleValue])),
  };
  const verb = missing.length === 1 ? 'is' : 'are';
  return new TrestleError({
    code: 'invalid_arguments',
    message: `The arguments do not fit the prompt ${server}/${prompt}: ${missing.join(', ')} ${verb} missing.`,
    hint: `An example that fits: ${stringifyJson(example)}`,
    server,
    details: { missing: [...open], misspelt: Object.fromEntries(misspelt), example },
  });
}
