/** Chance that nobody can foresee: tokens and nonces. */

const fs = process.getBuiltinModule('node:fs');

/** `bytes` random bytes as lower-case hex. From the system's own source where it is a file: node:crypto costs a fifth of a start. */
export function randomHex(bytes: number): string {
  const random = Buffer.alloc(bytes);
  try {
    const source = fs.openSync('/dev/urandom', 'r');
    try {
      if (fs.readSync(source, random, 0, bytes, null) === bytes) return random.toString('hex');
    } finally {
      fs.closeSync(source);
    }
  } catch {
    // Windows, or a sandbox without devices.
  }
  return process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex');
}
