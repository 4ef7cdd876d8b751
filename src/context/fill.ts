/**
 * Where the estimate was wrong about some texts, room may be left that a server's next rung would fit into: it is given back once more, in
 * name order, by exact counts of the servers' parts.
 */
import type { CountExactly } from './exact-count.ts';
import type { Place, Rung } from './ladder.ts';
import type { SectionWriter } from './section.ts';

export interface FillFacts {
  readonly writers: readonly SectionWriter[];
  /** By server. */
  readonly places: ReadonlyMap<string, Place>;
  /** Rungs that a server may stand on, from the one where all start. */
  readonly allowed: readonly Rung[];
  /** Tokens that are left. */
  readonly room: number;
  readonly count: CountExactly;
}

/** Places that cost at most `room` more, but for what a count of parts is off from one of the whole. */
export async function fill({ writers, places, allowed, room, count }: FillFacts): Promise<ReadonlyMap<string, Place>> {
  const filled = new Map(places);
  let left = room;
  for (const writer of writers) {
    const place = places.get(writer.offer.name);
    if (place === undefined) continue;
    const cost = await count(writer.section(place));
    const more = async (candidate: Place): Promise<number> => (await count(writer.section(candidate))) - cost;
    const higher = allowed.slice(0, allowed.indexOf(place.rung)).map((rung): Place => ({ rung, names: 0 }));
    const raised =
      (await firstThatFits(higher, left, more)) ??
      (place.rung === 'counts' ? await mostNames(writer.offer.tools.length, { place, left, more }) : undefined);
    if (raised === undefined) continue;
    left -= await more(raised);
    filled.set(writer.offer.name, raised);
  }
  return filled;
}

async function firstThatFits(
  candidates: readonly Place[],
  left: number,
  more: (candidate: Place) => Promise<number>,
): Promise<Place | undefined> {
  for (const candidate of candidates) if ((await more(candidate)) <= left) return candidate;
  return undefined;
}

async function mostNames(
  size: number,
  given: { readonly place: Place; readonly left: number; readonly more: (candidate: Place) => Promise<number> },
): Promise<Place> {
  let [low, high] = [given.place.names, size];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((await given.more({ rung: 'counts', names: middle })) <= given.left) low = middle;
    else high = middle - 1;
  }
  return { rung: 'counts', names: low };
}
