/** Which requirement ids the titles of tests cite. */
import { SyntaxKind } from 'typescript/unstable/ast';
import { claimedIds, requirements } from '../requirements.ts';
import { readTokens } from './read-source.ts';

export interface Coverage {
  /** Number of titles that cite an id. */
  readonly cited: ReadonlyMap<string, number>;
  /** `file: id` of citations of ids that do not exist. */
  readonly unknown: readonly string[];
  /** Claimed ids that no title cites. */
  readonly missing: readonly string[];
}

/** Ids stand at the start of a title, before a colon: `T3: …`, `S4, H5: …`. */
const citation = /^((?:[A-Z]{1,2}\d+)(?:,? (?:and )?[A-Z]{1,2}\d+)*): /;

/** Names of test functions whose first argument is a title; members such as `it.each(…)(title)` are followed. */
const testNames = new Set(['it', 'test', 'describe']);

/** The titles of tests and groups in a test file. */
export function titlesOf(source: string): readonly string[] {
  const tokens = readTokens(source);
  return tokens.flatMap((token, at) => {
    if (!testNames.has(token.text) || tokens[at - 1]?.kind === SyntaxKind.DotToken) return [];
    const open = titleParenthesis(tokens, at + 1);
    const title = open === undefined ? undefined : tokens[open + 1];
    if (title === undefined) return [];
    const isPlain = title.kind === SyntaxKind.StringLiteral;
    const isTemplate =
      title.kind === SyntaxKind.NoSubstitutionTemplateLiteral || title.kind === SyntaxKind.TemplateHead;
    return isPlain ? [title.text] : isTemplate ? [title.text.slice(1)] : [];
  });
}

/** Index of the parenthesis that opens the call with the title: the last of `it(`, `it.skipIf(…)(`, `it.each([…])(`. */
function titleParenthesis(tokens: ReturnType<typeof readTokens>, start: number): number | undefined {
  let at = start;
  while (tokens[at]?.kind === SyntaxKind.DotToken) at += 2;
  if (tokens[at]?.kind !== SyntaxKind.OpenParenToken) return undefined;
  const end = closing(tokens, at);
  return tokens[end + 1]?.kind === SyntaxKind.OpenParenToken ? end + 1 : at;
}

function closing(tokens: ReturnType<typeof readTokens>, open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (tokens[at]?.kind === SyntaxKind.OpenParenToken) depth += 1;
    if (tokens[at]?.kind === SyntaxKind.CloseParenToken) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** Ids that a title cites. */
export function idsIn(title: string): readonly string[] {
  return citation.exec(title)?.[1]?.match(/[A-Z]{1,2}\d+/g) ?? [];
}

/** Coverage by the given test files: path to text. */
export function coverageOf(tests: ReadonlyMap<string, string>): Coverage {
  const known = new Set(requirements.map((requirement) => requirement.id));
  const cited = new Map<string, number>();
  const unknown: string[] = [];
  for (const [path, text] of tests) {
    for (const id of titlesOf(text).flatMap(idsIn)) {
      cited.set(id, (cited.get(id) ?? 0) + 1);
      if (!known.has(id)) unknown.push(`${path}: ${id}`);
    }
  }
  return { cited, unknown, missing: claimedIds.filter((id) => !cited.has(id)) };
}
