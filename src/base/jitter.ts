/** Chance as a value that is handed in, so that tests choose it. */

/** A number from 0 (included) to 1 (not included), another one each time. */
export type Chance = () => number;

/** The machine's chance. */
export const systemChance: Chance = () => Math.random();

/** `ms`, longer or shorter by up to `share` of it: what many do at once does not happen at one moment. */
export function jittered(ms: number, share: number, chance: Chance = systemChance): number {
  return ms * (1 + share * (2 * chance() - 1));
}
