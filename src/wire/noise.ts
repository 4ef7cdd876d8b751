/** Pieces of a server's output that are no message: counted, and the first one kept for people, cleaned and short. */
import { limits } from '../base/index.ts';
import type { LinkStats } from './link.ts';
import { plainText } from './plain-text.ts';

export interface NoiseCount {
  count(piece: string): void;
  stats(): Pick<LinkStats, 'noise' | 'noiseSample'>;
}

/** `onFirst` is told the first piece. */
export function createNoiseCount(onFirst: (sample: string) => void): NoiseCount {
  let noise = 0;
  let noiseSample: string | undefined;
  return {
    count(piece) {
      noise += 1;
      if (noiseSample !== undefined) return;
      noiseSample = plainText(piece, limits.noiseSampleCharacters);
      onFirst(noiseSample);
    },
    stats: () => ({ noise, noiseSample }),
  };
}
