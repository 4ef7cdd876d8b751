/** Finding a secret in what came out, by forms that are made here and not by the redactor's own code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where in `text` the secret stands, raw or encoded; undefined when it does not. */
export function leakIn(text: string, secret: string): string | undefined {
  for (const [form, seen] of formsOf(secret)) {
    const at = text.indexOf(seen);
    if (at >= 0) return `${form}: …${text.slice(Math.max(0, at - 80), at + seen.length + 40)}…`;
  }
  const cut = pieces(secret).find((piece) => text.includes(piece));
  if (cut !== undefined) return `cut: ${cut}`;
  const coded = base64In(text).find((run) => Buffer.from(run, 'base64').includes(secret));
  return coded === undefined ? undefined : `base64: …${coded.slice(0, 120)}…`;
}

/** The files below `folder` that hold the secret, with the place. */
export function leaksIn(folder: string, secret: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const leak = leakIn(entry.name, secret) ?? leakIn(readFileSync(path, 'utf8'), secret);
      return leak === undefined ? [] : [`${path}: ${leak}`];
    });
}

/** What a cut may leave: the half of the secret before it, and the half after it where a text begins so. */
function pieces(secret: string): readonly string[] {
  const half = Math.ceil(secret.length / 2);
  const before = Array.from({ length: secret.length - half }, (_, more) => `${secret.slice(0, half + more)}…`);
  return [...before, ...Array.from({ length: half }, (_, from) => `…${secret.slice(from)}`)];
}

/** Encodings in which a secret may come back, base64 apart. */
export function formsOf(secret: string): readonly (readonly [string, string])[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    ['raw', secret],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ['URL', encodeURIComponent(secret)],
    ['form', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
  ];
}

/** Runs of base64, each at the four places where a group may begin. */
function base64In(text: string): readonly string[] {
  const runs = text.match(/[A-Za-z0-9+/_-]{11,}/g) ?? [];
  return runs.flatMap((run) => [0, 1, 2, 3].map((from) => run.slice(from)));
}
