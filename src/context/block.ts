/** The block: rendered on the rungs that the ladder chooses, counted exactly, and never over its budget. */
import { limits, sha256Hex } from '../base/index.ts';
import { estimateTokens } from './estimate.ts';
import type { CountExactly } from './exact-count.ts';
import { fill } from './fill.ts';
import { type Choice, climbDown, type LadderCosts, type Place, type Rung, rungs, type Shape } from './ladder.ts';
import type { BlockSettings, Offers } from './offer.ts';
import { makeReceipt, type Receipt } from './receipt.ts';
import { createSectionWriter, type SectionWriter } from './section.ts';
import { type BlockFacts, heading, introduction, oneLine } from './words.ts';

/** A rendered block. */
export interface ContextBlock {
  /** Empty where there is nothing to say, or no room to say it. No line end at its end. */
  readonly text: string;
  /** Eight hex digits of the text's SHA-256, which stand at its end too; empty for an empty text. */
  readonly hash: string;
  /** Exact, o200k. */
  readonly tokens: number;
  readonly receipt: Receipt;
}

/** A block, and what of each server is in it. */
export interface RenderedBlock extends ContextBlock {
  readonly choice: Choice;
}

export interface RenderWays {
  /** Decides whether the block fits; the estimate only chooses what is tried. */
  readonly count: CountExactly;
  /** The choice of an earlier block of the same offers and settings: taken where it fits, since to find it takes longest. */
  readonly chosen?: Choice | undefined;
}

/** The block of `offers`: the same for the same offers and settings, byte for byte. */
export async function renderBlock(
  offers: Offers,
  settings: BlockSettings,
  { count, chosen }: RenderWays,
): Promise<RenderedBlock> {
  const draft = openDraft(offers, settings);
  const budget = Math.max(0, Math.floor(settings.budgetTokens));
  const again = chosen === undefined ? undefined : await tried(draft, chosen, count);
  const { choice, text, hash, tokens } =
    again !== undefined && again.tokens <= budget ? again : await search(draft, { budget, count });
  const cost = (server: string, place: Place): number => draft.cost(server, place, choice.shape);
  let receipt: Receipt | undefined;
  return {
    text,
    hash,
    tokens,
    // Few ask for it, and it takes longer than the text.
    get receipt() {
      return (receipt ??= makeReceipt({ offers, settings, choice, tokens, cost }));
    },
    choice,
  };
}

interface Fitting {
  readonly budget: number;
  readonly count: CountExactly;
}

/** The best that the ladder leads to. */
async function search(draft: Draft, { budget, count }: Fitting): Promise<Tried> {
  const costs = draft.costs();
  let best: Tried | undefined;
  // Budgets for the ladder: the largest one known to fit, the smallest known not to.
  let fits = 0;
  let breaks = Infinity;
  let target = budget;
  // Until something fits, be it nothing: what is always a little too much is not tried in ever smaller steps.
  for (let attempt = 0; attempt < limits.blockTries || best === undefined; attempt += 1) {
    const choice = climbDown(costs, { budget: target, schemas: draft.startsAtSchemas });
    const next = await tried(draft, choice, count);
    const { tokens } = next;
    if (tokens <= budget) {
      if (best === undefined || tokens >= best.tokens || draft.isWhole(choice)) best = next;
      fits = Math.max(fits, target);
      if (draft.isWhole(choice) || tokens >= budget * limits.blockFilledShare) break;
    } else breaks = Math.min(breaks, target);
    const other = nextTarget({ fits, breaks, target, budget, tokens, halves: best === undefined && attempt > 1 });
    if (other === undefined) break;
    target = other;
  }
  return refill(draft, best ?? { choice: nothing, text: '', hash: '', tokens: 0 }, { budget, count });
}

async function tried(draft: Draft, choice: Choice, count: CountExactly): Promise<Tried> {
  const { text, hash } = draft.render(choice);
  return { choice, text, hash, tokens: text === '' ? 0 : await count(text) };
}

/** `best`, or more where the estimate left much of the budget. */
async function refill(draft: Draft, best: Tried, { budget, count }: Fitting): Promise<Tried> {
  const { choice, tokens } = best;
  if (choice.shape !== 'sections' || draft.isWhole(choice)) return best;
  if (tokens >= budget * limits.blockRefilledShare) return best;
  const { writers, first } = draft;
  const allowed = rungs.slice(rungs.indexOf(first));
  let room = budget - tokens;
  for (let attempt = 0; attempt < limits.blockTries && room > 0; attempt += 1) {
    const places = await fill({ writers, places: choice.places, allowed, room, count });
    const filled = await tried(draft, { shape: choice.shape, places }, count);
    if (filled.tokens <= budget) return filled.tokens > tokens || draft.isWhole(filled.choice) ? filled : best;
    // Parts together have some tokens more than apart, and the introduction may be another one.
    room -= filled.tokens - budget;
  }
  return best;
}

interface Tried {
  readonly choice: Choice;
  readonly text: string;
  readonly hash: string;
  readonly tokens: number;
}

const nothing: Choice = { shape: 'nothing', places: new Map() };

/** The budget to ask the ladder for next; undefined where no other is of use. */
function nextTarget(known: {
  readonly fits: number;
  readonly breaks: number;
  readonly target: number;
  readonly budget: number;
  readonly tokens: number;
  /** Whether small steps have not helped. */
  readonly halves: boolean;
}): number | undefined {
  const { fits, breaks, target, budget, tokens, halves } = known;
  const scaled = Math.floor((target * budget) / Math.max(1, tokens));
  const middle = Math.floor((fits + Math.min(breaks, budget * 2)) / 2);
  // By the error of the estimate as it just was; where that leads out of what is known, halfway.
  const next = !halves && scaled > fits && scaled < breaks && scaled <= budget * 2 ? scaled : middle;
  return next > fits && next < breaks ? next : undefined;
}

interface Draft {
  /** Looks at every server on several rungs, which takes most of the time of a block. */
  costs(): LadderCosts;
  readonly writers: readonly SectionWriter[];
  /** Where all servers start. */
  readonly first: Rung;
  readonly startsAtSchemas: boolean;
  /** Whether all servers stand where they start: nothing shows more, though with all schemas the introduction is shorter. */
  isWhole(choice: Choice): boolean;
  /** The text, and the hash at its end. */
  render(choice: Choice): Pick<Tried, 'text' | 'hash'>;
  cost(server: string, place: Place, shape: Shape): number;
}

function openDraft(offers: Offers, settings: BlockSettings): Draft {
  const servers = [...offers.servers].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const sorted: Offers = { ...offers, servers };
  const writers = new Map(servers.map((server) => [server.name, createSectionWriter(server, settings)]));
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
  const startsAtSchemas =
    tools <= settings.schemaToolLimit && servers.some((server) => server.tools.some(({ full }) => full !== undefined));
  const first: Rung = startsAtSchemas ? 'schemas' : '80';
  const facts = (shape: BlockFacts['shape'], inlined: number): BlockFacts => ({
    shape,
    offers: sorted,
    settings,
    inlined,
  });
  const estimates = new Map<string, number>();
  const costOf = (writer: SectionWriter, place: Place, shape: 'sections' | 'root'): number => {
    const key = `${shape} ${place.rung} ${place.names} ${writer.offer.name}`;
    let cost = estimates.get(key);
    if (cost === undefined) {
      cost = estimateTokens(shape === 'root' ? `${writer.rootLine(place.names)}\n` : `${writer.section(place)}\n\n`);
      estimates.set(key, cost);
    }
    return cost;
  };
  const costs = (): LadderCosts => ({
    servers: [...writers.values()].map((writer) => ({
      name: writer.offer.name,
      toolCount: writer.offer.tools.length,
      at: (rung, shape) => costOf(writer, { rung, names: 0 }, shape),
      counted: (names, shape) => costOf(writer, { rung: 'counts', names }, shape),
    })),
    // The longer wording: schemas beside others.
    fixed: (shape) =>
      estimateTokens(`${heading}\n\n${introduction(facts(shape, startsAtSchemas ? 1 : 0))}\n\n${hashLine('00000000')}`),
    line: estimateTokens(`${oneLine(facts('line', 0))} ${hashLine('00000000')}`),
  });
  const body = ({ shape, places }: Choice): string => {
    if (shape === 'nothing' || servers.length === 0) return '';
    if (shape === 'line') return oneLine(facts('line', 0));
    const inlined = servers.flatMap(({ name, tools: own }) =>
      places.get(name)?.rung === 'schemas' ? own.filter(({ full }) => full !== undefined) : [],
    ).length;
    const parts = [...writers.values()].map((writer) => {
      const place = places.get(writer.offer.name) ?? { rung: 'counts', names: 0 };
      return shape === 'root' ? writer.rootLine(place.names) : writer.section(place);
    });
    return [heading, introduction(facts(shape, inlined)), parts.join(shape === 'root' ? '\n' : '\n\n')].join('\n\n');
  };
  return {
    costs,
    writers: [...writers.values()],
    first,
    startsAtSchemas,
    isWhole: ({ shape, places }) => shape === 'sections' && [...places.values()].every(({ rung }) => rung === first),
    render(choice) {
      const text = body(choice);
      if (text === '') return { text: '', hash: '' };
      const hash = hashOf(text);
      return { text: `${text}${choice.shape === 'line' ? ' ' : '\n\n'}${hashLine(hash)}`, hash };
    },
    cost(server, place, shape) {
      const writer = writers.get(server);
      return writer === undefined || shape === 'line' || shape === 'nothing' ? 0 : costOf(writer, place, shape);
    },
  };
}

const hashLine = (hash: string): string => `(block ${hash})`;

const hashOf = (text: string): string => sha256Hex(text).slice(0, 8);
