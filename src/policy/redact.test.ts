import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { createRedactor, type Redactor } from './redact.ts';

const knowing = (...secrets: readonly string[]): Redactor => {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
};

const secret = 'p@ss/w0rd+with "quotes" & ümläut';
const bytes = Buffer.from(secret);

describe('forms of a secret', () => {
  it.each<[string, string]>([
    ['raw', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded in small letters', encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase())],
    ['of a form', new URLSearchParams({ k: secret }).toString().slice(2)],
    ['of a whole URL', encodeURI(secret)],
    ['inside JSON', JSON.stringify(secret).slice(1, -1)],
    ['inside JSON inside JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['inside HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in hexadecimal', bytes.toString('hex')],
  ])('K4: %s', (_, form) => {
    expect(knowing(secret).redact(`before ${form} after`)).toBe('before [redacted] after');
  });

  it.each([0, 1, 2, 3, 4, 5])('K4: base64 with %i bytes before it, in both alphabets', (offset) => {
    for (const after of ['', 'x', 'yz', 'tail']) {
      const whole = Buffer.concat([Buffer.alloc(offset, 'a'), bytes, Buffer.from(after)]);
      for (const alphabet of ['base64', 'base64url'] as const) {
        const redacted = knowing(secret).redact(whole.toString(alphabet));
        expect(redacted).toContain('[redacted]');
        // At most the few bits that share a character with what stands around are left.
        const rest = Buffer.from(redacted.replace('[redacted]', ''), alphabet).toString('latin1');
        expect(rest.length).toBeLessThanOrEqual(offset + after.length + 2);
      }
    }
  });

  it('K4: the padding of base64, which would tell the length, goes too', () => {
    for (const length of [8, 9, 10]) {
      const one = 's3cret-values'.slice(0, length);
      expect(knowing(one).redact(`(${Buffer.from(one).toString('base64')})`)).toBe('([redacted])');
    }
  });
});

describe('replacing', () => {
  it('K4: the longest form wins and overlapping secrets leave nothing', () => {
    const redactor = knowing('12345678', '123456789012', 'abcdefgh', 'efghijkl');
    expect(redactor.redact('x123456789012y')).toBe('x[redacted]y');
    expect(redactor.redact('abcdefghijkl')).toBe('[redacted]');
  });

  it('K4: the replacement is the same whatever the length', () => {
    expect(knowing('a'.repeat(500)).redact('a'.repeat(500))).toBe('[redacted]');
    expect(knowing('a'.repeat(8)).redact('a'.repeat(500))).toBe('[redacted]');
  });

  it('K4: short secrets are masked in our own messages only, as whole words', () => {
    const redactor = knowing('abc');
    expect(redactor.armed).toBe(false);
    expect(redactor.redact('abc')).toBe('abc');
    expect(redactor.redactOwn('key=abc, abcd, [abc]')).toBe('key=[redacted], abcd, [[redacted]]');
  });

  it('K4: what a cut left of a secret is replaced, on both sides of the cut', () => {
    const redactor = knowing(secret, 'a'.repeat(4_000));
    for (const length of [4, 9, secret.length - 1]) {
      expect(redactor.redactOwn(`It says: x ${secret.slice(0, length)}…, then more`)).toBe(
        'It says: x [redacted]…, then more',
      );
      expect(redactor.redactOwn(`x: …${secret.slice(-length)} and more`)).toBe('x: …[redacted] and more');
    }
    const base64 = bytes.toString('base64');
    expect(redactor.redactOwn(`in ${base64.slice(0, 12)}…`)).toBe('in [redacted]…');
    expect(redactor.redactOwn(`…${'a'.repeat(3_000)}`)).toBe('…[redacted]');
    expect(redactor.redactOwn('an ordinary text… and p@… more…')).toBe('an ordinary text… and p@… more…');
  });

  it('K4: cuts without end cost no more than their number', () => {
    const redactor = knowing('a'.repeat(5_000), secret);
    const text = `aaaa…${secret.slice(4, 8)}`.repeat(40_000);
    const startedMs = performance.now();
    expect(redactor.redact(text).startsWith('[redacted]…')).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it('K4: secrets added later are known, and blank ones are none', () => {
    const redactor = knowing('', '   ', 'first-secret');
    redactor.redact('x');
    redactor.add('second-secret\n');
    expect(redactor.redact('first-secret second-secret')).toBe('[redacted] [redacted]');
    expect(redactor.redactOwn('a b c')).toBe('a b c');
  });

  it('K4: a text without a secret is returned as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(knowing('not-in-any-text').redact(text)).toBe(text);
      }),
    );
  });

  it('K4: no text that holds a secret keeps it', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '/', '%', '€') });
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '/', '%', '€'), minLength: 8, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), part, part, (values, before, after) => {
        const redactor = knowing(...values);
        for (const one of values) {
          const redacted = redactor.redact(before + one + after);
          expect(redacted.split('[redacted]').some((rest) => rest.includes(one))).toBe(false);
        }
      }),
    );
  });

  it.each([
    ['base64', '\n'],
    ['base64', '\r\n  '],
    ['base64', '\\n'],
    ['base64url', '\\\\r\\\\n'],
    ['hex', '\n'],
  ] as const)('K4: %s broken into lines by %j', (encoding, lineEnd) => {
    const long = `${secret}-${'a1B2'.repeat(40)}`;
    for (const width of [60, 64, 76]) {
      const written = Buffer.from(`{"T":"${long}"}, ${'and ordinary words '.repeat(9)}`).toString(encoding);
      const wrapped = written.replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${lineEnd}`);
      const redacted = knowing(long).redact(`It is:\n${wrapped}\nSo far.`);
      expect(redacted).toMatch(/^It is:\n\w+\[redacted\][^]+\nSo far\.$/);
      expect(redacted.replaceAll(lineEnd, '').length).toBeLessThan(written.length - (4 / 3) * long.length + 40);
      // What holds no secret stays as it was broken.
      expect(knowing('another-secret').redact(wrapped)).toBe(wrapped);
    }
  });

  it('K4: the lines of a private key, however they are ended, indented, or kept in a variable', () => {
    const lines = ['-----BEGIN KEY-----', ...['x7', 'y8', 'z9'].map((line) => line.repeat(32)), '-----END KEY-----'];
    const shown = ['-----BEGIN KEY-----', '[redacted]', '[redacted]', '[redacted]', '-----END KEY-----'];
    for (const kept of ['\n', '\r\n', '\\n']) {
      const redactor = knowing(lines.join(kept));
      expect(redactor.redact(lines.join('\n  '))).toBe(shown.join('\n  '));
      expect(redactor.redact(`${lines[1]}`)).toBe('[redacted]');
      expect(redactor.redact('KEY and BEGIN are words')).toBe('KEY and BEGIN are words');
    }
  });

  it.each([
    ['backslashes', '\\'.repeat(2_000_000)],
    ['one word', 'Ab1+'.repeat(500_000)],
    ['a wrapped file', `${'Ab1+'.repeat(19)}\n`.repeat(30_000)],
    ['line ends', '\n'.repeat(1_000_000)],
  ])('K4: %s without end take no longer than their length', (_, text) => {
    const redactor = knowing(secret);
    const startedMs = performance.now();
    expect(redactor.redact(text) === text).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it('K4: one pass over a large text, however many secrets', () => {
    const redactor = knowing(...Array.from({ length: 200 }, (_, index) => `secret-number-${index}`));
    const text = 'some ordinary words of a server '.repeat(100_000);
    const startedMs = performance.now();
    expect(redactor.redact(`${text}secret-number-7`)).toBe(`${text}[redacted]`);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });
});
