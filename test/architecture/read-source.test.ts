import { describe, expect, it } from 'vitest';
import { readImports, readTokens } from './read-source.ts';

const imports = (source: string): readonly string[] =>
  readImports(source).map((found) => `${found.kind} ${found.specifier} @${found.line}`);

describe('the import reader', () => {
  it('sees every form of import and re-export', () => {
    const source = [
      "import a, { b as c } from './static.ts';",
      "import './effect.ts';",
      "import * as d from './star.ts';",
      "export { e } from './again.ts';",
      "export * from './all.ts';",
      "export * as f from './named.ts';",
      "const later = async () => (await import('./later.ts')).g;",
      "const { h } = process.getBuiltinModule('node:os');",
    ].join('\n');
    expect(imports(source)).toEqual([
      'static ./static.ts @1',
      'static ./effect.ts @2',
      'static ./star.ts @3',
      'static ./again.ts @4',
      'static ./all.ts @5',
      'static ./named.ts @6',
      'dynamic ./later.ts @7',
      'dynamic node:os @8',
    ]);
  });

  it('tells erased imports from those that run', () => {
    const source = [
      "import type { A } from './a.ts';",
      "import { type B, type C } from './b.ts';",
      "import { type D, e } from './c.ts';",
      "export type { F } from './d.ts';",
      "export type * from './e.ts';",
      "type G = typeof import('./f.ts');",
      "const h: import('./g.ts').H = i;",
      "export { type J, k } from './h.ts';",
    ].join('\n');
    expect(imports(source).map((line) => line.slice(0, line.indexOf(' @')))).toEqual([
      'type ./a.ts',
      'static ./b.ts',
      'static ./c.ts',
      'type ./d.ts',
      'type ./e.ts',
      'type ./f.ts',
      'type ./g.ts',
      'static ./h.ts',
    ]);
  });

  it('reads across several lines', () => {
    expect(imports("import {\n  a,\n  type B,\n} from './x.ts';")).toEqual(['static ./x.ts @1']);
  });

  it('is not fooled by comments, strings, templates, regular expressions and members', () => {
    const source = [
      "// import './comment.ts';",
      "/* import('./block.ts') */",
      'const text = "import \'./text.ts\'";',
      'const pattern = /[\'"`]/.test(text) ? 1 / 2 / 3 : 0;',
      "const inside = `${ { a: `${await import('./real.ts')}` } } import('./template.ts')`;",
      'const here = import.meta.url;',
      "loader.import('./member.ts');",
      'export const from = 1;',
      "export function run() { return './not.ts'; }",
    ].join('\n');
    expect(imports(source)).toEqual(['dynamic ./real.ts @5']);
  });

  it('keeps a computed specifier as written', () => {
    expect(imports('await import(name);')).toEqual(['dynamic name @1']);
  });
});

describe('the token reader', () => {
  it('gives lines and leaves comments out', () => {
    expect(readTokens('a\n// b\n  .c').map((token) => `${token.line}:${token.text}`)).toEqual(['1:a', '3:.', '3:c']);
  });
});
