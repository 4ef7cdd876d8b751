/** K4 as a whole: a secret that a hostile server repeats everywhere leaves by no way out. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandTable } from '../../src/cli/commands.ts';
import { createRedactor } from '../../src/policy/index.ts';
import { homeWith } from '../support/home.ts';
import { serveHttp } from '../support/http-server.ts';
import { formsOf, leakIn, leaksIn } from '../support/planted-secret.ts';
import { type CommandPlace, runCommand } from '../support/run-command.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { commandLines } from './every-command.ts';

const telltale = join(import.meta.dirname, '../servers/telltale.mjs');

/** With what encodings change: quotes, blanks, letters beyond ASCII, signs of URLs and of markup. */
const oddSecret = String.raw`p@ss/w0rd+with "quotes" & <ümläut>\n%41`;
const plainSecret = 'sk-live-0123456789abcdefXYZ';

interface Stage extends CommandPlace {
  readonly out: string;
  /** Commands in whose output something was replaced. */
  readonly masked: Set<string>;
  readonly fill: (argv: readonly string[]) => readonly string[];
}

/** A home whose servers all have the secret. */
async function stageOf(secret: string): Promise<Stage> {
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
  const home = homeWith({
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
  const fill = (argv: readonly string[]): readonly string[] =>
    argv.map((word) => word.replaceAll('<telltale>', telltale).replaceAll('<home>', home).replaceAll('<out>', out));
  return { home, cwd, env: given, out, fill, masked: new Set() };
}

/** What of `argv`, run as text and as JSON, holds the secret. */
async function leaksOf(stage: Stage, argv: readonly string[], secret: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const form of [argv, jsonForm(argv)]) {
    const ran = await runCommand(stage.fill(form), stage);
    if (`${ran.stdout}${ran.stderr}`.includes('[redacted]')) stage.masked.add(argv[0] ?? '');
    for (const [stream, text] of [
      ['stdout', ran.stdout],
      ['stderr', ran.stderr],
    ] as const) {
      const leak = leakIn(text, secret);
      if (leak !== undefined) found.push(`${form.join(' ')}: ${stream}: ${leak}`);
    }
  }
  return found;
}

function jsonForm(argv: readonly string[]): readonly string[] {
  const [command = '', ...words] = argv.map((word) => word.replace(/^<out>\/.*/, '$&.json'));
  return [command, '--json', ...words];
}

const filesOf = (stage: Stage, secret: string): readonly string[] =>
  [stage.home, stage.cwd, stage.out].flatMap((folder) => leaksIn(folder, secret));

it('K4: every command is looked at', () => {
  expect(Object.keys(commandLines).sort()).toEqual(commandTable.map(({ name }) => name).sort());
});

describe.each([
  ['plain', plainSecret],
  ['odd', oddSecret],
])('a planted secret, %s', (_, secret) => {
  it('K4: is in no output of any command, and in no file', async () => {
    const stage = await stageOf(secret);
    const found: string[] = [];
    // Added and synced first, removed last: the others have something to show.
    const order = [
      'add',
      'sync',
      ...Object.keys(commandLines).filter((name) => !['add', 'sync', 'remove'].includes(name)),
      'remove',
    ];
    for (const command of order) {
      for (const argv of commandLines[command] ?? []) found.push(...(await leaksOf(stage, argv, secret)));
    }
    expect([...found, ...filesOf(stage, secret)]).toEqual([]);
    // They had something to hide, all but those that show nothing a server said.
    const quiet = ['remove', 'secret', 'daemon', 'completion', 'status', 'validate', 'reload', 'revoke'];
    expect([...stage.masked, ...quiet].sort()).toEqual(Object.keys(commandLines).sort());
  }, 300_000);
});

describe('any secret', () => {
  const odd = constantFrom('"', '\\', '/', '%', '+', '&', '<', "'", ' ', 'é', '🔑', '\u{301}', '\t', '=');
  // Not the sign of a cut: what stands between two of them would count as what a cut has left.
  const character = oneof(odd, string({ unit: 'grapheme', minLength: 1, maxLength: 1 }));
  const secrets = array(character, { minLength: 8, maxLength: 200 })
    .map((characters) => characters.join('').trim())
    // What JSON and URLs cannot hold is no secret that could be set.
    .filter((secret) => secret.length >= 8 && secret.isWellFormed());

  it('K4: in any form, in any text, does not come through', () => {
    assert(
      property(secrets, string(), string(), (secret, before, after) => {
        const redactor = createRedactor();
        redactor.add(secret);
        for (const [form, seen] of formsOf(secret)) {
          const text = `${before}${seen}${after}`;
          expect(leakIn(redactor.redact(text), secret), form).toBeUndefined();
          expect(leakIn(redactor.redact(JSON.stringify({ [text]: text })), secret), form).toBeUndefined();
        }
        for (const alphabet of ['base64', 'base64url'] as const) {
          const coded = Buffer.from(`${before}${secret}${after}`).toString(alphabet);
          expect(leakIn(redactor.redact(coded), secret), alphabet).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });
});
