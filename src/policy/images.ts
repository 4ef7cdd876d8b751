/** Whether an image can be handed to a model: providers refuse a whole conversation for one broken image. */
import { formatBytes, type JsonValue, limits } from '../base/index.ts';

export type UsableImage =
  | { readonly kind: 'image'; readonly data: string; readonly mimeType: string }
  /** `reason` is one clause. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** The image with its base64 in the standard alphabet and its type as its first bytes show it. */
export function usableImage(data: JsonValue | undefined, mimeType: JsonValue | undefined): UsableImage {
  const unusable = (reason: string): UsableImage => ({ kind: 'unusable', reason });
  if (typeof data !== 'string') return unusable('it has no data');
  const base64 = standardBase64(data);
  if (base64 === undefined) return unusable('its data is no base64');
  if (base64 === '') return unusable('it is empty');
  if (base64.length > limits.imageBase64Characters) {
    return unusable(`it is larger than ${formatBytes(Math.floor((limits.imageBase64Characters * 3) / 4))}`);
  }
  const actual = sniff(Buffer.from(base64.slice(0, 24), 'base64'));
  if (actual !== undefined) return { kind: 'image', data: base64, mimeType: actual };
  const claimed = typeof mimeType === 'string' ? mimeType.toLowerCase() : '';
  return unusable(known.has(claimed) ? `its data is no ${claimed}` : 'models take PNG, JPEG, GIF and WebP');
}

/** Size of what a base64 text stands for. */
export function decodedBytes(data: string): number {
  return Buffer.byteLength(data, 'base64');
}

const known: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Servers mislabel images; the first bytes do not. */
function sniff(head: Buffer): string | undefined {
  const hex = head.toString('hex');
  if (hex.startsWith('89504e470d0a1a0a')) return 'image/png';
  if (hex.startsWith('ffd8ff')) return 'image/jpeg';
  if (hex.startsWith('474946383761') || hex.startsWith('474946383961')) return 'image/gif';
  return hex.startsWith('52494646') && hex.slice(16, 24) === '57454250' ? 'image/webp' : undefined;
}

/** Tolerates a data URL, line breaks, the URL-safe alphabet and missing padding; undefined for what is no base64. */
function standardBase64(data: string): string | undefined {
  const start = data.startsWith('data:') ? data.indexOf(',') + 1 : 0;
  let text = start === 0 ? data : data.slice(start);
  if (/[\s_-]/.test(text)) text = text.replaceAll(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const body = text.endsWith('=') ? text.replace(/={1,2}$/, '') : text;
  if (!/^[A-Za-z0-9+/]*$/.test(body) || body.length % 4 === 1) return undefined;
  return body.padEnd(Math.ceil(body.length / 4) * 4, '=');
}
