/** Tools that the rules of their server's entry deny (K3): neither called nor shown. */
import { TrestleError } from '../../base/index.ts';
import { type Definition, definedIn } from '../../config/index.ts';
import { judgeTool } from '../../policy/index.ts';

export function isDenied({ tools }: Definition, tool: string): boolean {
  return judgeTool(tools, tool).kind === 'denied';
}

/** Those of `items` that are not denied, named by their member `name`. */
export function withoutDenied<T extends { readonly name?: unknown }>(
  definition: Definition,
  items: readonly T[],
): readonly T[] {
  return definition.tools === undefined
    ? items
    : items.filter(({ name }) => typeof name !== 'string' || !isDenied(definition, name));
}

/** Throws `denied`, naming the rule and its file, for a tool that may not be called; `tool` is its exact name. */
export function refuseDenied({ name, source, tools }: Definition, tool: string): void {
  const verdict = judgeTool(tools, tool);
  if (verdict.kind !== 'denied') return;
  const where = definedIn(source);
  throw new TrestleError({
    code: 'denied',
    message: `${name} may not be asked for ${JSON.stringify(tool)}: ${verdict.rule}${where === undefined ? '' : `, in ${where}`}.`,
    hint: `To allow it a person changes "tools" in the entry of ${name}.`,
    server: name,
    execution: 'not-sent',
  });
}
