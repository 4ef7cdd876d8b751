/** What makes two definitions the same: what they ask for, wherever it is written. */
import { jsonEquals } from '../base/index.ts';
import type { Definition } from './definition.ts';

/** A definition without its name, its place, what has no effect, and what is asked of each call and not of a connection. */
export function whatIsMeant(
  definition: Definition,
): Omit<Definition, 'name' | 'registryName' | 'source' | 'ignored' | 'tools'> {
  const {
    name: _name,
    registryName: _folder,
    source: _source,
    ignored: _ignored,
    tools: _tools,
    ...meant
  } = definition;
  return meant;
}

/** Whether both ask for the same: then a connection made for the one serves the other. */
export function isSameDefinition(one: Definition, other: Definition): boolean {
  return one === other || jsonEquals(whatIsMeant(one), whatIsMeant(other));
}
