/** How well `search` finds what is meant, and what it costs with 10,000 tools. The data and their licence: data/retrieval. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileKey } from '../src/base/index.ts';
import { openRegistry, type Registry, type ToolDescriptor } from '../src/registry/index.ts';
import { makeSegment } from '../src/registry/search/segment.ts';
import { median, ms, type Row } from './table.ts';

interface Query {
  readonly text: string;
  readonly relevant: readonly { readonly server: string; readonly tool: string; readonly slot: number }[];
}

type Tool = ToolDescriptor & { readonly server: string };

const data = join(import.meta.dirname, 'data/retrieval');
const copies = 19;
const depths = [1, 5, 10] as const;

/**
 * Per cent, each set: recall at 1, 5 and 10, then the mean reciprocal rank. `defaults` is minisearch 7.2.0 over name and description as it
 * comes; `bar` is one point above the same library with split names, stop words, stemming, names three times, servers and parameters.
 */
const sets = {
  agent: { defaults: [46.8, 78.2, 83.5, 64.6], bar: [61, 81, 89] },
  steps: { defaults: [57.4, 75.0, 79.5, 65.8], bar: [61, 79, 84] },
} as const;

export async function measureRetrieval(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-bench-'));
  try {
    const tools = lines('tools.jsonl') as readonly Tool[];
    const [small, large] = [join(folder, 'small'), join(folder, 'large')];
    writeRegistry(small, tools, ['']);
    writeRegistry(
      large,
      tools,
      Array.from({ length: copies }, (_, at) => `-${at}`),
    );
    const names = Object.keys(sets) as (keyof typeof sets)[];
    const quality = await Promise.all(names.map((name) => qualityOf(openRegistry(small), name)));
    return [
      ...quality.flat(),
      indexRow(tools),
      ...(await timesOf(large, lines('queries-agent.jsonl') as readonly Query[])),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function lines(file: string): readonly unknown[] {
  return readFileSync(join(data, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** Files as a sync writes them, without its flushes; each tool once a suffix. */
function writeRegistry(root: string, tools: readonly Tool[], suffixes: readonly string[]): void {
  for (const [index, { server, ...descriptor }] of tools.entries()) {
    const name = folderOf(server);
    const folder = join(root, name, 'tools');
    if (server !== tools[index - 1]?.server) {
      mkdirSync(folder, { recursive: true });
      const transport = { kind: 'stdio', command: 'none' };
      writeFileSync(join(root, name, 'meta.json'), JSON.stringify({ name, transport }));
    }
    for (const suffix of suffixes) {
      const own = { ...descriptor, name: `${descriptor.name}${suffix}` };
      writeFileSync(join(folder, `${fileKey(own.name)}.json`), JSON.stringify(own));
    }
  }
}

const folderOf = (server: string): string => server.replaceAll(/[^\w.-]+/g, '_');

async function qualityOf(registry: Registry, set: keyof typeof sets): Promise<readonly Row[]> {
  const queries = lines(`queries-${set}.jsonl`) as readonly Query[];
  const found = await Promise.all(queries.map((query) => measure(registry, query)));
  const mean = (half: (at: number) => boolean, pick: (figures: Figures) => number): number => {
    const values = found.filter((_, at) => half(at)).map(pick);
    return (100 * values.reduce((sum, value) => sum + value, 0)) / values.length;
  };
  const row = (what: string, at: number, pick: (figures: Figures) => number): Row => {
    const [all, even, odd] = [() => true, (at: number) => at % 2 === 0, (at: number) => at % 2 === 1].map((half) =>
      mean(half, pick).toFixed(1),
    );
    const { bar, defaults } = sets[set];
    const wanted = bar[at];
    return {
      what: `${what}, ${set} queries (halves)`,
      value: `${all} % (${even}, ${odd})`,
      against: `minisearch ${defaults[at]} %${wanted === undefined ? '' : `, bar ${wanted} %`}`,
      // What is missed, beside what may be.
      ratio: wanted === undefined ? undefined : (100 - Number(all)) / (100 - wanted),
      bar: wanted === undefined ? undefined : 1,
    };
  };
  return [
    ...depths.map((depth, at) => row(`recall@${depth}`, at, ({ recall }) => recall[at] ?? 0)),
    row('reciprocal rank', depths.length, ({ reciprocal }) => reciprocal),
  ];
}

interface Figures {
  readonly recall: readonly number[];
  readonly reciprocal: number;
}

async function measure(registry: Registry, { text, relevant }: Query): Promise<Figures> {
  const { hits } = (await registry.search({ query: text, limit: 100 })).value;
  const places = new Map<number, number>();
  for (const { server, tool, slot } of relevant) {
    const folder = folderOf(server);
    const at = hits.findIndex((hit) => hit.server === folder && hit.tool === tool);
    places.set(slot, Math.min(places.get(slot) ?? Infinity, at < 0 ? Infinity : at));
  }
  const slots = [...places.values()];
  return {
    recall: depths.map((depth) => slots.filter((place) => place < depth).length / slots.length),
    reciprocal: 1 / (Math.min(...slots) + 1),
  };
}

/** The index of names and descriptions alone, of what is in memory already. */
function indexRow(tools: readonly Tool[]): Row {
  const copied = Array.from({ length: copies }, (_, at) =>
    tools.map((tool) => ({ ...tool, name: `${tool.name}-${at}` })),
  );
  const servers = Map.groupBy(copied.flat(), ({ server }) => server);
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const startedMs = performance.now();
    for (const [server, own] of servers) {
      const told = own.map(({ name, description = '' }) => ({ name, description }));
      const sources = told.map((descriptor) => ({
        told: { name: descriptor.name, key: descriptor.name, description: '' },
        descriptor: { ...descriptor, inputSchema: {} },
      }));
      makeSegment({ server, stamp: '', tools: sources });
    }
    times.push(performance.now() - startedMs);
  }
  return {
    what: 'index of names and descriptions in memory, 10,013 tools',
    value: ms(median(times)),
    against: '600 ms',
    ratio: median(times) / 600,
    bar: 1,
  };
}

async function timesOf(root: string, queries: readonly Query[]): Promise<readonly Row[]> {
  const timed = async (registry: Registry, query: string): Promise<number> => {
    const startedMs = performance.now();
    await registry.search({ query });
    return performance.now() - startedMs;
  };
  openRegistry(root).servers();
  const built = await timed(openRegistry(root), 'first');
  const loads: number[] = [];
  for (let round = 0; round < 9; round += 1) loads.push(await timed(openRegistry(root), 'convert image'));
  const registry = openRegistry(root);
  await timed(registry, 'first');
  const asked: number[] = [];
  for (const { text } of queries) asked.push(await timed(registry, text));
  const row = (what: string, value: number, bar: number): Row => ({
    what: `${what}, 10,013 tools`,
    value: ms(value),
    against: `${bar} ms`,
    ratio: value / bar,
    bar: 1,
  });
  return [
    {
      what: 'first search, reading all descriptors, 10,013 tools',
      value: ms(built),
      against: '',
      ratio: undefined,
      bar: undefined,
    },
    row('search from the stored index', median(loads), 150),
    row('query', median(asked), 5),
  ];
}
