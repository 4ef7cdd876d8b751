/**
 * fast-check, as every test with properties takes it. An ordinary run tries the same values each time, so that a test that was green
 * stays so; `npm run fuzz` goes on with other seeds (TRESTLE_FUZZ_SEED) and more runs (TRESTLE_FUZZ_TIMES).
 */
import { assert as assertOnce, check as checkOnce, type IRawProperty, type Parameters } from 'fast-check';

export * from 'fast-check';

const seed = Number(process.env['TRESTLE_FUZZ_SEED'] ?? 1);
const times = Number(process.env['TRESTLE_FUZZ_TIMES'] ?? 1);

/** How the values of this run are made once more. */
export const repeat = `TRESTLE_FUZZ_SEED=${seed} TRESTLE_FUZZ_TIMES=${times}`;

/** Runs of a property that does not say how many. */
const ordinaryRuns = 100;

const settled = (parameters: Parameters<unknown> = {}): Parameters<unknown> => ({
  ...parameters,
  seed,
  numRuns: (parameters.numRuns ?? ordinaryRuns) * times,
});

/** fast-check's `assert` with the seed and the number of runs of this run. */
export const assert = ((property: IRawProperty<unknown>, parameters?: Parameters<unknown>) =>
  assertOnce(property, settled(parameters))) as typeof assertOnce;

/** fast-check's `check` with the seed and the number of runs of this run. */
export const check = ((property: IRawProperty<unknown>, parameters?: Parameters<unknown>) =>
  checkOnce(property, settled(parameters))) as typeof checkOnce;
