/** `pattern`: regular expressions that servers wrote, tried within limits of length and time. */
import { limits, systemClock } from '../../base/index.ts';
import { OutOfTime, runBounded } from '../bounded.ts';

export interface Patterns {
  /** Whether `pattern` matches somewhere in `text`; undefined when that cannot be decided within the limits. */
  test(pattern: string, text: string): boolean | undefined;
  /** The first of `texts` that `pattern` matches, if that is found within the limits. */
  find(pattern: string, texts: readonly string[]): string | undefined;
}

/** Without a quantifier a match takes time linear in the text, whatever the alternatives. */
const mayRepeat = /[*+{]/;

/** Patterns that share one budget of time: limits.patternMs for all of them together. */
export function createPatterns(): Patterns {
  // Most schemas have no pattern.
  let compiled: Map<string, RegExp | undefined> | undefined;
  let leftMs: number = limits.patternMs;
  const compiledOnce = (pattern: string): RegExp | undefined => {
    compiled ??= new Map();
    if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
    return compiled.get(pattern);
  };
  const limited = <T>(work: () => T): T | undefined => {
    if (leftMs <= 0) return undefined;
    const startedMs = systemClock.monotonicMs();
    try {
      return runBounded(work, leftMs);
    } catch (thrown) {
      if (thrown instanceof OutOfTime) return undefined;
      throw thrown;
    } finally {
      leftMs -= systemClock.monotonicMs() - startedMs;
    }
  };
  return {
    test(pattern, text) {
      const expression = compiledOnce(pattern);
      if (expression === undefined || text.length > limits.patternInputCharacters) return undefined;
      return mayRepeat.test(pattern) ? limited(() => expression.test(text)) : expression.test(text);
    },
    find(pattern, texts) {
      const expression = compiledOnce(pattern);
      return expression === undefined ? undefined : limited(() => texts.find((text) => expression.test(text)));
    },
  };
}

/** Undefined for what is no ECMAScript pattern in Unicode mode: other languages' syntax is not guessed at. */
function compile(pattern: string): RegExp | undefined {
  if (pattern.length > limits.patternCharacters) return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}
