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
  return hex(digestBytes(utf8Bytes(name)));
}

/** Lower-case hex HMAC-SHA-256 (RFC 2104) of a short text under a key of at most 64 bytes, without loading node:crypto. */
export function keyedDigest(key: string, text: string): string {
  const bytes = utf8Bytes(key);
  const padded = Array.from({ length: blockBytes }, (_, at) => bytes[at] ?? 0);
  const inner = digestBytes([...padded.map((byte) => byte ^ 0x36), ...utf8Bytes(text)]);
  return hex(digestBytes([...padded.map((byte) => byte ^ 0x5c), ...inner]));
}

const blockBytes = 64;

let sha256: ReturnType<typeof sha256Constants> | undefined;

function sha256Constants() {
  const primes = firstPrimes(64);
  return {
    initial: Int32Array.from(primes.slice(0, 8), (prime) => fractionWord(Math.sqrt(prime))),
    constants: Int32Array.from(primes, (prime) => fractionWord(Math.cbrt(prime))),
  };
}

function digestBytes(bytes: readonly number[]): readonly number[] {
  const words = paddedWords(bytes);
  const { initial, constants } = (sha256 ??= sha256Constants());
  const state = initial.slice();
  for (let block = 0; block < words.length; block += 16) compress(state, words.subarray(block, block + 16), constants);
  return [...state].flatMap((word) => [word >>> 24, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff]);
}

function hex(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `encodeURIComponent` is there at start-up, TextEncoder and Buffer's encoders are made first. Lone surrogates become U+FFFD. */
function utf8Bytes(text: string): readonly number[] {
  const bytes: number[] = [];
  const encoded = encodeURIComponent(text.toWellFormed());
  for (let index = 0; index < encoded.length; index += 1) {
    const escaped = encoded[index] === '%';
    bytes.push(escaped ? Number.parseInt(encoded.slice(index + 1, index + 3), 16) : encoded.charCodeAt(index));
    if (escaped) index += 2;
  }
  return bytes;
}

/** The message with its padding and length, as big-endian words (FIPS 180-4, section 5.1.1). */
function paddedWords(bytes: readonly number[]): Int32Array {
  const words = new Int32Array((((bytes.length + 8) >> 6) + 1) << 4);
  for (let index = 0; index <= bytes.length; index += 1) {
    const word = index >> 2;
    words[word] = (words[word] ?? 0) | ((bytes[index] ?? 0x80) << (24 - (index & 3) * 8));
  }
  words[words.length - 1] = bytes.length * 8;
  return words;
}

/** FIPS 180-4, section 6.2.2, with its names. Plain variables: destructuring would cost more than the arithmetic. */
function compress(state: Int32Array, block: Int32Array, constants: Int32Array): void {
  const schedule = new Int32Array(64);
  schedule.set(block);
  for (let step = 16; step < 64; step += 1) {
    const early = schedule[step - 15] ?? 0;
    const late = schedule[step - 2] ?? 0;
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[step] = (schedule[step - 16] ?? 0) + sigma0 + (schedule[step - 7] ?? 0) + sigma1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let step = 0; step < 64; step += 1) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + (constants[step] ?? 0) + (schedule[step] ?? 0)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const result = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < 8; index += 1) state[index] = (state[index] ?? 0) + (result[index] ?? 0);
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 32 bits of a number's fraction: where SHA-256's constants come from. */
const fractionWord = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  const isPrime = (candidate: number): boolean => {
    for (const prime of primes) {
      if (prime * prime > candidate) return true;
      if (candidate % prime === 0) return false;
    }
    return true;
  };
  for (let candidate = 2; primes.length < count; candidate += 1) if (isPrime(candidate)) primes.push(candidate);
  return primes;
}
