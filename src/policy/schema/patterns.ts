/** `pattern`: regular expressions that servers wrote, tried within limits of length and time. */
import { limits } from '../../base/index.ts';
import { OutOfTime, runBounded } from '../bounded.ts';

export interface Patterns {
  /** Whether `pattern` matches somewhere in `text`; undefined when that cannot be decided within the limits. */
  test(pattern: string, text: string): boolean | undefined;
}

/** Without a quantifier a match takes time linear in the text, whatever the alternatives. */
const mayRepeat = /[*+{]/;

/** Patterns that share one budget of time: limits.patternMs for all of them together. */
export function createPatterns(): Patterns {
  const compiled = new Map<string, RegExp | undefined>();
  let leftMs: number = limits.patternMs;
  return {
    test(pattern, text) {
      if (pattern.length > limits.patternCharacters || text.length > limits.patternInputCharacters) return undefined;
      let expression = compiled.get(pattern);
      if (expression === undefined && !compiled.has(pattern)) {
        expression = compile(pattern);
        compiled.set(pattern, expression);
      }
      if (expression === undefined) return undefined;
      if (!mayRepeat.test(pattern)) return expression.test(text);
      if (leftMs <= 0) return undefined;
      const regular = expression;
      const startedMs = performance.now();
      try {
        return runBounded(() => regular.test(text), leftMs);
      } catch (thrown) {
        if (thrown instanceof OutOfTime) return undefined;
        throw thrown;
      } finally {
        leftMs -= performance.now() - startedMs;
      }
    },
  };
}

/** Undefined for what is no ECMAScript pattern in Unicode mode: other languages' syntax is not guessed at. */
function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}
