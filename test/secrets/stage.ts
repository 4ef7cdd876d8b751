/** A home whose servers know a secret and repeat it wherever they can. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configureServers, homeWith } from '../support/home.ts';
import { serveHttp } from '../support/http-server.ts';
import { leaksIn } from '../support/planted-secret.ts';
import type { CommandPlace } from '../support/run-command.ts';
import { tempFolder } from '../support/temp-folder.ts';

const telltale = join(import.meta.dirname, '../servers/telltale.mjs');

export interface Stage extends CommandPlace {
  readonly cwd: string;
  readonly out: string;
  /** Commands in whose output something was replaced. */
  readonly masked: Set<string>;
  readonly filled: (argv: readonly string[]) => readonly string[];
}

/** Makes the servers of a home such ones; by default of a new home. */
export async function stageOf(secret: string, home = homeWith({})): Promise<Stage> {
  const { origin } = await serveHttp((request, response) => {
    const said = `${request.headers.authorization ?? ''} and ${encodeURIComponent(secret)}`;
    const { id } = request.message;
    const respond = (status: number, headers: Readonly<Record<string, string>>, body: string): void => {
      response.writeHead(status, headers);
      response.end(body);
    };
    const json = { 'content-type': 'application/json' };
    switch (request.path.split('?', 1)[0]) {
      case '/500':
        return respond(500, { 'content-type': 'text/plain' }, said);
      case '/401':
        return respond(401, { 'www-authenticate': `Bearer realm="${encodeURIComponent(secret)}"` }, said);
      case '/403':
        return respond(403, json, JSON.stringify({ error: said, [said]: said }));
      case '/redirect':
        return respond(302, { location: `https://elsewhere.example/${encodeURIComponent(secret)}` }, said);
      case '/html':
        return respond(200, { 'content-type': 'text/html' }, `<html>${said}</html>`);
      case '/type':
        return respond(200, { 'content-type': `application/${encodeURIComponent(secret)}` }, said);
      default:
        return respond(
          400,
          json,
          JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_600, message: said, data: said } }),
        );
    }
  });
  const env = { API_TOKEN: '${API_TOKEN}' };
  const http = (path: string): object => ({
    url: `${origin}/${path}?page=\${HEADER_TOKEN}`,
    headers: { Authorization: 'Bearer ${HEADER_TOKEN}' },
  });
  configureServers(home, {
    it: { command: process.execPath, args: [telltale, 'talk', '${API_TOKEN}', '--key=${API_TOKEN}'], env },
    mute: { command: process.execPath, args: [telltale, 'mute'], env },
    http: http('rpc'),
    ...Object.fromEntries(
      ['500', '401', '403', 'redirect', 'html', 'type', 'rpc'].map((path) => [`http-${path}`, http(path)]),
    ),
  });
  const cwd = tempFolder();
  const out = join(tempFolder(), 'out');
  mkdirSync(out);
  // A header holds no letters beyond Latin-1: the same secret as it can be sent.
  const given = { ...process.env, API_TOKEN: secret, HEADER_TOKEN: encodeURIComponent(secret) };
  // Another tool's file, in which it stands as it is.
  const source = join(tempFolder(), 'mcp.json');
  const theirs = { command: 'run', args: ['--token', secret], env: { API_TOKEN: secret } };
  writeFileSync(source, JSON.stringify({ mcpServers: { theirs, web: { url: origin, headers: { 'X-Any': secret } } } }));
  const filled = (argv: readonly string[]): readonly string[] =>
    argv.map((word) =>
      word
        .replaceAll('<telltale>', telltale)
        .replaceAll('<home>', home)
        .replaceAll('<source>', source)
        .replaceAll('<out>', out),
    );
  return { home, cwd, env: given, out, filled, masked: new Set() };
}

/** The same command with `--json`, and its file beside the other. */
export function jsonForm(argv: readonly string[]): readonly string[] {
  const [command = '', ...words] = argv.map((word) => word.replace(/^<out>\/.*/, '$&.json'));
  return [command, '--json', ...words];
}

/** Files that hold the secret. */
export const filesOf = (stage: Stage, secret: string): readonly string[] =>
  [stage.home, stage.cwd, stage.out].flatMap((folder) => leaksIn(folder, secret));
