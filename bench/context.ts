/** The block about servers: what a rung and a budget cost, how far the estimate is off, how long it takes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileKey } from '../src/base/index.ts';
import { estimateTokens, loadTokenizer, type Offers, renderBlock, type ServerOffer } from '../src/context/index.ts';
import { createRuntime, placesOf } from '../src/runtime/index.ts';
import { openRegistry } from '../src/registry/index.ts';
import { median, ms, type Row } from './table.ts';

interface Stored {
  readonly server: string;
  readonly description: string;
  readonly instructions: string;
  readonly resources: number;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

const root = '/home/user/.trestle/registry';
const settings = { schemaToolLimit: 0, readsFiles: true };

export async function measureContext(): Promise<readonly Row[]> {
  const startedMs = performance.now();
  const count = await loadTokenizer();
  const loadMs = performance.now() - startedMs;
  const offers = storedOffers();
  const rows: Row[] = [informs('load the tokenizer', ms(loadMs))];
  const whole = await renderBlock(offers, { ...settings, budgetTokens: 1_000_000 }, count);
  rows.push(informs(`${sizeOf(offers)}, 80 characters a tool`, `${whole.tokens} tokens`));
  const off = Math.abs(estimateTokens(whole.text) / whole.tokens - 1);
  rows.push(informs('estimate of that, error', `${(100 * off).toFixed(1)} %`));
  for (const budgetTokens of [1_000, 2_000, 4_000, 8_000]) {
    const { tokens, text, receipt } = await renderBlock(offers, { ...settings, budgetTokens }, count);
    const tools = receipt.servers.reduce((sum, server) => sum + server.tools, 0);
    const names = receipt.servers.reduce((sum, { namesShown }) => sum + namesShown, 0);
    const servers = receipt.servers.filter(({ server }) => text.includes(server)).length;
    rows.push({
      what: `block of ${budgetTokens} tokens`,
      value: `${tokens} tokens, ${servers} servers, ${Math.round((100 * names) / tools)} % of names`,
      against: 'its budget',
      ratio: tokens / budgetTokens,
      bar: 1,
    });
  }
  return [...rows, ...(await measureMany())];
}

/** 10,000 tools of 40 servers, on disk as a sync leaves them. */
async function measureMany(): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'trestle-bench-'));
  try {
    const places = placesOf(home);
    const servers = Array.from({ length: 40 }, (_, index) => `server-${index}`);
    const stored = storedServers().flatMap(({ tools }) => tools);
    const registry = openRegistry(places.registryRoot);
    for (const [at, name] of servers.entries()) {
      const tools = Array.from({ length: 250 }, (_, index) => {
        const { name: tool, description } = stored[(at * 250 + index) % stored.length] ?? {
          name: 't',
          description: '',
        };
        return { name: `${tool}_${index}`, description, inputSchema: { type: 'object' } };
      });
      await registry.apply(
        {
          meta: {
            name,
            description: `The server ${name}`,
            instructions: '',
            transport: { kind: 'stdio', command: 'none', args: [], env: {} },
            auth: { kind: 'none' },
            lifecycle: { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
            capabilities: {},
          },
          tools,
          resources: [],
          resourceTemplates: [],
          prompts: [],
        },
        { nowMs: 0, force: false },
      );
    }
    const { writeFileAtomic } = await import('../src/base/index.ts');
    const entries = Object.fromEntries(servers.map((name) => [name, { command: 'none' }]));
    await writeFileAtomic(places.serversFile, JSON.stringify({ mcpServers: entries }), { durable: false });
    registry.servers();
    const cold: number[] = [];
    const warm: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const runtime = createRuntime({ places, cwd: home, userHome: home, env: {}, platform: process.platform });
      cold.push(await timed(() => runtime.context({ budgetTokens: 4_000 + round })));
      warm.push(await timed(() => runtime.context({ budgetTokens: 4_000 + round })));
      await runtime.close();
    }
    return [
      {
        what: '10,000 tools, block cold',
        value: ms(median(cold)),
        against: '150 ms',
        ratio: median(cold) / 150,
        bar: 1,
      },
      { what: '10,000 tools, block again', value: ms(median(warm)), against: '2 ms', ratio: median(warm) / 2, bar: 1 },
    ];
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function storedServers(): readonly Stored[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../test/data/servers.json'), 'utf8')) as readonly Stored[];
}

function storedOffers(): Offers {
  const servers = storedServers().map(({ server, tools, ...said }): ServerOffer => ({
    ...said,
    name: server,
    folder: `${root}/${server}`,
    tools: tools.map((tool) => ({ ...tool, key: fileKey(tool.name) })),
  }));
  return { root, servers, leftOut: [] };
}

function sizeOf({ servers }: Offers): string {
  return `${servers.length} servers, ${servers.reduce((sum, { tools }) => sum + tools.length, 0)} tools`;
}

function informs(what: string, value: string): Row {
  return { what, value, against: '', ratio: undefined, bar: undefined };
}
