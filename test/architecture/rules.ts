/** The rules of the house as pure functions: sources in, violations out, one line each. */
import { SyntaxKind } from 'typescript/unstable/ast';
import { ambients, floors, foreignDoors, heavyPackages } from './house.ts';
import { type Import, readImports, readTokens, type Token } from './read-source.ts';

/** Paths relative to src, with forward slashes, and their text. Tests are not among them. */
export type Sources = ReadonlyMap<string, string>;

interface Edge extends Import {
  readonly from: string;
  /** Path under src of the imported file; undefined for packages and builtins. */
  readonly target: string | undefined;
}

/** The room a file belongs to: hosts are strangers to each other, so each of them is a room. */
export function roomOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'hosts' ? `${first}/${second}` : first;
}

/** Imports go down, never up, never sideways; a room is entered by its index; nothing outside src is imported by path. */
export function floorViolations(sources: Sources): readonly string[] {
  return [...edgesOf(sources)].flatMap((edge) => {
    const where = `${edge.from}:${edge.line}`;
    if (edge.target === undefined) return isPath(edge.specifier) ? [`${where} leaves src: ${edge.specifier}`] : [];
    if (!sources.has(edge.target)) return [`${where} imports ${edge.target}, which is not there`];
    const [own, other] = [roomOf(edge.from), roomOf(edge.target)];
    const unknown = [own, other].filter((room) => floors[room] === undefined);
    if (unknown.length > 0) return unknown.map((room) => `${where} concerns ${room}, which has no floor`);
    if (own === other) {
      return edge.target === `${own}/index.ts` ? [`${where} imports the index of its own room`] : [];
    }
    if ((floors[other] ?? 0) >= (floors[own] ?? 0)) {
      return [`${where} goes from ${own} (${floors[own]}) to ${other} (${floors[other]}); imports go down only`];
    }
    return edge.target === `${other}/index.ts` ? [] : [`${where} enters ${other} by ${edge.target}, not by its index`];
  });
}

/** Groups of files that import each other, types included, each as a path that ends where it began. */
export function cycles(sources: Sources): readonly string[] {
  const next = new Map<string, string[]>([...sources.keys()].map((path) => [path, []]));
  for (const edge of edgesOf(sources)) if (edge.target !== undefined) next.get(edge.from)?.push(edge.target);
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path);
    if (seen >= 0) found.add([...trail.slice(seen), path].join(' -> '));
    if (seen >= 0 || done.has(path)) return;
    for (const target of next.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) walk(path, []);
  return [...found];
}

/** Foreign packages and builtins are imported only in the rooms that own their door. */
export function doorViolations(sources: Sources): readonly string[] {
  return [...edgesOf(sources)].flatMap((edge) =>
    foreignDoors
      .filter((door) => door.specifier.test(edge.specifier))
      .filter(
        (door) => !within(edge.from, door.rooms) && !(edge.kind === 'type' && within(edge.from, door.types ?? [])),
      )
      .map(
        (door) =>
          `${edge.from}:${edge.line} imports ${edge.specifier}: ${door.name} belongs to ${door.rooms.join(', ')}`,
      ),
  );
}

/** What a start-up path reaches by static imports must be light; each violation names the way there. */
export function startUpViolations(sources: Sources, entries: readonly string[]): readonly string[] {
  const edges = [...edgesOf(sources)].filter((edge) => edge.kind === 'static');
  return entries.flatMap((entry) => {
    const ways = new Map<string, string>([[entry, entry]]);
    const violations: string[] = [];
    for (const [path, way] of ways) {
      for (const edge of edges.filter(({ from }) => from === path)) {
        if (edge.target !== undefined && !ways.has(edge.target)) ways.set(edge.target, `${way} -> ${edge.target}`);
        if (heavyPackages.test(edge.specifier)) violations.push(`${way} -> ${edge.specifier}`);
      }
    }
    return violations;
  });
}

/** Ambient inputs are touched at the edges only. Members of other objects and names in types do not count. */
export function ambientViolations(sources: Sources): readonly string[] {
  return [...sources].flatMap(([path, text]) => {
    const tokens = readTokens(text);
    return tokens.flatMap((token, at) =>
      ambients
        .filter((ambient) => expressionsAt(tokens, at).some((expression) => ambient.expression.test(expression)))
        .filter((ambient) => !within(path, ambient.rooms))
        .map((ambient) => `${path}:${token.line} touches ${ambient.name}`),
    );
  });
}

/** What an expression that begins at a token may be called: `a`, `a.b`, `new A()`; a bare name counts only where it is called or passed on. */
function expressionsAt(tokens: readonly Token[], at: number): readonly string[] {
  const [token, next, after] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (token === undefined || tokens[at - 1]?.kind === SyntaxKind.DotToken) return [];
  if (token.kind === SyntaxKind.NewKeyword && next?.text === 'Date') {
    return tokens[at + 3]?.kind === SyntaxKind.CloseParenToken ? ['new Date()'] : [];
  }
  if (token.kind !== SyntaxKind.Identifier || next === undefined) return [];
  const member = next.kind === SyntaxKind.QuestionDotToken || next.kind === SyntaxKind.DotToken;
  if (member && after !== undefined) return [`${token.text}.${after.text}`];
  const isCalled = next.kind === SyntaxKind.OpenParenToken && !declares(tokens, at);
  return isCalled ? [token.text] : [];
}

/** `fetch(…) {` and `fetch(url: string): …` declare a method or a member of a type; they call nothing. */
function declares(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.kind;
  if (before === SyntaxKind.FunctionKeyword) return true;
  let depth = 0;
  for (let end = at + 1; end < tokens.length; end += 1) {
    if (tokens[end]?.kind === SyntaxKind.OpenParenToken) depth += 1;
    if (tokens[end]?.kind === SyntaxKind.CloseParenToken) depth -= 1;
    if (depth > 0) continue;
    const follows = tokens[end + 1]?.kind;
    const opensMember =
      before === SyntaxKind.OpenBraceToken ||
      before === SyntaxKind.CommaToken ||
      before === SyntaxKind.SemicolonToken ||
      before === SyntaxKind.CloseBraceToken ||
      before === SyntaxKind.AsyncKeyword ||
      before === SyntaxKind.ReadonlyKeyword;
    return opensMember && (follows === SyntaxKind.ColonToken || follows === SyntaxKind.OpenBraceToken);
  }
  return false;
}

function* edgesOf(sources: Sources): Generator<Edge> {
  for (const [from, text] of sources) {
    for (const found of readImports(text)) {
      yield { ...found, from, target: isPath(found.specifier) ? resolve(from, found.specifier) : undefined };
    }
  }
}

const isPath = (specifier: string): boolean => specifier.startsWith('.') || specifier.startsWith('/');

/** Path under src that a relative specifier means; undefined when it leads out of src. */
function resolve(from: string, specifier: string): string | undefined {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.') parts.push(part);
  }
  return specifier.startsWith('/') ? undefined : parts.join('/');
}

const within = (path: string, rooms: readonly string[]): boolean =>
  rooms.some((room) => (room.endsWith('/') ? path.startsWith(room) : path === room));
