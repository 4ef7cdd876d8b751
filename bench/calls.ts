/** What a tool call costs through the whole of Trestle, through the bare SDK client, and through a bare loop of JSON lines. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createRuntime, hasValue } from '../src/index.ts';
import { benchServer, temporaryHome } from './home.ts';
import { interleaved, microseconds, type Row } from './table.ts';

const text = 'x'.repeat(1_000);
const sequentialCalls = 300;
const concurrentCalls = 1_920;
const inFlight = 64;

/** One way of calling: `call` resolves when the whole result is there. */
interface Subject {
  readonly call: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function throughTrestle(): Promise<Subject> {
  const home = temporaryHome({ bench: benchServer() });
  const runtime = createRuntime({ home: home.path, cwd: home.path, reconcile: false });
  const synced = await runtime.sync({ server: 'bench' });
  if (!hasValue(synced)) throw new Error(synced.failure.message);
  return {
    async call() {
      const outcome = await runtime.call({ server: 'bench', tool: 'echo', arguments: { text, number: 1 } });
      if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
    },
    async close() {
      await runtime.close();
      home.remove();
    },
  };
}

async function throughSdk(): Promise<Subject> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport(benchServer()));
  // So that it checks output schemas, as Trestle does.
  await client.listTools();
  return {
    async call() {
      await client.callTool({ name: 'echo', arguments: { text, number: 1 } });
    },
    close: () => client.close(),
  };
}

async function throughLines(): Promise<Subject> {
  const { command, args } = benchServer();
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, () => void>();
  let id = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as { readonly id: number };
    waiting.get(reply.id)?.();
    waiting.delete(reply.id);
  });
  return {
    call: () =>
      new Promise((resolve) => {
        id += 1;
        waiting.set(id, resolve);
        const params = { name: 'echo', arguments: { text, number: 1 } };
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
      }),
    async close() {
      child.stdin.end();
      await new Promise((resolve) => child.on('close', resolve));
    },
  };
}

/** Milliseconds a call, one after the other. */
async function sequential({ call }: Subject): Promise<number> {
  const startedMs = performance.now();
  for (let count = 0; count < sequentialCalls; count += 1) await call();
  return (performance.now() - startedMs) / sequentialCalls;
}

/** Milliseconds a call with 64 in flight. */
async function concurrent({ call }: Subject): Promise<number> {
  let left = concurrentCalls;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  return (performance.now() - startedMs) / concurrentCalls;
}

export async function measureCalls(): Promise<readonly Row[]> {
  const [trestle, sdk, lines] = await Promise.all([throughTrestle(), throughSdk(), throughLines()]);
  const rowsOf = async (
    what: string,
    measure: (subject: Subject) => Promise<number>,
    bar: number,
  ): Promise<readonly Row[]> => {
    const figures = await interleaved({
      trestle: () => measure(trestle),
      sdk: () => measure(sdk),
      lines: () => measure(lines),
    });
    const row = (name: string, other: number, met?: number): Row => ({
      what,
      value: microseconds(figures.trestle),
      against: `${name} ${microseconds(other)}`,
      ratio: figures.trestle / other,
      bar: met,
    });
    return [row('SDK client', figures.sdk, bar), row('JSON lines', figures.lines)];
  };
  try {
    return [
      ...(await rowsOf('a call, one after the other', sequential, 1.25)),
      ...(await rowsOf('a call, 64 in flight (throughput at least 0.8)', concurrent, 1 / 0.8)),
    ];
  } finally {
    await Promise.all([trestle.close(), sdk.close(), lines.close()]);
  }
}
