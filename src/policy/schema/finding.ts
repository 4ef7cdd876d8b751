/** What a check has found: definite problems, and doubts where it cannot decide. */
import { type JsonValue, limits } from '../../base/index.ts';

export type PathStep = string | number;

/** A path as a chain, so that going down costs nothing until a problem is found. */
export interface PathLink {
  readonly parent: PathLink | undefined;
  readonly step: PathStep;
}

/** How the value concerned could be put right. */
export type Fix =
  /** Another value that fits `schema`. */
  | { readonly kind: 'replace'; readonly schema: JsonValue }
  /** A member that is missing; `from` is an unknown member that looks like it. */
  | { readonly kind: 'add'; readonly schema: JsonValue; readonly from?: string | undefined }
  | { readonly kind: 'remove' };

export interface Problem {
  readonly path: readonly PathStep[];
  /** One clause: "must be a number, got text \"abc\"". */
  readonly clause: string;
  readonly fix: Fix;
  /** Alternatives whose only problems are of one of these are put into one sentence: "must be text or a number". */
  readonly about?: { readonly keyword: 'type' | 'value'; readonly expected: readonly string[] };
}

/** Fits when both are empty; definitely does not fit when there is a problem; else it cannot be said. */
export interface Finding {
  readonly problems: Problem[];
  readonly doubts: string[];
}

export type Answer = 'fits' | 'fails' | 'unknown';

export function emptyFinding(): Finding {
  return { problems: [], doubts: [] };
}

export function answerOf(finding: Finding): Answer {
  if (finding.problems.length > 0) return 'fails';
  return finding.doubts.length > 0 ? 'unknown' : 'fits';
}

/** Adds a problem unless there are enough to act on. */
export function addProblem(finding: Finding, problem: Problem): void {
  if (finding.problems.length < limits.argumentProblems) finding.problems.push(problem);
}

/** Adds a doubt; the first few say enough. */
export function addDoubt(finding: Finding, doubt: string): void {
  if (finding.doubts.length < 3 && !finding.doubts.includes(doubt)) finding.doubts.push(doubt);
}

/** Adds all of `more` to `finding`. */
export function addAll(finding: Finding, more: Finding): void {
  for (const problem of more.problems) addProblem(finding, problem);
  for (const doubt of more.doubts) addDoubt(finding, doubt);
}

/** The steps of a chain, outermost first. */
export function pathOf(link: PathLink | undefined): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (let here = link; here !== undefined; here = here.parent) steps.unshift(here.step);
  return steps;
}
