/**
 * `state/block-choices.json`: what of each server was in a block, by the SHA-256 of all that the block was made of. Finding it takes most
 * of the time of a first block. Who takes it from here still counts what comes of it.
 */
import {
  type Clock,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  type Log,
  sha256Hex,
  stringifyJson,
  version,
} from '../../base/index.ts';
import { type BlockSettings, type Choice, type Offers, type Place, rungs, shapes } from '../../context/index.ts';
import { openStoredMemory, type StoredFact } from '../stored-memory.ts';

interface StoredChoice extends StoredFact {
  readonly shape: Choice['shape'];
  readonly places: Readonly<Record<string, Place>>;
}

export interface ChoiceMemory {
  get(key: string): Choice | undefined;
  set(key: string, choice: Choice): void;
  close(): Promise<void>;
}

/** Another one whenever the choice may be another one. */
export function choiceKey(offers: Offers, settings: BlockSettings): string {
  return sha256Hex(stringifyJson([version, settings, offers]));
}

export function openChoiceMemory(file: string, options: { readonly clock: Clock; readonly log: Log }): ChoiceMemory {
  const memory = openStoredMemory<StoredChoice>({
    file,
    subject: 'choices for the block about servers',
    most: limits.blockChoices,
    read: readChoice,
    ...options,
  });
  return {
    get(key) {
      const stored = memory.get(key);
      return stored && { shape: stored.shape, places: new Map(Object.entries(stored.places)) };
    },
    set: (key, { shape, places }) =>
      memory.set(key, { shape, places: Object.fromEntries(places), atMs: options.clock.now() }),
    close: () => memory.close(),
  };
}

function readChoice({ shape, places, atMs }: JsonObject): StoredChoice | undefined {
  const known = shapes.find((candidate) => candidate === shape);
  if (known === undefined || !isObject(places) || typeof atMs !== 'number') return undefined;
  const read = Object.entries(places).map(([server, value]) => [server, readPlace(value)] as const);
  const whole = read.filter((entry): entry is readonly [string, Place] => entry[1] !== undefined);
  return whole.length < read.length ? undefined : { shape: known, places: Object.fromEntries(whole), atMs };
}

function readPlace(value: JsonValue): Place | undefined {
  if (!isObject(value)) return undefined;
  const rung = rungs.find((candidate) => candidate === value['rung']);
  const { names } = value;
  const isCount = typeof names === 'number' && Number.isSafeInteger(names) && names >= 0;
  return rung === undefined || !isCount ? undefined : { rung, names };
}
