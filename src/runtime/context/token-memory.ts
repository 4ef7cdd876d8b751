/** `state/token-counts.json`: exact counts of texts by their SHA-256, so that a text is counted once and not once a process. */
import { type Clock, type JsonObject, limits, type Log, sha256Hex } from '../../base/index.ts';
import { loadTokenizer } from '../../context/index.ts';
import { openStoredMemory, type StoredFact } from '../stored-memory.ts';

interface CountedText extends StoredFact {
  readonly tokens: number;
}

export interface TokenMemory {
  /** The exact count; the tokenizer is loaded only for a text that nobody has counted yet. */
  count(text: string): Promise<number>;
  close(): Promise<void>;
}

export function openTokenMemory(file: string, options: { readonly clock: Clock; readonly log: Log }): TokenMemory {
  const memory = openStoredMemory<CountedText>({
    file,
    subject: 'token counts',
    most: limits.tokenCounts,
    read: readCount,
    ...options,
  });
  return {
    async count(text) {
      const key = sha256Hex(text);
      const known = memory.get(key)?.tokens;
      if (known !== undefined) return known;
      const tokens = (await loadTokenizer())(text);
      memory.set(key, { tokens, atMs: options.clock.now() });
      return tokens;
    },
    close: () => memory.close(),
  };
}

function readCount({ tokens, atMs }: JsonObject): CountedText | undefined {
  if (typeof tokens !== 'number' || !Number.isSafeInteger(tokens) || tokens < 0) return undefined;
  return typeof atMs === 'number' ? { tokens, atMs } : undefined;
}
