/** Definitions given on a command line; nothing of them is stored. */
import type { JsonObject } from '../base/index.ts';
import type { Definition } from './definition.ts';
import { readEntry } from './entries.ts';

/**
 * A definition given on a command line: nothing is stored. References in it are resolved as in a file, so that the same words
 * work here and with `add`. Throws `config_entry_invalid` like a file's entry would.
 */
export function adHocDefinition(
  target: { readonly url: string } | { readonly command: string; readonly args: readonly string[] },
): Definition {
  const value: JsonObject = 'url' in target ? { url: target.url } : { command: target.command, args: target.args };
  return readEntry({ name: adHocName(target), source: { file: undefined, shape: 'ad-hoc', scope: 'ad-hoc' } }, value);
}

/**
 * The definition of a URL that somebody else than the user chose: it waits for approval and has no stored credential. Nothing in the
 * URL is a reference. `reach`: where it may lead. Throws `config_entry_invalid`.
 */
export function foreignUrlDefinition(url: string, reach: 'public' | 'any'): Definition {
  const source = { file: undefined, shape: 'ad-hoc', scope: 'project' } as const;
  const written = url.replaceAll('${', () => '$${').replace(/^\$env:/, '%24env:');
  const definition = readEntry({ name: adHocName({ url }), source }, { url: written, auth: false });
  const { transport } = definition;
  return reach === 'any' || transport.kind === 'stdio'
    ? definition
    : { ...definition, transport: { ...transport, reach } };
}

/** What stands for the name in messages: the host, or the program. */
function adHocName(target: { readonly url: string } | { readonly command: string }): string {
  if ('command' in target) return target.command.split(/[/\\]/).at(-1) ?? target.command;
  return URL.canParse(target.url) ? new URL(target.url).host : 'url';
}
