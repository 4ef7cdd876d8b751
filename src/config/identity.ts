/** What a person approves: a definition's identity (K1, K2), as one hash. */
import { canonicalJson, type JsonObject, type JsonValue, nameDigest } from '../base/index.ts';
import type { Definition } from './definition.ts';
import { parseReferences, type Reference } from './references.ts';
import { lookUp, program, type ResolveContext, workingFolder } from './where-it-runs.ts';

/**
 * The hash of what a definition starts or connects to: resolved command, arguments, folder and URL, the names of variables and
 * headers, framing and transport. Of an entry that a project wrote, the values of variables and headers count too, as written, and how
 * it is signed in to: who sets NODE_OPTIONS decides what runs, and who names a key's file has it used. Time limits, descriptions and the like do not count. A variable that is not set, and a
 * reference of another kind, stands as text.
 */
export function identityHash(definition: Definition, context: ResolveContext): string {
  return nameDigest(canonicalJson(identityOf(definition, context)));
}

function identityOf(definition: Definition, context: ResolveContext): JsonValue {
  const { transport, source } = definition;
  const value = (text: string): string => resolvedText(parseReferences(text), context);
  const named = (members: Readonly<Record<string, string>>): JsonValue =>
    source.scope === 'project' ? members : Object.keys(members).sort();
  if (transport.kind === 'http') {
    const headers = Object.entries(transport.headers).map(([name, text]) => [name.toLowerCase(), text] as const);
    const { url, choice, redirects } = transport;
    const auth = authOf(definition, named);
    return { url: value(url).trim(), headers: named(Object.fromEntries(headers)), choice, redirects, ...auth };
  }
  const written = transport.cwd === undefined ? undefined : value(transport.cwd);
  const cwd = workingFolder(written, { definition, context });
  return {
    command: program(value(transport.command), { cwd, context }),
    args: transport.args.map(value),
    env: named(transport.env),
    cwd,
    framing: transport.framing,
  };
}

/** Who signs in, and where; absent for an entry that says nothing of it, so that its identity is what it always was. */
function authOf({ auth }: Definition, named: (members: Readonly<Record<string, string>>) => JsonValue): JsonObject {
  return auth === undefined ? {} : { auth: { kind: auth.kind, values: named(auth.values) } };
}

function resolvedText(parts: readonly Reference[], context: ResolveContext): string {
  return parts
    .map((part) => {
      if (part.kind !== 'variable') return part.text;
      const value = lookUp(context, part.name);
      if (value !== undefined && (value !== '' || part.fallback === undefined)) return value;
      return part.fallback === undefined ? `\${${part.name}}` : resolvedText(part.fallback, context);
    })
    .join('');
}
