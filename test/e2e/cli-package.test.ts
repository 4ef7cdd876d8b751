import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { cliPath, createCli } from '../support/cli.ts';
import { projectRoot } from '../support/project-files.ts';

const dist = join(projectRoot, 'dist');
const entry = readFileSync(cliPath, 'utf8');

it('L8: the command starts with a tiny file that imports nothing before it looked at the version of Node.js', () => {
  expect(statSync(cliPath).size).toBeLessThan(1_500);
  expect(entry).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(entry).not.toMatch(/^\s*import[\s"'{*]/m);
});

it('L1: --version prints the version of the package and loads nothing', async () => {
  const cli = createCli();
  expect(await cli.run(['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  expect(readdirSync(cli.home)).toEqual([]);
});

it('L3: an old Node.js gets one sentence and exit code 2', async () => {
  // The first file only asks `process.versions`, so an old release is one that says it is old.
  const old = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } }); await import(${JSON.stringify(cliPath)});`;
  const refused = promisify(execFile)(process.execPath, ['--input-type=module', '-e', old, 'list']);
  await expect(refused).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^error\[usage\]: trestle needs Node\.js 22\.19 or later, and this is 20\.20\.2 .*\nhint: .*\n$/,
    ) as string,
  });
});

it('L8: what list, show and help load holds neither SDK, nor schema library, nor HTTP client, and is small', () => {
  const [start = ''] = /\.\/chunks\/start-[\w-]+\.js/.exec(entry) ?? [];
  const text = readFileSync(join(dist, start), 'utf8');
  expect(text.length).toBeLessThan(160_000);
  const imported = [...text.matchAll(/\bfrom"([^"]+)"/g)].map(([, specifier]) => specifier);
  expect(
    imported.filter((specifier) => !/^(node:path|\.\/rolldown-runtime-[\w-]+\.js)$/.test(specifier ?? '')),
  ).toEqual([]);
  expect(text).not.toMatch(/ZodError|new Ajv|@modelcontextprotocol\/client|undici/);
});

it('L8: what list, show and refusals call is compiled together with its file, so that Node.js keeps it from one start to the next', () => {
  const [start = ''] = /\.\/chunks\/start-[\w-]+\.js/.exec(entry) ?? [];
  const text = readFileSync(join(dist, start), 'utf8');
  expect(text.match(/=\((?:async )?function /g)?.length).toBeGreaterThan(150);
  // One sign beyond ASCII, and the file is read as a text of twice the size.
  expect(text).toMatch(/^[\0-\x7f]*$/);
});

it('L8: what a call through the daemon loads besides is one file', () => {
  const chunks = readdirSync(join(dist, 'chunks')).filter((name) => /^call-[\w-]+\.js$/.test(name));
  const texts = chunks.map((name) => readFileSync(join(dist, 'chunks', name), 'utf8'));
  const [text = ''] = texts.toSorted((a, b) => b.length - a.length);
  const imported = [...text.matchAll(/\bfrom"([^"]+)"/g)].map(([, specifier]) => specifier);
  expect(imported.filter((specifier) => !/^(node:path|\.\/start-[\w-]+\.js)$/.test(specifier ?? ''))).toEqual([]);
});

it("the published types name no other package's types", () => {
  const types = readFileSync(join(dist, 'index.d.ts'), 'utf8');
  const imports = [...types.matchAll(/(?:from|import)\s*\(?["']([^"']+)["']/g)].map(([, specifier]) => specifier);
  expect(imports).toEqual([]);
});

it('the package holds dist, schemas and four documents, no source maps, and depends on nothing', () => {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }),
  ) as [{ readonly files: readonly { readonly path: string }[]; readonly unpackedSize: number }];
  const [{ files, unpackedSize }] = packed;
  const top = new Set(files.map(({ path }) => path.split('/')[0]));
  expect(top).toEqual(new Set(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json', 'schemas']));
  expect(files.filter(({ path }) => /\.map$|\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  expect(unpackedSize).toBeLessThan(15_000_000);
  expect(manifest).not.toHaveProperty('dependencies');
});
