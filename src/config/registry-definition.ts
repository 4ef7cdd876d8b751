/** A server that only the registry knows, as a definition: whoever wrote the registry may have written it, so that it waits for approval (R6). */
import { TrestleError } from '../base/index.ts';
import type { Definition } from './definition.ts';
import { readEntry } from './entries.ts';

export interface RegisteredEntry {
  readonly name: string;
  /** Its meta.json. */
  readonly file: string;
  /** As recorded: what was replaced is lost. */
  readonly transport:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        readonly cwd?: string;
      }
    | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

/** What stands in a record where a secret was. */
const placeholder = '[redacted]';

/** Throws `not_configured` where the record has lost a part, `config_entry_invalid` for what is no entry. */
export function registryDefinition({ name, file, transport }: RegisteredEntry): Definition {
  const { kind: _kind, ...entry } = transport;
  if (JSON.stringify(entry).includes(placeholder)) {
    throw new TrestleError({
      code: 'not_configured',
      message: `${name} stands in the registry but in no configuration, and the registry keeps no secrets: ${file} has ${placeholder} in their place.`,
      hint: `Configure it with "trestle add ${name} …".`,
      server: name,
    });
  }
  const source = { file, shape: 'registry', scope: 'project' } as const;
  return { ...readEntry({ name, source }, entry), registryName: name };
}
