/**
 * SHA-256 twice: by node:crypto for contents, and in plain code for names on the start-up path of the command line, where
 * loading node:crypto costs a fifth of the whole start (5 ms) and one block of arithmetic costs nothing.
 */

/** Lower-case hex SHA-256 of `data` (text as UTF-8). Loads node:crypto at its first use. */
export function sha256Hex(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', data, 'hex');
}

/** Lower-case hex SHA-256 of a short text (a name), without loading node:crypto. */
export function nameDigest(name: string): string {
  const message = paddedWords(new TextEncoder().encode(name));
  const state = firstPrimes(8).map((prime) => fractionWord(Math.sqrt(prime)));
  const constants = firstPrimes(64).map((prime) => fractionWord(Math.cbrt(prime)));
  for (let block = 0; block < message.length; block += 16) {
    compress(state, message.subarray(block, block + 16), constants);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The message with its padding and length, as big-endian words (FIPS 180-4, section 5.1.1). */
function paddedWords(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array((((bytes.length + 8) >> 6) + 1) << 4);
  for (const [index, byte] of [...bytes, 0x80].entries()) {
    words[index >> 2] = (words[index >> 2] ?? 0) | (byte << (24 - (index & 3) * 8));
  }
  words[words.length - 1] = bytes.length * 8;
  return words;
}

/** FIPS 180-4, section 6.2.2. */
function compress(state: number[], block: Uint32Array, constants: readonly number[]): void {
  const schedule = new Uint32Array(64);
  schedule.set(block);
  const at = (index: number): number => schedule[index] ?? 0;
  for (let step = 16; step < 64; step += 1) {
    const early = at(step - 15);
    const late = at(step - 2);
    const small0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const small1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[step] = at(step - 16) + small0 + at(step - 7) + small1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let step = 0; step < 64; step += 1) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = h + big1 + ((e & f) ^ (~e & g)) + (constants[step] ?? 0) + at(step);
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = big0 + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = ((state[index] ?? 0) + word) | 0;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 32 bits of a number's fraction: where SHA-256's constants come from. */
const fractionWord = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
