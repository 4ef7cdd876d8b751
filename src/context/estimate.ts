/** About how many o200k tokens a text has, without the tokenizer: some percent off, and fast. */
import { countFeatures } from './text-features.ts';
import { tokenWeights } from './token-weights.ts';

/** An estimate, not rounded. */
export function estimateTokens(text: string): number {
  const counts = new Float64Array(tokenWeights.length);
  countFeatures(text, counts);
  return tokenWeights.reduce((sum, weight, feature) => sum + weight * (counts[feature] ?? 0), 0);
}
