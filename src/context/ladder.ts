/**
 * Which server is shown on which rung. Pure: costs in, choice out. A cost may be an estimate: whoever asks counts the text that
 * comes of the choice, and asks again with another budget.
 */

/** From the most that is shown of a server to the least; the numbers are characters of a tool's description. */
export const rungs = ['schemas', '80', '40', 'names', 'counts'] as const;

export type Rung = (typeof rungs)[number];

/** What the whole looks like: a section a server; lines under one root; one line in all; nothing. */
export const shapes = ['sections', 'root', 'line', 'nothing'] as const;

export type Shape = (typeof shapes)[number];

/** Costs of one server in tokens. */
export interface ServerCosts {
  readonly name: string;
  readonly toolCount: number;
  /** Of its part of the block on a rung. */
  at(rung: Rung, shape: 'sections' | 'root'): number;
  /** Of its part at counts with the names of its first `names` tools; grows with `names`. */
  counted(names: number, shape: 'sections' | 'root'): number;
}

export interface LadderCosts {
  /** In any order: the ladder goes by name. */
  readonly servers: readonly ServerCosts[];
  /** Of what belongs to no server. */
  fixed(shape: 'sections' | 'root'): number;
  readonly line: number;
}

export interface LadderOptions {
  readonly budget: number;
  /** Whether servers start at full schemas. */
  readonly schemas: boolean;
}

export interface Place {
  readonly rung: Rung;
  /** At counts: how many names are listed. */
  readonly names: number;
}

export interface Choice {
  readonly shape: Shape;
  /** By server; empty where no server has a part of its own. */
  readonly places: ReadonlyMap<string, Place>;
}

/**
 * All servers start at the first rung. While over budget the server that saves most by its next rung goes down, ties by name; only
 * when all are at names do servers go on to counts. Room that is left is given back in name order. What is too much even at
 * counts loses its folders to one root, then its servers to one line, then that line.
 */
export function climbDown(costs: LadderCosts, { budget, schemas }: LadderOptions): Choice {
  const servers = [...costs.servers].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const first: Rung = schemas ? 'schemas' : '80';
  for (const shape of ['sections', 'root'] as const) {
    // What is left of the sections when even counts are too much does not come back when the folders go.
    const start = shape === 'sections' ? first : 'counts';
    const steps = servers.map((server): Step => ({ server, rung: start, cost: server.at(start, shape) }));
    let total = costs.fixed(shape) + sum(steps.map(({ cost }) => cost));
    if (shape === 'sections') {
      total = lower(steps, { total, budget, lowest: 'names' });
      total = lower(steps, { total, budget, lowest: 'counts' });
    }
    if (total <= budget) return { shape, places: giveBack(steps, { room: budget - total, first, shape }) };
  }
  return { shape: costs.line <= budget ? 'line' : 'nothing', places: new Map() };
}

interface Step {
  readonly server: ServerCosts;
  rung: Rung;
  cost: number;
}

/** Lowers servers, none under `lowest`, until all fits or nothing can go lower; the new total. */
function lower(
  steps: readonly Step[],
  { total, budget, lowest }: { readonly total: number; readonly budget: number; readonly lowest: Rung },
): number {
  let left = total;
  const next = steps.map((step) => nextOf(step, lowest));
  while (left > budget) {
    let best = -1;
    for (const [index, candidate] of next.entries()) {
      // Steps stand in name order, so the first of equals stays.
      if (candidate !== undefined && candidate.saving > (next[best]?.saving ?? -Infinity)) best = index;
    }
    const [step, taken] = [steps[best], next[best]];
    if (step === undefined || taken === undefined) return left;
    step.rung = taken.rung;
    step.cost -= taken.saving;
    left -= taken.saving;
    next[best] = nextOf(step, lowest);
  }
  return left;
}

function nextOf(
  { server, rung, cost }: Step,
  lowest: Rung,
): { readonly rung: Rung; readonly saving: number } | undefined {
  const at = rungs.indexOf(rung);
  const below = rungs[at + 1];
  if (below === undefined || at >= rungs.indexOf(lowest)) return undefined;
  return { rung: below, saving: cost - server.at(below, 'sections') };
}

function giveBack(
  steps: readonly Step[],
  given: { readonly room: number; readonly first: Rung; readonly shape: 'sections' | 'root' },
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  let { room } = given;
  for (const { server, rung, cost } of steps) {
    const higher = given.shape === 'root' ? [] : rungs.slice(rungs.indexOf(given.first), rungs.indexOf(rung));
    const fitting = higher.find((candidate) => server.at(candidate, 'sections') - cost <= room);
    if (fitting !== undefined) {
      room -= server.at(fitting, 'sections') - cost;
      places.set(server.name, { rung: fitting, names: 0 });
      continue;
    }
    const names = rung === 'counts' ? mostNames(server, { most: cost + room, shape: given.shape }) : 0;
    if (names > 0) room -= server.counted(names, given.shape) - cost;
    places.set(server.name, { rung, names });
  }
  return places;
}

/** The largest number of names whose cost is at most `most`. */
function mostNames(
  server: ServerCosts,
  { most, shape }: { readonly most: number; readonly shape: 'sections' | 'root' },
): number {
  let [low, high] = [0, server.toolCount];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (server.counted(middle, shape) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
