import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { cliPath, createCli } from '../support/cli.ts';
import { projectRoot } from '../support/project-files.ts';

const dist = join(projectRoot, 'dist');
const entry = readFileSync(cliPath, 'utf8');

it('L8: the command starts with a tiny file that imports nothing before it looked at the version of Node.js', () => {
  expect(statSync(cliPath).size).toBeLessThan(2_000);
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
  expect(text.match(/=\((?:async )?function\b/g)?.length).toBeGreaterThan(150);
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

it('N1: what Pi loads at its start is one small file without imports', () => {
  const text = readFileSync(join(dist, 'pi.js'), 'utf8');
  expect(text.length).toBeLessThan(8_000);
  expect(text).not.toMatch(/(?:^|[;}\s])import[\s"'{*(]/);
});

it.each(['index.d.ts', 'pi.d.ts'])("the published types of %s name no other package's types", (file) => {
  const types = readFileSync(join(dist, file), 'utf8');
  const imports = [...types.matchAll(/(?:from|import)\s*\(?["']([^"']+)["']/g)].map(([, specifier]) => specifier);
  expect(imports).toEqual([]);
});

it('what the library takes and gives has a type that can be imported: a port can be written in a function of its own', () => {
  const types = readFileSync(join(dist, 'index.d.ts'), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const found = (pattern: RegExp): readonly string[] => [...types.matchAll(pattern)].map(([, name = '']) => name);
  const declared = new Set(found(/^(?:export )?(?:declare )?(?:interface|type|class) (\w+)/gm));
  const exported = new Set([
    ...found(/^export (?:declare )?(?:interface|type|class) (\w+)/gm),
    ...found(/^export (?:type )?\{([^}]*)\}/gm).flatMap((list) => list.split(',').map((name) => name.trim())),
  ]);
  const doors = ['Runtime', 'RuntimeOptions', 'HostPorts', 'Question', 'Person', 'ContextReport'];
  const tools = ['BridgeOptions', 'AdapterOptions', 'ToolObject', 'ToolControl', 'ToolOutput'];
  const hidden = [...doors, ...tools].flatMap((door) => {
    const [, body] = new RegExp(`interface ${door}\\b([^]*?)\\n}`).exec(types) ?? [];
    if (body === undefined) return [`${door} itself`];
    return [...body.matchAll(/\b[A-Z]\w+/g)]
      .map(([name]) => name)
      .filter((name) => declared.has(name) && !exported.has(name));
  });
  expect(hidden).toEqual([]);
});

interface Packed {
  readonly files: readonly { readonly path: string }[];
  readonly unpackedSize: number;
}

/** What would be published. */
function packed(): Packed {
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: projectRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  const [one] = JSON.parse(told) as [Packed];
  return one;
}

it('the package holds dist, schemas and the documents, no source maps, and depends on nothing', () => {
  const { files, unpackedSize } = packed();
  const top = new Set(files.map(({ path }) => path.split('/')[0]));
  const documents = [
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'docs',
  ];
  expect(top).toEqual(new Set([...documents, 'dist', 'package.json', 'schemas']));
  expect(files.filter(({ path }) => /\.map$|\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  expect(unpackedSize).toBeLessThan(15_000_000);
  expect(manifest).not.toHaveProperty('dependencies');
});

it('no link of a document that is in the package is dead in it, but those of three that speak of the sources', () => {
  const paths = packed().files.map(({ path }) => path);
  const ofSources = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const documents = paths.filter((path) => /^(docs\/)?[\w-]+\.md$/.test(path));
  expect(documents.length).toBeGreaterThan(15);
  const links = documents.flatMap((from) => linksOf(from).map((link) => ({ from, ...link })));
  const isThere = (path: string): boolean => paths.some((one) => one === path || one.startsWith(`${path}/`));
  const dead = links.filter(({ from, path }) => !isThere(path) && !ofSources.includes(from));
  expect(dead).toEqual([]);
  expect(links.filter(({ path }) => !existsSync(join(projectRoot, path)))).toEqual([]);
  const lost = links.filter(({ path, heading }) => heading !== undefined && !headingsOf(path).includes(heading));
  expect(lost).toEqual([]);
});

/** The links of a document to files, by their paths in the project, and the heading that they lead to. */
function linksOf(document: string): readonly { readonly path: string; readonly heading: string | undefined }[] {
  const text = readFileSync(join(projectRoot, document), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([\w-]+))?\)/g)].map(([, target = '', heading]) => ({
    path: target === '' ? document : posix.join(posix.dirname(document), target),
    heading,
  }));
}

/** As they stand in addresses: small letters, blanks as hyphens, no other signs. */
function headingsOf(document: string): readonly string[] {
  const text = readFileSync(join(projectRoot, document), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
