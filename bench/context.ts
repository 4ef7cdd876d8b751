/** The block about servers: what a rung and a budget cost, how far the estimate is off, how long it takes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CountTokens, estimateTokens, loadTokenizer, type Offers, renderBlock } from '../src/context/index.ts';
import { createSectionWriter } from '../src/context/section.ts';
import { createRuntime, placesOf } from '../src/runtime/index.ts';
import { openRegistry } from '../src/registry/index.ts';
import { offerOf, realOffers, realServers, toolOf } from '../test/support/offers.ts';
import { writeTenThousand } from '../test/support/ten-thousand.ts';
import { median, ms, type Row } from './table.ts';

const settings = { schemaToolLimit: 0, readsFiles: true };

export async function measureContext(): Promise<readonly Row[]> {
  const startedMs = performance.now();
  const count = await loadTokenizer();
  const loadMs = performance.now() - startedMs;
  const offers = realOffers();
  const rows: Row[] = [informs('load the tokenizer', ms(loadMs))];
  rows.push(...rungRows(offers, count));
  for (const budgetTokens of [1_000, 2_000, 4_000, 8_000]) {
    const { tokens, text, receipt } = await renderBlock(offers, { ...settings, budgetTokens }, { count });
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
    writeTenThousand(home);
    openRegistry(places.registryRoot).servers();
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

/** What each rung costs for all real servers; schemas for the two of which there are some. */
function rungRows(offers: Offers, count: CountTokens): readonly Row[] {
  const writers = offers.servers.map((server) => createSectionWriter(server, { ...settings, budgetTokens: 0 }));
  const rows = (['80', '40', 'names', 'counts'] as const).map((rung): Row => {
    const parts = writers.map((writer) => writer.section({ rung, names: 0 }));
    const tokens = parts.map((part) => count(part));
    const all = tokens.reduce((sum, value) => sum + value, 0);
    const off = parts.map((part, at) => Math.abs(estimateTokens(part) / (tokens[at] ?? 1) - 1));
    const error = `error of the estimate a server: median ${percent(median(off))}, most ${percent(Math.max(...off))}`;
    return informs(`${sizeOf(offers)}, ${rungName(rung)}`, `${all} tokens; ${error}`);
  });
  const withSchemas = realServers().filter(({ tools }) => tools.some(({ inputSchema }) => inputSchema !== undefined));
  const few = withSchemas.map(({ server, tools }) =>
    createSectionWriter(
      offerOf(
        server,
        tools.map((tool) => toolOf(tool.name, tool.description, tool.inputSchema)),
      ),
      { ...settings, budgetTokens: 0 },
    ),
  );
  const tokens = few.reduce((sum, writer) => sum + count(writer.section({ rung: 'schemas', names: 0 })), 0);
  const tools = few.reduce((sum, { offer }) => sum + offer.tools.length, 0);
  return [informs(`${few.length} servers, ${tools} tools, schemas`, `${tokens} tokens`), ...rows];
}

const rungName = (rung: '80' | '40' | 'names' | 'counts'): string =>
  rung === '80' || rung === '40' ? `${rung} characters a tool` : rung;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function sizeOf({ servers }: Offers): string {
  return `${servers.length} servers, ${servers.reduce((sum, { tools }) => sum + tools.length, 0)} tools`;
}

function informs(what: string, value: string): Row {
  return { what, value, against: '', ratio: undefined, bar: undefined };
}
