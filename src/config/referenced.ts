/** What a definition refers to, by name. */
import type { Definition } from './definition.ts';
import { parseReferences, secretsOf, variablesOf } from './references.ts';

/** Names of the environment variables a definition refers to. */
export function referencedVariables(definition: Definition): readonly string[] {
  return [...new Set(textsOf(definition).flatMap((text) => variablesOf(parseReferences(text))))];
}

/** Names of the secrets a definition refers to. */
export function referencedSecrets(definition: Definition): readonly string[] {
  return [...new Set(textsOf(definition).flatMap((text) => secretsOf(parseReferences(text))))];
}

function textsOf({ transport, auth }: Definition): readonly string[] {
  return transport.kind === 'stdio'
    ? [transport.command, ...transport.args, ...Object.values(transport.env), transport.cwd ?? '']
    : [transport.url, ...Object.values(transport.headers), ...Object.values(auth?.values ?? {})];
}
