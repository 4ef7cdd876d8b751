/** Tests that run side by side: of them no hook knows which is the running one, so that one test's end would end another's processes. */
import { expect, it } from 'vitest';
import { readProjectFiles } from '../support/project-files.ts';

/** What in a file with concurrent tests is tidied up at the end of whichever test began last. */
function hooksOfAnybody(text: string): readonly string[] {
  if (!/\.concurrent\b|\bconcurrent: true\b/.test(text)) return [];
  const imported = /^import \{[^}]*\bonTestFinished\b[^}]*\} from 'vitest'/m.test(text)
    ? ['onTestFinished of vitest']
    : [];
  return [...imported, ...(text.match(/\b(?:tempFolder|create\w*Cli|homeWith)\(\)/g) ?? [])];
}

it('concurrent tests tidy up by their own context', () => {
  const files = [...readProjectFiles('src/**/*.test.ts', 'test/{e2e,faults,fuzz,pi,secrets,formats}/**/*.test.ts')];
  expect(files.filter(([, text]) => text.includes('oncurrent')).length).toBeGreaterThan(2);
  expect(files.flatMap(([path, text]) => hooksOfAnybody(text).map((hook) => `${path}: ${hook}`))).toEqual([]);
});

it.each([
  ["import { it, onTestFinished } from 'vitest';", 'onTestFinished of vitest'],
  ['const cli = createCli();', 'createCli()'],
  ['const folder = tempFolder();', 'tempFolder()'],
])('refuses %s in a file with concurrent tests', (line, found) => {
  expect(hooksOfAnybody(`${line}\nit.concurrent('a', run);`)).toEqual([found]);
  expect(hooksOfAnybody(`${line}\nit('a', run);`)).toEqual([]);
});
