/** Running foreign work (regular expressions and schemas that servers wrote) under a limit of time. */
import type { Context, Script } from 'node:vm';

/** Thrown when the work was stopped. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

interface Arena {
  readonly box: { work: () => void };
  readonly context: Context;
  readonly script: Script;
}

let arena: Arena | undefined;

function openArena(): Arena {
  // Loaded on first use: most calls have no pattern and must not pay for it.
  const vm = process.getBuiltinModule('node:vm');
  const box = { work: (): void => {} };
  arena ??= { box, context: vm.createContext(box), script: new vm.Script('work()') };
  return arena;
}

/**
 * Runs `work`, which must be synchronous, and stops it after `limitMs` with {@link OutOfTime}. `vm`'s time limit also reaches
 * into a regular expression that is being matched, which nothing else in one thread does.
 */
export function runBounded<T>(work: () => T, limitMs: number): T {
  const { box, context, script } = openArena();
  let result: { readonly value: T } | undefined;
  box.work = (): void => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: Math.max(1, Math.ceil(limitMs)) });
  } catch (thrown) {
    if ((thrown as { readonly code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new OutOfTime(`stopped after ${limitMs} ms`, { cause: thrown });
    }
    throw thrown;
  } finally {
    box.work = (): void => {};
  }
  if (result === undefined) throw new OutOfTime('the work did not end');
  return result.value;
}
