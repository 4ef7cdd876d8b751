/** Secrets in the system's keychain; a value that is too long for one item is kept in parts. */
import { isObject, type JsonValue, limits, parseJson, sha256Hex, TrestleError } from '../base/index.ts';
import { askKeychain, type KeychainPlace, type KeychainStep } from './ask-keychain.ts';

/** Changes are to be made under the lock of the store. */
export interface Keychain {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** Keeps a value and takes it away again. */
  check(): Promise<void>;
  remove(name: string): Promise<boolean>;
  names(): Promise<readonly string[]>;
}

/** What stands in the place of a value that is kept in parts: how many, under which mark, and the digest of the whole. */
interface Parts {
  readonly count: number;
  readonly mark: string;
  readonly digest: string;
}

/** Over `place`; every method throws `secrets_unavailable`. */
export function openKeychain(place: KeychainPlace): Keychain {
  // Only Windows bounds an item: 2,560 bytes, two of them a character.
  const most = place.platform === 'win32' ? limits.keychainItemCharacters : Infinity;
  const ask = (...steps: readonly KeychainStep[]): Promise<readonly JsonValue[]> => askKeychain(place, steps);
  const head = async (name: string): Promise<string | undefined> => {
    const [value] = await ask({ action: 'get', name });
    return typeof value === 'string' ? value : undefined;
  };
  /** Items of the value that stands there now. */
  const oldParts = async (name: string): Promise<readonly string[]> => {
    if (most === Infinity) return [];
    const parts = readParts((await head(name)) ?? '');
    return parts === undefined ? [] : partNames(name, parts);
  };
  const removing = (names: readonly string[]): readonly KeychainStep[] =>
    names.map((name) => ({ action: 'remove', name }));

  return {
    async get(name) {
      // Whoever changes the value meanwhile removes the parts of the one before.
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const value = await head(name);
        const parts = value === undefined ? undefined : readParts(value);
        if (parts === undefined) return value;
        const items = await ask(...partNames(name, parts).map((part) => ({ action: 'get', name: part }) as const));
        const whole = items.map((item) => (typeof item === 'string' ? item : '')).join('');
        if (sha256Hex(whole) === parts.digest) return whole;
      }
      throw new TrestleError({
        code: 'secrets_unavailable',
        message: `The secret ${name} is not whole in the system's keychain.`,
        hint: `Set it again: trestle secret set ${name}`,
        details: { store: 'keychain', name },
      });
    },
    async set(name, value) {
      const old = await oldParts(name);
      if (value.length <= most && readParts(value) === undefined) {
        await ask({ action: 'set', name, value }, ...removing(old));
        return;
      }
      const texts = pieces(value, most);
      const parts: Parts = { count: texts.length, mark: newMark(), digest: sha256Hex(value) };
      const written = partNames(name, parts).map((part, at) => ({
        action: 'set' as const,
        name: part,
        value: texts[at] ?? '',
      }));
      // The head comes after all it points to, and what was there before goes last.
      await ask(...written, { action: 'set', name, value: JSON.stringify({ trestleParts: parts }) }, ...removing(old));
    },
    async check() {
      await ask({ action: 'set', name: trialName, value: 'trial' }, { action: 'remove', name: trialName });
    },
    async remove(name) {
      const [wasThere] = await ask({ action: 'remove', name }, ...removing(await oldParts(name)));
      return wasThere === true;
    },
    async names() {
      const [accounts] = await ask({ action: 'names' });
      const names = Array.isArray(accounts) ? accounts.filter((name) => typeof name === 'string') : [];
      return names.filter((name) => !name.includes('#')).sort();
    },
  };
}

/** No secret has such a name, and none is listed that has a `#`. */
const trialName = '#trial';

/** `text` in pieces of at most `most` characters, none of which ends within one that takes two: a keychain keeps whole ones only. */
function pieces(text: string, most: number): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = Math.min(at + most, text.length);
    const isWhole = end === text.length || (text.codePointAt(end - 1) ?? 0) <= 0xff_ff;
    const to = isWhole ? end : end - 1;
    found.push(text.slice(at, to));
    at = to;
  }
  return found;
}

const partNames = (name: string, { count, mark }: Parts): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${name}#${mark}.${at}`);

function newMark(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
}

/** What `text` says of parts; undefined for a value of its own. */
function readParts(text: string): Parts | undefined {
  if (!text.startsWith('{"trestleParts":')) return undefined;
  let parts: JsonValue | undefined;
  try {
    const head = parseJson(text);
    parts = isObject(head) ? head['trestleParts'] : undefined;
  } catch {
    return undefined;
  }
  if (!isObject(parts)) return undefined;
  const { count, mark, digest } = parts;
  return typeof count === 'number' && typeof mark === 'string' && typeof digest === 'string'
    ? { count, mark, digest }
    : undefined;
}
