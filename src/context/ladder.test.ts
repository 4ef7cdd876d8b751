import { describe, expect, it } from 'vitest';
import { array, assert, boolean, integer, property, record, uniqueArray } from '../../test/support/properties.ts';
import { type Choice, climbDown, type LadderCosts, type LadderOptions, type Rung, rungs } from './ladder.ts';

/** A server with costs from schemas to counts, without folder, and one token a name. */
interface Server {
  readonly name: string;
  readonly costs: readonly [number, number, number, number, number];
  readonly tools?: number;
}

function costsOf(servers: readonly Server[], { fixed = 10, line = 5 } = {}): LadderCosts {
  return {
    servers: servers.map(({ name, costs, tools = 0 }) => {
      const at = (rung: Rung, shape: string): number => (costs[rungs.indexOf(rung)] ?? 0) - (shape === 'root' ? 1 : 0);
      return { name, toolCount: tools, at, counted: (names, shape) => at('counts', shape) + names };
    }),
    fixed: () => fixed,
    line,
  };
}

const shown = ({ shape, places }: Choice): string =>
  [shape, ...[...places].map(([name, { rung, names }]) => `${name} ${rung}${names > 0 ? `+${names}` : ''}`)].join(', ');

const choose = (servers: readonly Server[], options: Partial<LadderOptions> = {}): string =>
  shown(climbDown(costsOf(servers), { budget: 1_000, schemas: true, ...options }));

describe('the ladder', () => {
  it('C1: starts at schemas where they may be inlined, else at 80 characters', () => {
    const servers: readonly Server[] = [{ name: 'a', costs: [100, 50, 30, 20, 5] }];
    expect(choose(servers)).toBe('sections, a schemas');
    expect(choose(servers, { schemas: false })).toBe('sections, a 80');
  });

  it('C1: the server whose next rung saves most goes down, one rung at a time', () => {
    const servers: readonly Server[] = [
      { name: 'a', costs: [100, 50, 30, 20, 5] },
      { name: 'b', costs: [100, 20, 15, 10, 5] },
    ];
    expect(choose(servers, { budget: 209 })).toBe('sections, a schemas, b 80');
    expect(choose(servers, { budget: 129 })).toBe('sections, a 80, b 80');
    expect(choose(servers, { budget: 79 })).toBe('sections, a 40, b 80');
  });

  it('C1: of equal savings the first name goes down, in whatever order the servers come', () => {
    const equal = { costs: [100, 50, 30, 20, 5] } as const;
    expect(
      choose(
        [
          { name: 'b', ...equal },
          { name: 'a', ...equal },
        ],
        { budget: 200 },
      ),
    ).toBe('sections, a 80, b schemas');
  });

  it('C1: no server goes to counts before all are at names, however much it would save', () => {
    const servers: readonly Server[] = [
      { name: 'large', costs: [930, 920, 910, 900, 5] },
      { name: 'small', costs: [40, 30, 20, 10, 5] },
    ];
    expect(choose(servers, { budget: 920 })).toBe('sections, large names, small names');
    expect(choose(servers, { budget: 919 })).toBe('sections, large counts, small schemas');
  });

  it('C1: room that is left is given back in name order, the highest rung that fits', () => {
    const servers: readonly Server[] = [
      { name: 'a', costs: [60, 50, 40, 30, 5] },
      { name: 'b', costs: [60, 50, 40, 30, 5] },
      { name: 'c', costs: [500, 400, 300, 200, 5] },
    ];
    // Down to names and counts the large one frees more than was needed.
    expect(choose(servers, { budget: 120 })).toBe('sections, a schemas, b 40, c counts');
  });

  it('C1: a server at counts lists as many names as fit', () => {
    const servers: readonly Server[] = [
      { name: 'a', costs: [90, 80, 70, 60, 5], tools: 50 },
      { name: 'b', costs: [90, 80, 70, 60, 5], tools: 50 },
    ];
    expect(choose(servers, { budget: 50 })).toBe('sections, a counts+30, b counts');
  });

  it('C1: folders go to one root, then all to one line, then nothing', () => {
    const servers: readonly Server[] = [{ name: 'a', costs: [90, 80, 70, 60, 5], tools: 3 }];
    expect(choose(servers, { budget: 15 })).toBe('sections, a counts');
    expect(choose(servers, { budget: 14 })).toBe('root, a counts');
    expect(choose(servers, { budget: 13 })).toBe('line');
    expect(choose(servers, { budget: 5 })).toBe('line');
    expect(choose(servers, { budget: 4 })).toBe('nothing');
    expect(choose(servers, { budget: 0 })).toBe('nothing');
  });

  it('C1: an empty registry has the shape of sections, and no place', () => {
    expect(choose([])).toBe('sections');
  });

  it('C1: costs that do not fall from rung to rung end too', () => {
    expect(choose([{ name: 'a', costs: [5, 6, 7, 8, 9] }], { budget: 12 })).toBe('line');
  });

  const server = record({
    steps: array(integer({ min: 0, max: 50 }), { minLength: 5, maxLength: 5 }),
    tools: integer({ min: 0, max: 20 }),
  }).map(({ steps, tools }) => {
    const costs = [0, 1, 2, 3, 4].map((from) => steps.slice(from).reduce((sum, step) => sum + step, 1));
    return { costs: costs as unknown as Server['costs'], tools };
  });
  const servers = uniqueArray(record({ name: integer({ min: 0, max: 99 }).map((index) => `s${index}`), of: server }), {
    selector: ({ name }) => name,
    maxLength: 8,
  }).map((all) => all.map(({ name, of }): Server => ({ name, ...of })));

  it('C1: what is chosen fits, and no server could stand higher with all the others as they are', () => {
    assert(
      property(servers, integer({ min: 0, max: 900 }), boolean(), (all, budget, schemas) => {
        const costs = costsOf(all);
        const { shape, places } = climbDown(costs, { budget, schemas });
        const least = costs.fixed('root') + costs.servers.reduce((sum, one) => sum + one.at('counts', 'root'), 0);
        expect(least <= budget).toBe(shape === 'sections' || shape === 'root');
        if (shape !== 'sections' && shape !== 'root') return;
        const priceOf = (one: (typeof costs.servers)[number]): number => {
          const { rung, names } = places.get(one.name) ?? { rung: 'counts', names: 0 };
          return rung === 'counts' ? one.counted(names, shape) : one.at(rung, shape);
        };
        const total = costs.fixed(shape) + costs.servers.reduce((sum, one) => sum + priceOf(one), 0);
        expect(total).toBeLessThanOrEqual(budget);
        for (const one of costs.servers) {
          const place = places.get(one.name);
          expect(place).toBeDefined();
          if (place === undefined || shape === 'root') continue;
          const at = rungs.indexOf(place.rung);
          const above = rungs[at - 1];
          if (above === undefined || (above === 'schemas' && !schemas) || one.at(above, shape) === priceOf(one))
            continue;
          // Names listed at counts may have taken the room of the rung above.
          if (place.names > 0) continue;
          expect(total - priceOf(one) + one.at(above, shape)).toBeGreaterThan(budget);
        }
      }),
    );
  });

  it('C1, C4: the choice does not depend on the order of the servers', () => {
    assert(
      property(servers, integer({ min: 0, max: 900 }), (all, budget) => {
        expect(choose(all.toReversed(), { budget })).toBe(choose(all, { budget }));
      }),
    );
  });
});
