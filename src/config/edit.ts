import type { Definition } from './definition.ts';

/** A new entry in the `mcpServers` shape; values may hold `${…}` references. */
export type NewEntry =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly description?: string;
      /** Seconds. */
      readonly timeout?: number;
    }
  | {
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly transport?: 'streamable' | 'sse';
      readonly description?: string;
      readonly timeout?: number;
    };

/** What an edit did to the file. */
export interface FileEdit {
  readonly file: string;
  readonly kind: 'added' | 'replaced' | 'removed' | 'unchanged';
  /** The lines of the change as `- old` and `+ new`, literal secrets masked. */
  readonly diff: readonly string[];
}

/** Adds or replaces (`replace: true`) an entry, keeping comments and formatting. Throws `exists`, `invalid_name`, `config_unreadable`, `config_entry_invalid`. */
export async function addEntry(
  file: string,
  name: string,
  options: { readonly entry: NewEntry; readonly replace?: boolean },
): Promise<FileEdit> {
  throw new Error(`not built: ${file} ${name} ${String(options.replace)}`);
}

/** Removes an entry from the shape it stands in; `unchanged` when there is none. */
export async function removeEntry(file: string, name: string): Promise<FileEdit> {
  throw new Error(`not built: ${file} ${name}`);
}

/** A definition given on a command line: nothing is stored. Throws `config_entry_invalid` like a file's entry would. */
export function adHocDefinition(
  target: { readonly url: string } | { readonly command: string; readonly args: readonly string[] },
): Definition {
  throw new Error(`not built: ${JSON.stringify(target)}`);
}
