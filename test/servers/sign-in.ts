/**
 * An MCP server behind a sign-in, and the authorization server for it, at one origin. Its authorization page asks nothing and sends the
 * browser back at once. As a program it prints the server's URL and takes its vices, as JSON, from its first argument.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SignInVices {
  /** What the server says of itself. */
  readonly description?:
    | 'good'
    | 'none'
    | 'html'
    | 'empty'
    | 'slash-issuer'
    | 'other-resource'
    | 'silent'
    | 'private-issuer'
    | 'private-description';
  /** What the authorization server says of itself. */
  readonly metadata?:
    | 'good'
    | 'none'
    | 'html'
    | 'empty'
    | 'silent'
    | 'no-pkce'
    | 'other-issuer'
    | 'slash-issuer'
    | 'insecure-token'
    | 'private-page'
    | 'error-500';
  readonly registration?: 'good' | 'none' | 'absent' | 'html' | 'empty' | 'refused' | 'silent';
  /** How a browser is sent back. */
  readonly answer?: 'good' | 'other-state' | 'other-issuer' | 'denied' | 'never';
  readonly tokens?:
    | 'good'
    | 'no-expiry'
    | 'error-200'
    | 'own-error-200'
    | 'html'
    | 'empty'
    | 'error-502'
    | 'silent'
    | 'refused';
  /** Documents and answers have null for what they leave out. */
  readonly nulls?: boolean;
  /** The server wants no sign-in. */
  readonly takesAnybody?: boolean;
  /** How it says what it wants, where that is not as the specification says. */
  readonly challenge?: 'none' | 'basic';
  /** The server refuses every token. */
  readonly takesNothing?: boolean;
  readonly expiresInSeconds?: number;
  /** A refresh token works once; used again, everything that came of its sign-in is withdrawn. */
  readonly rotating?: boolean;
  /** Whether it withdraws tokens; only some of them, or without an answer. */
  readonly revocation?: boolean | 'access-only' | 'silent';
  /** What becomes of renewals: never done, done and never answered, or answered by half. */
  readonly renewal?: 'undone' | 'unanswered' | 'half-answered';
  /** Milliseconds that a renewal takes. */
  readonly slowRenewalMs?: number;
  /** No call is answered before it resolves. */
  readonly callsEndAfter?: Promise<void>;
}

export interface SeenBySignIn {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: URLSearchParams;
  /** Of a JSON-RPC message: its method. */
  readonly rpc: string | undefined;
}

export interface SignInServer {
  /** Of the MCP server. */
  readonly url: string;
  readonly origin: string;
  readonly seen: readonly SeenBySignIn[];
  /** Vices from now on. */
  vices: SignInVices;
  /** Requests to a path. */
  readonly to: (path: string) => readonly SeenBySignIn[];
  /** Token requests of a kind of grant. */
  readonly grants: (kind: string) => readonly SeenBySignIn[];
  /** How many renewals were answered, or as far as they will be. */
  readonly answeredRenewals: () => number;
  /** Access tokens end now; what renews them does not. */
  readonly expireAll: () => void;
  readonly close: () => Promise<void>;
}

interface Family {
  readonly scope: string;
  isWithdrawn: boolean;
}

interface State {
  readonly access: Map<string, Family>;
  readonly refresh: Map<string, { readonly family: Family; isUsed: boolean }>;
  readonly codes: Map<string, { readonly challenge: string; readonly scope: string }>;
  readonly seen: SeenBySignIn[];
  answeredRenewals: number;
}

const secret = (kind: string): string => `${kind}-${randomBytes(12).toString('hex')}`;

export async function startSignInServer(vices: SignInVices = {}): Promise<SignInServer> {
  const state: State = { access: new Map(), refresh: new Map(), codes: new Map(), seen: [], answeredRenewals: 0 };
  const running = { vices };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    state.seen.push({
      method: request.method ?? '',
      path: url.pathname,
      authorization: request.headers.authorization,
      body: new URLSearchParams(isForm ? body : ''),
      rpc: /"method":"([^"]+)"/.exec(isForm ? '' : body)?.[1],
    });
    answer({ request, response, url, origin: url.origin, body, state, vices: running.vices });
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const to = (path: string): readonly SeenBySignIn[] => state.seen.filter((seen) => seen.path === path);
  return {
    url: `${origin}/mcp`,
    origin,
    seen: state.seen,
    get vices() {
      return running.vices;
    },
    set vices(next) {
      running.vices = next;
    },
    to,
    grants: (kind) => to('/token').filter(({ body }) => body.get('grant_type') === kind),
    answeredRenewals: () => state.answeredRenewals,
    expireAll: () => state.access.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly origin: string;
  readonly body: string;
  readonly state: State;
  readonly vices: SignInVices;
}

function answer(asked: Asked): void {
  const { url, response } = asked;
  switch (url.pathname) {
    case '/mcp':
      return mcp(asked);
    case '/.well-known/oauth-protected-resource/mcp':
    case '/.well-known/oauth-protected-resource':
      return describe(asked);
    case '/.well-known/oauth-authorization-server':
      return describeIssuer(asked);
    case '/register':
      return register(asked);
    case '/authorize':
      return authorize(asked);
    case '/token':
      return token(asked);
    case '/revoke':
      return revoke(asked);
    default:
      return void response.writeHead(404).end();
  }
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function html(response: ServerResponse, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title><p>401</p>');
}

function describe({ response, vices, origin }: Asked): void {
  const { description = 'good' } = vices;
  if (description === 'silent') return;
  if (description === 'none') return void response.writeHead(404).end();
  if (description === 'html') return html(response);
  if (description === 'empty') return void response.writeHead(200).end();
  const issuers: Readonly<Record<string, string>> = {
    'private-issuer': 'https://10.1.2.3',
    'slash-issuer': `${origin}/`,
  };
  json(response, {
    resource: description === 'other-resource' ? 'https://bank.example/mcp' : `${origin}/mcp`,
    authorization_servers: [issuers[description] ?? origin],
    scopes_supported: ['read'],
    ...(vices.nulls === true ? { resource_name: null, jwks_uri: null } : {}),
  });
}

function describeIssuer({ response, vices, origin }: Asked): void {
  const { metadata = 'good', registration = 'good', revocation = false } = vices;
  if (metadata === 'none') return void response.writeHead(404).end();
  if (metadata === 'html') return html(response);
  if (metadata === 'empty') return void response.writeHead(200).end();
  if (metadata === 'silent') return;
  if (metadata === 'error-500') return html(response, 500);
  const issuers: Readonly<Record<string, string>> = {
    'other-issuer': 'https://other.example',
    'slash-issuer': `${origin}/`,
  };
  json(response, {
    issuer: issuers[metadata] ?? origin,
    authorization_endpoint: metadata === 'private-page' ? 'https://10.1.2.3/authorize' : `${origin}/authorize`,
    token_endpoint: metadata === 'insecure-token' ? 'http://other.example/token' : `${origin}/token`,
    ...(registration === 'none' ? {} : { registration_endpoint: `${origin}/register` }),
    ...(revocation !== false ? { revocation_endpoint: `${origin}/revoke` } : {}),
    response_types_supported: ['code'],
    ...(metadata === 'no-pkce' ? {} : { code_challenge_methods_supported: ['S256'] }),
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    ...(vices.nulls === true ? { scopes_supported: null, jwks_uri: null } : {}),
  });
}

function register({ response, vices, body }: Asked): void {
  const { registration = 'good' } = vices;
  if (registration === 'silent') return;
  if (registration === 'absent') return void response.writeHead(404).end();
  if (registration === 'html') return html(response);
  if (registration === 'empty') return void response.writeHead(201).end();
  if (registration === 'refused') return json(response, { error: 'invalid_client_metadata' }, 400);
  const nulls = vices.nulls === true ? { client_secret: null, client_uri: null, contacts: null } : {};
  json(response, { ...(JSON.parse(body) as object), client_id: secret('client'), ...nulls }, 201);
}

function authorize({ url, response, vices, state, origin }: Asked): void {
  const { answer: how = 'good' } = vices;
  const asked = url.searchParams;
  if (how === 'never') return html(response);
  const back = new URL(asked.get('redirect_uri') ?? '');
  back.searchParams.set('state', how === 'other-state' ? 'forged' : (asked.get('state') ?? ''));
  back.searchParams.set('iss', how === 'other-issuer' ? 'https://other.example' : origin);
  if (how === 'denied') back.searchParams.set('error', 'access_denied');
  else {
    const code = secret('code');
    state.codes.set(code, { challenge: asked.get('code_challenge') ?? '', scope: asked.get('scope') ?? '' });
    back.searchParams.set('code', code);
  }
  response.writeHead(302, { location: back.href }).end();
}

function token(asked: Asked): void {
  const { response, vices, body } = asked;
  const parameters = new URLSearchParams(body);
  const { tokens = 'good', slowRenewalMs = 0 } = vices;
  if (tokens === 'silent') return;
  if (tokens === 'html') return html(response);
  if (tokens === 'empty') return void response.writeHead(200).end();
  if (tokens === 'error-502') return html(response, 502);
  if (tokens === 'error-200') return json(response, { error: 'invalid_grant', error_description: 'that code is over' });
  if (tokens === 'own-error-200') return json(response, { error: 'bad_refresh_token' });
  if (tokens === 'refused') return json(response, { error: 'invalid_grant' }, 400);
  switch (parameters.get('grant_type')) {
    case 'authorization_code':
      return byCode(asked, parameters);
    case 'refresh_token':
      return void setTimeout(() => byRefresh(asked, parameters), slowRenewalMs);
    case 'client_credentials':
      return grant(asked, { scope: parameters.get('scope') ?? '', isWithdrawn: false }, false);
    default:
      return json(response, { error: 'unsupported_grant_type' }, 400);
  }
}

function byCode(asked: Asked, parameters: URLSearchParams): void {
  const code = asked.state.codes.get(parameters.get('code') ?? '');
  asked.state.codes.delete(parameters.get('code') ?? '');
  const verifier = parameters.get('code_verifier') ?? '';
  const isProven = code?.challenge === createHash('sha256').update(verifier).digest('base64url');
  if (code === undefined || !isProven) return json(asked.response, { error: 'invalid_grant' }, 400);
  grant(asked, { scope: code.scope, isWithdrawn: false }, true);
}

function byRefresh(asked: Asked, parameters: URLSearchParams): void {
  const { state, vices, response } = asked;
  if (vices.renewal === 'undone') return;
  response.on('finish', () => (state.answeredRenewals += 1));
  const known = state.refresh.get(parameters.get('refresh_token') ?? '');
  if (known !== undefined && known.isUsed && vices.rotating === true) known.family.isWithdrawn = true;
  if (known === undefined || known.family.isWithdrawn) return json(response, { error: 'invalid_grant' }, 400);
  known.isUsed = true;
  if (vices.renewal === undefined) grant(asked, known.family, true);
  else beginAnswer(asked, vices.renewal);
}

function grant({ response, state, vices }: Asked, family: Family, renews: boolean): void {
  const { tokens = 'good', expiresInSeconds = 3_600 } = vices;
  const [access, refresh] = [secret('access'), secret('refresh')];
  state.access.set(access, family);
  if (renews) state.refresh.set(refresh, { family, isUsed: false });
  json(response, {
    access_token: access,
    token_type: 'Bearer',
    ...(tokens === 'no-expiry' ? {} : { expires_in: expiresInSeconds }),
    ...(renews ? { refresh_token: refresh } : {}),
    ...(family.scope === '' ? {} : { scope: family.scope }),
    ...(vices.nulls === true ? { refresh_token: null, scope: null, expires_in: null } : {}),
  });
}

/** The begin of an answer whose rest never comes, or not even that. */
function beginAnswer({ response, state }: Asked, how: NonNullable<SignInVices['renewal']>): void {
  if (how !== 'half-answered') return;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"access_token":"access-', () => (state.answeredRenewals += 1));
}

function revoke({ response, state, body, vices }: Asked): void {
  const asked = new URLSearchParams(body);
  if (vices.revocation === 'silent') return;
  if (vices.revocation === 'access-only' && asked.get('token_type_hint') === 'refresh_token') {
    return json(response, { error: 'unsupported_token_type' }, 400);
  }
  const given = asked.get('token') ?? '';
  const family = state.refresh.get(given)?.family ?? state.access.get(given);
  if (family !== undefined) family.isWithdrawn = true;
  response.writeHead(200).end();
}

const tools = ['whoami', 'administrate'].map((name) => ({ name, inputSchema: { type: 'object' } }));

function mcp({ request, response, state, origin, body, vices }: Asked): void {
  const given = (request.headers.authorization ?? '').replace(/^Bearer /, '');
  const family = vices.takesAnybody === true ? { scope: '', isWithdrawn: false } : state.access.get(given);
  const described =
    vices.description === 'private-description'
      ? 'http://169.254.169.254/latest'
      : `${origin}/.well-known/oauth-protected-resource/mcp`;
  const refuse = (status: number, error: string, scope: string): void => {
    const good = `Bearer error="${error}", scope="${scope}", resource_metadata="${described}"`;
    const challenge = vices.challenge === 'basic' ? 'Basic realm="docs"' : good;
    response.writeHead(status, vices.challenge === 'none' ? {} : { 'www-authenticate': challenge }).end();
  };
  if (family === undefined || family.isWithdrawn || vices.takesNothing === true)
    return refuse(401, 'invalid_token', 'read');
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const message = JSON.parse(body) as {
    readonly id?: number;
    readonly method: string;
    readonly params?: { readonly name?: string };
  };
  if (message.id === undefined) return void response.writeHead(202).end();
  if (message.params?.name === 'administrate' && !family.scope.split(' ').includes('admin')) {
    return refuse(403, 'insufficient_scope', 'admin');
  }
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'sign-in', version: '1' },
    },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: `allowed: ${family.scope}` }] },
  };
  const result = results[message.method];
  const reply = result === undefined ? { error: { code: -32_601, message: 'unknown method' } } : { result };
  const isDue = message.method === 'tools/call' ? vices.callsEndAfter : undefined;
  void Promise.resolve(isDue).then(() => json(response, { jsonrpc: '2.0', id: message.id, ...reply }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

if (import.meta.main) {
  const { url } = await startSignInServer(JSON.parse(process.argv[2] ?? '{}') as SignInVices);
  console.log(url);
}
