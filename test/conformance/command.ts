/**
 * The command line under test for the official conformance suite, as a person uses it: `trestle login` with a browser that follows pages, then
 * `trestle call`, and another login where a call says that it needs one. The suite gives the URL as the last argument, and tells the
 * scenario in the environment.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject, parseJson, stringifyJson } from '../../src/base/index.ts';
import { server, serversFor } from './entry.ts';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'dist/cli.js');
const browser = join(root, 'test/support/headless-browser.mjs');

/** As `auth_required` and other reasons for which a server cannot be used end the command. */
const unavailable = 3;

/** Runs a command; exit code 0 and what it printed. Throws with what it said otherwise. */
function trestle(home: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = start(home, words);
  if (status === 0) return stdout;
  throw new Error(`trestle ${words[0]} ended with ${status}: ${stderr.trim()}`);
}

function start(home: string, words: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [cli, ...words], {
    cwd: home,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      TRESTLE_HOME: home,
      TRESTLE_NO_DAEMON: '1',
      NO_COLOR: '1',
      BROWSER: `"${process.execPath}" "${browser}"`,
    },
  });
}

/** Does what `words` say, signing in whenever that is what it lacks; the times that it may are Trestle's own limit to count. */
function signedIn(home: string, ...words: readonly string[]): void {
  for (;;) {
    const { status, stderr } = start(home, words);
    if (status === 0) return;
    if (status !== unavailable || !stderr.includes(`trestle login ${server}`))
      throw new Error(`trestle ${words[0]} ended with ${status}: ${stderr.trim()}`);
    trestle(home, 'login', server);
  }
}

function main(url: string, scenario: string): void {
  const context = parseJson(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
  const home = mkdtempSync(join(tmpdir(), 'trestle-conformance-'));
  try {
    const servers = serversFor(scenario, url, isObject(context) ? context : {});
    writeFileSync(join(home, 'servers.json'), JSON.stringify(servers));
    writeFileSync(join(home, 'settings.json'), '{ "secretStore": "file" }');
    // Who signs in by itself needs no login; a login reads the tools as a sync does.
    signedIn(home, isMachine(servers) ? 'sync' : 'login', server);
    for (const tool of toolsOf(trestle(home, 'list', server, '--json'))) signedIn(home, 'call', server, tool);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function isMachine(servers: JsonObject): boolean {
  return /"type":"(client-credentials|private-key-jwt|enterprise|workload)"/.test(stringifyJson(servers));
}

function toolsOf(listed: string): readonly string[] {
  const { tools } = parseJson(listed) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name);
}

try {
  main(process.argv.at(-1) ?? '', process.env['MCP_CONFORMANCE_SCENARIO'] ?? '');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
