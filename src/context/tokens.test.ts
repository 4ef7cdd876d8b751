import { describe, expect, it } from 'vitest';
import { realServers } from '../../test/support/offers.ts';
import { estimateTokens } from './estimate.ts';
import { loadTokenizer } from './exact-count.ts';
import { featureNames } from './text-features.ts';
import { tokenWeights } from './token-weights.ts';

const count = await loadTokenizer();

describe('the estimate', () => {
  it('C3: is within some percent on lists and schemas of real servers', () => {
    const texts = realServers().flatMap(({ tools }) => [
      tools.map(({ name, description }) => `- ${name}: ${description.slice(0, 80)}`).join('\n'),
      tools.map(({ name }) => name).join(', '),
      ...(tools[0]?.inputSchema === undefined ? [] : [JSON.stringify(tools.map(({ inputSchema }) => inputSchema))]),
    ]);
    const errors = texts
      .filter((text) => text.length > 500)
      .map((text) => Math.abs(estimateTokens(text) / count(text) - 1));
    expect(errors.length).toBeGreaterThan(30);
    expect(errors.toSorted((a, b) => a - b)[errors.length >> 1]).toBeLessThan(0.06);
    expect(Math.max(...errors)).toBeLessThan(0.25);
  });

  it('C3: has a weight for every feature, and no token for no text', () => {
    expect(tokenWeights).toHaveLength(featureNames.length);
    expect(estimateTokens('')).toBe(0);
  });
});

describe('the exact count', () => {
  it("C3: takes the tokenizer's own signs for text", () => {
    expect(count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('C3: counts what looks hostile in linear time', () => {
    for (const run of ['a', '=', ' ', '汉', '🚀', '\n', 'ä']) {
      const startedMs = performance.now();
      expect(count(run.repeat(100_000))).toBeGreaterThan(500);
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    }
  });

  it('C3: a text with a long run is counted whole', () => {
    const words = 'some words of text, '.repeat(40);
    expect(count(`${words}${'a'.repeat(1_200)} ${words}`)).toBeGreaterThan(count(words) * 2);
    expect(count(words.repeat(3))).toBeLessThanOrEqual(count(words) * 3);
  });
});
