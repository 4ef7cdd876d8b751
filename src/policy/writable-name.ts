/** Names of tools as a person or a model can write them. */
import { fileKey, limits } from '../base/index.ts';
import { cleanLine } from './hygiene.ts';

/** Nearly all names have nothing that could have to be cleaned. */
const usual = /^[\w.-]+$/;

/**
 * The name if it can be shown as it is and be given back as it is shown; else the key of the tool's file, which is as good in a call:
 * whoever reads a name of which a part is hidden cannot write it.
 */
export function writableName({ name, key }: { readonly name: string; readonly key?: string }): string {
  if (usual.test(name) && name.length <= limits.toolNameCharacters) return name;
  const isShown = name !== '' && cleanLine(name, limits.toolNameCharacters) === name;
  return isShown ? name : (key ?? fileKey(name));
}
