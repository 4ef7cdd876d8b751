import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followPages } from '../../test/support/follow-pages.ts';
import { countingStdio, trestleHome, valueOf } from '../../test/support/trestle-home.ts';

/** Runs `use` on a runtime in a process of its own, and gives the files and packages that were loaded. */
function loadedBy(folder: string, use: string): readonly string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { createRuntime, placesOf } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'index.ts')))});
    const folder = ${JSON.stringify(folder)};
    const runtime = createRuntime({
      places: placesOf(folder), cwd: folder, userHome: folder, env: process.env, platform: process.platform,
    });
    const result = await (async () => { ${use} })();
    await runtime.close();
    console.log(JSON.stringify({ loaded, result }));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const { loaded, result } = JSON.parse(output) as { readonly loaded: readonly string[]; readonly result: unknown };
  expect(result).toBe(true);
  return loaded;
}

const connecting = /\/src\/(session|pool)\/|\/@modelcontextprotocol\/|\/undici\/|\/zod\/|\/ajv/;

describe('what a runtime loads', () => {
  it.each([
    ['a refused call', `return (await runtime.call({ server: 'counting', tool: 'cuont' })).kind === 'not-found';`],
    [
      'arguments that do not fit',
      `return (await runtime.call({ server: 'counting', tool: 'echo' })).kind === 'invalid-arguments';`,
    ],
    ['the status', `return (await runtime.status()).servers.length === 1;`],
    ['a descriptor', `return runtime.registry.tool('counting', 'echo').value.name === 'echo';`],
    ['forget', `return (await runtime.forget('counting')).registry;`],
  ])('L8: %s loads nothing that connects, nor a schema library', async (_, use) => {
    const home = trestleHome({ counting: countingStdio().entry });
    await home.runtime.sync({ server: 'counting' });
    const loaded = loadedBy(home.folder, use);
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.filter((url) => connecting.test(url))).toEqual([]);
  });

  it('L8: a call loads them', async () => {
    const home = trestleHome({ counting: countingStdio().entry });
    const loaded = loadedBy(
      home.folder,
      `return (await runtime.call({ server: 'counting', tool: 'count' })).kind === 'ok';`,
    );
    expect(loaded.filter((url) => connecting.test(url))).not.toEqual([]);
  });

  it('K6: a call to a process loads nothing of sign-in', async () => {
    const home = trestleHome({ counting: countingStdio().entry });
    const loaded = loadedBy(
      home.folder,
      `return (await runtime.call({ server: 'counting', tool: 'count' })).kind === 'ok';`,
    );
    expect(loaded.filter((url) => /\/session\/auth\//.test(url) && !url.endsWith('/open-sign-ins.ts'))).toEqual([]);
  });

  it('K6: a call with a stored sign-in loads neither the SDK nor what looks anything up', async () => {
    const home = trestleHome({ docs: { url: await signInServer() } });
    home.settings({ secretStore: 'file' });
    valueOf(await home.runtime.signIn({ server: 'docs', person: { showPage: followPages } }));
    valueOf(await home.runtime.sync({ server: 'docs' }));
    const loaded = loadedBy(
      home.folder,
      `return (await runtime.call({ server: 'docs', tool: 'whoami' })).kind === 'ok';`,
    );
    expect(loaded.some((url) => url.endsWith('/session/auth/keeper.ts'))).toBe(true);
    expect(loaded.filter((url) => /@modelcontextprotocol|\/zod\/|auth\/(discover|renew|personal)/.test(url))).toEqual(
      [],
    );
  });
});

/** The URL of a server behind a sign-in, in a process of its own: this one waits for others without an answer. */
async function signInServer(): Promise<string> {
  const file = join(import.meta.dirname, '../../test/servers/sign-in.ts');
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  for await (const url of createInterface({ input: child.stdout })) return url;
  throw new Error('the server said no URL');
}
