import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openPage, splitWords } from './open-page.ts';

describe('opening a page', () => {
  it('K6: BROWSER is a program with its words, and the URL one more, through no shell', async () => {
    const folder = tempFolder();
    const [script, told] = [join(folder, 'a browser.mjs'), join(folder, 'told')];
    writeFileSync(
      script,
      `import { renameSync, writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(`${told}.new`)}, JSON.stringify(process.argv.slice(2)));
       renameSync(${JSON.stringify(`${told}.new`)}, ${JSON.stringify(told)});`,
    );
    const env = { ...process.env, BROWSER: `"${process.execPath}" '${script}' --new-window %s` };
    const url = 'https://auth.example/?a=1&b=$(touch x);`id`&c="\'';
    expect(await openPage(url, { env, platform: process.platform })).toBe(true);
    await eventually(() => existsSync(told));
    expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual(['--new-window', new URL(url).href]);
  });

  it('K6: a program that is not there, and a machine without a screen, open nothing', async () => {
    const nowhere = { BROWSER: join(tempFolder(), 'none') };
    expect(await openPage('https://x.example', { env: nowhere, platform: 'linux' })).toBe(false);
    expect(await openPage('https://x.example', { env: {}, platform: 'linux' })).toBe(false);
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'vscode://x', 'not a URL'])(
    'K6: %s is no page to sign in at',
    async (url) => {
      await expect(openPage(url, { env: { BROWSER: 'true' }, platform: 'linux' })).rejects.toMatchObject({
        code: 'sign_in_failed',
        details: { reason: 'bad_page' },
      });
    },
  );

  it('words are split at blanks outside of quotes', () => {
    expect(splitWords(`  a "b c" d'e f'g  ""h `)).toEqual(['a', 'b c', 'de fg', 'h']);
  });
});
