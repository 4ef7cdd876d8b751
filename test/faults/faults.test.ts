/** The fault matrix: every row is played with a real server, real pipes and sockets. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/runtime/index.ts';
import { eventually } from '../support/eventually.ts';
import { type End, type Expectation, type Fault, faults, links, loads, matrix, type Row } from './matrix.ts';
import { callMs, setStage, type Stage } from './stage.ts';

type Playable = Extract<Row, Expectation>;

const endOf = ({ kind, execution }: Outcome<unknown>): string => `${kind} ${execution}`;

const count = (ends: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(ends)].map((end) => [end, ends.filter((other) => other === end).length]));

interface Played {
  readonly ends: readonly string[];
  readonly next: End;
  readonly later: End;
  /** How long the calls that met the fault took, and each of the two after it; milliseconds. */
  readonly tookMs: { readonly calls: number; readonly next: number; readonly later: number };
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const startedMs = performance.now();
  return [await work(), performance.now() - startedMs];
}

/** The limit of a call that is to end so: that of its stage where this ends it, else one that a busy machine does not meet. */
const patience = (end: End): number | undefined => (end.startsWith('timed-out') ? undefined : callMs);

/** Plays one row on its stage. */
async function play(stage: Stage, row: Playable): Promise<Played> {
  const outcomes = new Map<string, Outcome<unknown>>();
  const call = async (id: string, timeoutMs?: number): Promise<string> => {
    const outcome = await stage.call(id, timeoutMs === undefined ? {} : { timeoutMs });
    outcomes.set(id, outcome);
    return endOf(outcome);
  };
  const calls = loads[row.load];
  // In the event dialect a session has one call at a time: the others wait for it.
  await stage.arm(row.link === 'events' ? Math.min(calls, 1) : calls);
  const [ends, callsMs] = await timed(() =>
    Promise.all(Array.from({ length: calls }, (_, index) => call(`call ${index}`))),
  );
  await stage.settle();
  const [next, nextMs] = await timed(() => call('next', patience(row.next)));
  await stage.recover();
  const [later, laterMs] = await timed(() => call('later', patience(row.later)));
  // What the fault left of the old connection has to go by itself, and not with the runtime.
  await eventually(() => stage.processes().length <= 1, 'the end of the old server');
  await stage.close();
  expect(stage.processes(), 'processes left').toEqual([]);
  const lies = [...outcomes].filter(([id, { execution }]) => {
    const times = stage.ran().filter((ran) => ran === id).length;
    return times > 1 || (execution !== 'unknown' && times !== (execution === 'done' ? 1 : 0));
  });
  expect(lies, 'calls that ran twice, or of which something else is said than what happened').toEqual([]);
  const tookMs = { calls: callsMs, next: nextMs, later: laterMs };
  return { ends, next: next as End, later: later as End, tookMs };
}

const key = ({ fault, link, load }: Row): string => `${fault} / ${link} / ${load}`;

describe('the fault matrix', () => {
  it('has every cell once', () => {
    const all = faults.flatMap((fault) =>
      links.flatMap((link) =>
        (Object.keys(loads) as Row['load'][]).map((load) => key({ fault, link, load, never: '' })),
      ),
    );
    expect(matrix.map(key).sort()).toEqual(all.sort());
  });
});

const playable = (fault: Fault): readonly Playable[] =>
  matrix.filter((row): row is Playable => row.fault === fault && !('never' in row));

describe.each(faults)('the fault "%s"', (fault) => {
  // Floods one after another: each is read by this one process, and all at once they would take each other's time.
  const concurrent = fault !== 'floods';
  it.each(playable(fault))(
    'P6, P7, H4, H5: over $link, $load: then $next, then $later',
    { concurrent },
    async (row) => {
      await using stage = await setStage(row.fault, row.link);
      const { ends, tookMs, next, later } = await play(stage, row);
      expect({ ...count(ends), next, later }).toEqual({
        ...row.calls,
        next: row.next,
        later: row.later,
      });
      expect(tookMs.calls).toBeLessThan(row.withinMs);
      expect(Math.max(tookMs.next, tookMs.later)).toBeLessThan(row.eachWithinMs);
    },
  );
});
