/**
 * The client under test for the official conformance suite: Trestle's runtime, driven through one scenario against the URL
 * in the last argument. Node.js 24 runs this file as it is; the suite tells the scenario in the environment.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../src/base/index.ts';
import {
  createRuntime,
  hasValue,
  type HostPorts,
  type Inspection,
  type Outcome,
  type Runtime,
} from '../../src/index.ts';
import { followPages } from '../support/follow-pages.ts';
import { server, serversFor } from './entry.ts';
import { lookAtSkills } from './skills.ts';

interface Drive {
  readonly runtime: Runtime;
  readonly server: string;
  /** Data some scenarios hand over. */
  readonly context: JsonObject;
}

/** A host that says yes to everything with nothing of its own, so that what arrives is Trestle's. */
const ports: HostPorts = {
  sample: async () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: '' } }),
  elicit: async () => ({ action: 'accept', content: {} }),
};

const scenarios: Readonly<Record<string, (drive: Drive) => Promise<void>>> = {
  initialize: lookAround,
  tools_call: (drive) => call(drive, 'add_numbers', { a: 5, b: 3 }),
  'request-metadata': lookAround,
  'http-standard-headers': callAndReadAll,
  'json-schema-ref-no-deref': lookAround,
  'json-schema-2020-12-preservation': echoSchema,
  'elicitation-sep1034-client-defaults': (drive) => call(drive, 'test_client_elicitation_defaults', {}),
  'sse-retry': (drive) => call(drive, 'test_reconnection', {}),
  'sep-2322-client-request-state': callAllListed,
  'http-custom-headers': callAsTold,
  'http-invalid-tool-headers': callAllListed,
};

async function lookAround(drive: Drive): Promise<void> {
  await inspect(drive);
}

async function callAndReadAll(drive: Drive): Promise<void> {
  const found = await inspect(drive);
  for (const tool of found.tools) await call(drive, text(tool, 'name'), {});
  for (const resource of found.resources) {
    value(await drive.runtime.read({ server: drive.server, uri: text(resource, 'uri') }));
  }
}

async function callAllListed(drive: Drive): Promise<void> {
  const found = await inspect(drive);
  // Some of these tools must fail by design, so an outcome without value is no reason to stop.
  for (const tool of found.tools) {
    await drive.runtime.call({ server: drive.server, tool: text(tool, 'name'), arguments: { region: 'us-west1' } });
  }
}

async function callAsTold(drive: Drive): Promise<void> {
  const calls = drive.context['toolCalls'];
  for (const told of Array.isArray(calls) ? calls.filter(isObject) : []) {
    const [tool, args] = [text(told, 'name'), isObject(told['arguments']) ? told['arguments'] : {}];
    const outcome = await drive.runtime.call({ server: drive.server, tool, arguments: args });
    // One argument is null though its schema allows only true and false. Trestle sends no such call; whoever makes it leaves it out.
    if (outcome.kind === 'invalid-arguments') await call(drive, tool, withoutNulls(args));
    else value(outcome);
  }
}

function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, argument]) => argument !== null));
}

async function echoSchema(drive: Drive): Promise<void> {
  const found = await inspect(drive);
  const focal = found.tools.find((tool) => tool['name'] === 'json_schema_2020_12_tool');
  if (focal === undefined) throw new Error('json_schema_2020_12_tool is not listed');
  await call(drive, 'json_schema_echo', { schema: focal['inputSchema'] });
}

async function call(drive: Drive, tool: string, args: unknown): Promise<void> {
  value(await drive.runtime.call({ server: drive.server, tool, arguments: args }));
}

async function inspect(drive: Drive): Promise<Inspection> {
  return value(await drive.runtime.inspect({ server: drive.server }));
}

function value<T>(outcome: Outcome<T>): T {
  if (hasValue(outcome)) return outcome.value;
  throw new Error(`${outcome.kind}: ${outcome.failure.code}: ${outcome.failure.message}`);
}

function text(item: JsonObject, member: string): string {
  const found = item[member];
  if (typeof found !== 'string') throw new Error(`an item has no ${member}`);
  return found;
}

/** Lists the tools and calls one, signing in whenever the server wants that; the times that it may are our own limit's to count. */
async function signedIn(drive: Drive): Promise<void> {
  const found = await withSignIn(drive, () => drive.runtime.listTools({ server: drive.server }));
  for (const tool of found.tools) {
    await withSignIn(drive, () =>
      drive.runtime.call({ server: drive.server, tool: text(tool, 'name'), arguments: {} }),
    );
  }
}

async function withSignIn<T>(drive: Drive, ask: () => Promise<Outcome<T>>): Promise<T> {
  for (;;) {
    const outcome = await ask();
    if (hasValue(outcome) || outcome.failure.code !== 'auth_required') return value(outcome);
    value(await drive.runtime.signIn({ server: drive.server, person: { showPage: followPages } }));
  }
}

/** Scenarios that Trestle has no part in; the value is whether files are read. */
const withoutTrestle: Readonly<Record<string, boolean>> = {
  'sep-2640-client-no-prefetch': false,
  'sep-2640-client-verify-digest': true,
  'sep-2640-client-verify-size': true,
  'sep-2640-client-verify-frontmatter': true,
};

async function main(url: string, scenario: string): Promise<void> {
  const reads = withoutTrestle[scenario];
  if (reads !== undefined) return await lookAtSkills(url, reads);
  const run = scenarios[scenario] ?? (scenario.startsWith('auth/') ? signedIn : undefined);
  if (run === undefined) throw new Error(`no way to drive the scenario ${scenario}`);
  const told: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
  const context = isObject(told) ? told : {};
  const home = mkdtempSync(join(tmpdir(), 'trestle-conformance-'));
  writeFileSync(join(home, 'servers.json'), JSON.stringify(serversFor(scenario, url, context)));
  const runtime = createRuntime({ home, cwd: home, ports, reconcile: false });
  try {
    await run({ runtime, server, context });
  } finally {
    await runtime.close();
    rmSync(home, { recursive: true, force: true });
  }
}

try {
  await main(process.argv.at(-1) ?? '', process.env['MCP_CONFORMANCE_SCENARIO'] ?? '');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
