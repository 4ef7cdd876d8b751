/** What a source file imports and which ambient names it touches, read from its tokens: comments, strings and types do not fool it. */
import { createScanner, LanguageVariant, SyntaxKind } from 'typescript/unstable/ast';

export interface Import {
  readonly specifier: string;
  /** `type` imports are erased; `dynamic` ones are `import('…')` and `getBuiltinModule('…')` at run time; `static` ones run at start. */
  readonly kind: 'static' | 'type' | 'dynamic';
  readonly line: number;
}

export interface Token {
  readonly kind: SyntaxKind;
  /** Text as written; for string literals the value. */
  readonly text: string;
  readonly line: number;
}

/** Tokens after which a slash divides instead of opening a regular expression. */
const endsOperand: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.SuperKeyword,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
]);

/** The tokens of TypeScript source. Follows templates into their substitutions. */
export function readTokens(source: string): readonly Token[] {
  const scanner = createScanner(true, LanguageVariant.Standard, source);
  const lines = lineFinder(source);
  const tokens: Token[] = [];
  // One number per open template: how many braces are open inside its substitution.
  const templates: number[] = [];
  let previous = SyntaxKind.Unknown;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    const isSlash = kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken;
    if (isSlash && !endsOperand.has(previous)) kind = scanner.reScanSlashToken();
    const depth = templates.at(-1);
    if (kind === SyntaxKind.TemplateHead) templates.push(0);
    else if (depth !== undefined && kind === SyntaxKind.OpenBraceToken) templates[templates.length - 1] = depth + 1;
    else if (depth !== undefined && kind === SyntaxKind.CloseBraceToken) {
      if (depth > 0) templates[templates.length - 1] = depth - 1;
      else {
        kind = scanner.reScanTemplateToken(false);
        if (kind === SyntaxKind.TemplateTail) templates.pop();
      }
    }
    const text = kind === SyntaxKind.StringLiteral ? scanner.getTokenValue() : scanner.getTokenText();
    tokens.push({ kind, text, line: lines(scanner.getTokenStart()) });
    previous = kind;
  }
  return tokens;
}

/** Every import and re-export of a file, in order. */
export function readImports(source: string): readonly Import[] {
  const tokens = readTokens(source);
  return tokens.flatMap((token, at) => {
    const found = importAt(tokens, at);
    return found === undefined ? [] : [{ ...found, line: token.line }];
  });
}

function importAt(tokens: readonly Token[], at: number): Omit<Import, 'line'> | undefined {
  const kind = tokens[at]?.kind;
  const specifier = tokens[at + 2];
  if (tokens[at]?.text === 'getBuiltinModule' && specifier?.kind === SyntaxKind.StringLiteral) {
    return { specifier: specifier.text, kind: 'dynamic' };
  }
  if (tokens[at - 1]?.kind === SyntaxKind.DotToken) return undefined;
  const next = tokens[at + 1];
  if (kind === SyntaxKind.ImportKeyword && next?.kind === SyntaxKind.OpenParenToken) {
    const argument = tokens[at + 2];
    const isType = tokens[at - 1]?.kind === SyntaxKind.TypeOfKeyword || isTypePosition(tokens, at);
    // A computed specifier is kept as written, so that a rule can refuse it.
    return { specifier: argument?.text ?? '', kind: isType ? 'type' : 'dynamic' };
  }
  if (kind !== SyntaxKind.ImportKeyword && kind !== SyntaxKind.ExportKeyword) return undefined;
  if (kind === SyntaxKind.ImportKeyword && next?.kind === SyntaxKind.StringLiteral) {
    return { specifier: next.text, kind: 'static' };
  }
  const source = fromClause(tokens, at + 1);
  if (source === undefined) return undefined;
  // `import { type A } from` keeps `import {} from` under verbatimModuleSyntax, so it runs: only a leading `type` erases.
  const isType = next?.kind === SyntaxKind.TypeKeyword && tokens[at + 2]?.kind !== SyntaxKind.FromKeyword;
  return { specifier: tokens[source]?.text ?? '', kind: isType ? 'type' : 'static' };
}

/** Index of the specifier of `… from 'specifier'` when the statement that starts at `from` has one. */
function fromClause(tokens: readonly Token[], start: number): number | undefined {
  const inClause: ReadonlySet<SyntaxKind> = new Set([
    SyntaxKind.OpenBraceToken,
    SyntaxKind.CloseBraceToken,
    SyntaxKind.CommaToken,
    SyntaxKind.AsteriskToken,
    SyntaxKind.StringLiteral,
  ]);
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind === SyntaxKind.FromKeyword && tokens[at + 1]?.kind === SyntaxKind.StringLiteral) return at + 1;
    if (token === undefined || !(inClause.has(token.kind) || /^[\w$]+$/.test(token.text))) return undefined;
  }
  return undefined;
}

/** `import('x').Name` after `:`, `|`, `<` and the like is a type; a run-time import is awaited, returned, called or passed. */
function isTypePosition(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.kind;
  return (
    before === SyntaxKind.LessThanToken ||
    before === SyntaxKind.BarToken ||
    before === SyntaxKind.AmpersandToken ||
    (before === SyntaxKind.ColonToken &&
      tokens[at + 4]?.kind === SyntaxKind.DotToken &&
      /^[A-Z]/.test(tokens[at + 5]?.text ?? ''))
  );
}

function lineFinder(source: string): (position: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  let line = 0;
  return (position) => {
    while ((starts[line + 1] ?? Infinity) <= position) line += 1;
    return line + 1;
  };
}
