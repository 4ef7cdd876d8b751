/** From a definition as written to an endpoint that can be dialled. */
import {
  asTrestleError,
  canonicalJson,
  inheritedEnvironment,
  type Proxies,
  proxySecrets,
  readProxies,
  sha256Hex,
  isThereSync,
} from '../base/index.ts';
import type { Endpoint } from '../wire/index.ts';
import { dirname, isAbsolute } from 'node:path';
import type { ResolvedAuth } from './auth.ts';
import type { DefinedTransport, Definition, ResolvedServer } from './definition.ts';
import { entryError, serverSubject } from './members.ts';
import { whatIsMeant } from './same-definition.ts';
import { referencedSecrets } from './referenced.ts';
import { type ReferenceContext, resolveReferences } from './references.ts';
import {
  addressSecrets,
  argumentSecrets,
  headerSecrets,
  isSecretHeader,
  isSecretName,
  querySecrets,
} from './secrets.ts';
import { lookUp, program, type ResolveContext, workingFolder } from './where-it-runs.ts';

/** As `resolveDefinition` of the room's door promises. */
export async function resolve(definition: Definition, context: ResolveContext): Promise<ResolvedServer> {
  const secrets = new Set<string>();
  const inherited = inheritedEnvironment(context.env, context.platform);
  const references: ReferenceContext = {
    server: definition.name,
    lookUp: (name) => lookUp(context, name),
    secret: await secretsOfStore(definition, context),
    secretsPlace: context.secrets?.place ?? 'any store',
    onValue: (kind, name, value) => {
      if (kind === 'secret' || isSecretVariable(name, value, inherited)) secrets.add(value);
      for (const secret of addressSecrets(value)) secrets.add(secret);
    },
  };
  const proxies = readProxies((name) => lookUp(context, name));
  // A server's process inherits them, and can say them back.
  for (const secret of proxySecrets(proxies)) secrets.add(secret);
  const resolution: Resolution = { definition, context, inherited, proxies, references, secrets };
  const { transport } = definition;
  const endpoint =
    transport.kind === 'stdio' ? stdioEndpoint(transport, resolution) : httpEndpoint(transport, resolution);
  const auth = await authFor(resolution);
  secrets.delete('');
  return {
    definition,
    endpoint: auth?.kind === 'bearer' ? withBearer(endpoint, auth) : endpoint,
    auth,
    secrets: [...secrets],
    definitionHash: sha256Hex(canonicalJson(whatIsMeant(definition))),
    valuesDigest: keyedDigest(canonicalJson({ endpoint, auth: auth ?? null, path: lookUp(context, 'PATH') })),
  };
}

/**
 * The values of all secrets a definition refers to, asked for at once: a keychain takes its time. One that cannot be had is thrown
 * where it is used, since a reference in an unused default needs none.
 */
async function secretsOfStore(
  definition: Definition,
  { secrets }: ResolveContext,
): Promise<(name: string) => string | undefined> {
  if (secrets === undefined) return () => undefined;
  const names = referencedSecrets(definition);
  const had = await Promise.allSettled(names.map((name) => secrets.get(name)));
  const byName = new Map(names.map((name, at) => [name, had[at]]));
  return (name) => {
    const result = byName.get(name);
    if (result?.status !== 'rejected') return result?.value;
    throw asTrestleError(result.reason, { server: definition.name });
  };
}

/**
 * Whether the value of a variable is a secret. All are but two kinds: what every server's process inherits anyway (HOME, PATH; not so a
 * proxy's URL, which may hold a password), and the path of something that is there, unless its name says otherwise. A path says no more
 * than the server knows by running here, and to blank out the project's folder in all its answers would help nobody.
 */
function isSecretVariable(name: string, value: string, inherited: Readonly<Record<string, string>>): boolean {
  if (Object.hasOwn(inherited, name)) return /proxy/i.test(name);
  return isSecretName(name) || !isAbsolute(value) || !isThereSync(value, false);
}

interface Resolution {
  readonly definition: Definition;
  readonly context: ResolveContext;
  /** What every server's process inherits. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly proxies: Proxies;
  readonly references: ReferenceContext;
  readonly secrets: Set<string>;
}

function stdioEndpoint(transport: DefinedTransport & { readonly kind: 'stdio' }, resolution: Resolution): Endpoint {
  const { context, references, secrets } = resolution;
  const value = (text: string, member: string): string => {
    const resolved = resolveReferences(text, member, references);
    if (!resolved.includes('\0')) return resolved;
    const entry = serverSubject(resolution.definition.name, resolution.definition.source.file);
    throw entryError(entry, member, 'has a NUL character, which no process can be given');
  };
  const configured = Object.entries(transport.env).map(([name, text]): readonly [string, string] => {
    const resolved = value(text, `env.${name}`);
    if (isSecretName(name)) secrets.add(resolved);
    for (const secret of addressSecrets(resolved)) secrets.add(secret);
    return [name, resolved];
  });
  const written = transport.cwd === undefined ? undefined : value(transport.cwd, 'cwd');
  const cwd = workingFolder(written, resolution);
  const args = transport.args.map((text, index) => value(text, `args[${index}]`));
  for (const secret of argumentSecrets(args)) secrets.add(secret);
  return {
    kind: 'stdio',
    command: program(value(transport.command, 'command'), { cwd, context }),
    args,
    env: withConfigured(resolution.inherited, configured, context.platform),
    cwd,
    framing: transport.framing,
  };
}

/** On Windows `Path` and `PATH` are one variable: the configured one replaces the inherited one. */
function withConfigured(
  inherited: Readonly<Record<string, string>>,
  configured: readonly (readonly [string, string])[],
  platform: string,
): Readonly<Record<string, string>> {
  const replaced = new Set(configured.map(([name]) => name.toUpperCase()));
  const kept = Object.entries(inherited).filter(([name]) => platform !== 'win32' || !replaced.has(name.toUpperCase()));
  return Object.fromEntries([...kept, ...configured]);
}

function httpEndpoint(transport: DefinedTransport & { readonly kind: 'http' }, resolution: Resolution): Endpoint {
  const { proxies, references, secrets } = resolution;
  const url = resolveReferences(transport.url, 'url', references).trim();
  checkUrl(url, resolution);
  for (const secret of querySecrets(url)) secrets.add(secret);
  const headers = Object.entries(transport.headers).map(([name, text]): readonly [string, string] => {
    const value = resolveReferences(text, `headers.${name}`, references).trim();
    checkHeader(name, value, resolution);
    if (isSecretHeader(name)) for (const secret of headerSecrets(value)) secrets.add(secret);
    return [name, value];
  });
  return {
    kind: 'http',
    url,
    headers: Object.fromEntries(headers),
    transport: transport.choice,
    redirects: transport.redirects,
    proxies,
    ...(transport.reach === undefined ? {} : { reach: transport.reach }),
  };
}

async function authFor({ definition, context, references, secrets }: Resolution): Promise<ResolvedAuth | undefined> {
  const { auth, source, name } = definition;
  if (auth === undefined) return undefined;
  // Few entries have one, and each command would pay for it.
  const { resolveAuth } = await import('./resolve-auth.ts');
  return resolveAuth(auth, {
    about: serverSubject(name, source.file),
    value: (text, member) => resolveReferences(text, member, references),
    folder: source.file === undefined ? context.cwd : dirname(source.file),
    userHome: context.userHome,
    onSecret: (secret) => secrets.add(secret),
  });
}

/** A token that somebody hands over is a header like any other. */
function withBearer(endpoint: Endpoint, { values }: ResolvedAuth): Endpoint {
  if (endpoint.kind === 'stdio') return endpoint;
  return { ...endpoint, headers: { ...endpoint.headers, Authorization: `Bearer ${values.token}` } };
}

function checkUrl(text: string, { definition }: Resolution): void {
  const entry = serverSubject(definition.name, definition.source.file);
  // The URL itself is not repeated in errors: it may hold a secret.
  if (!URL.canParse(text)) throw entryError(entry, 'url', 'is no absolute URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw entryError(entry, 'url', `must begin with http:// or https://, got ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw entryError(entry, 'url', 'holds a user name or password, which would be shown in many places').with({
      hint: 'Put it in headers instead, for example "Authorization": "Bearer ${TOKEN}".',
    });
  }
}

function checkHeader(name: string, value: string, { definition }: Resolution): void {
  const entry = serverSubject(definition.name, definition.source.file);
  // eslint-disable-next-line no-control-regex -- control characters are the subject
  if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value)) {
    throw entryError(entry, `headers.${name}`, 'has a value with characters that HTTP does not allow');
  }
}

let digestKey: Uint8Array | undefined;

/** HMAC under a key that only this process knows: equal values have equal digests, and nothing can be found out from one. */
function keyedDigest(text: string): string {
  const crypto = process.getBuiltinModule('node:crypto');
  digestKey ??= crypto.randomBytes(32);
  return crypto.createHmac('sha256', digestKey).update(text).digest('hex');
}
