/** What is in a home after a person has worked with it, against what docs/config-format.md says is there. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { createDaemonCli, referenceServer } from '../support/cli.ts';
import { projectRoot } from '../support/project-files.ts';

const page = readFileSync(join(projectRoot, 'docs', 'config-format.md'), 'utf8');

/** Files of a home that the page names, as patterns; a folder stands for all in it. */
function documentedFiles(): readonly { readonly text: string; readonly pattern: RegExp }[] {
  const [first = '', rest = ''] = page.split('## In an editor');
  const [, own = ''] = rest.split("## Files of Trestle's own");
  const named = [first, own.split('\n## ')[0] ?? ''].flatMap((part) =>
    [...part.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
    ),
  );
  return named
    .filter((text) => !text.startsWith('<project>'))
    .map((text) => text.replace(/^<home>\//, ''))
    .map((text) => ({ text, pattern: new RegExp(`^${patternText(text)}(/.*)?$`) }));
}

function patternText(text: string): string {
  return text
    .replaceAll(/[.+?^$()[\]{}|\\]/g, String.raw`\$&`)
    .replaceAll('*', '[^/]*')
    .replaceAll(/<\w+>/g, '[^/]+');
}

/** What this journey does not come by: sign-ins, npx, a log of a mebibyte. */
const notMet = ['state/sign-ins.json', 'state/sign-in-locks', 'state/launchers.json', 'run/daemon.log.old'] as const;

describe('a home', () => {
  it('F3, A3: holds the files that the page names, and the private ones are private', async () => {
    const cli = createDaemonCli();
    const { home } = cli;
    mkdirSync(join(home, 'state'));
    writeFileSync(join(home, 'settings.json'), '{ "secretStore": "file" }');
    writeFileSync(join(home, 'state', 'approvals.json'), 'no approvals', { mode: 0o600 });
    await cli.run(['secret', 'set', 'token'], { input: 'hunter2-hunter2' });
    expect((await cli.run(['add', 'everything', '--', ...referenceServer('everything')])).code).toBe(0);
    expect((await cli.run(['approve', 'everything', '--yes'])).code).toBe(0);
    await cli.run(['search', 'echo']);
    await cli.run(['context']);
    const long = await cli.run(['call', 'everything', 'echo', `message=${'x'.repeat(60_000)}`]);
    expect(long.stderr).toContain('The whole: ');

    const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !lstatSync(join(home, path)).isDirectory());
    const documented = documentedFiles();
    expect(files.filter((file) => !documented.some(({ pattern }) => pattern.test(file)))).toEqual([]);
    const met = documented.filter(({ pattern }) => files.some((file) => pattern.test(file)));
    const unmet = documented.map(({ text }) => text).filter((text) => !met.some((one) => one.text === text));
    expect(unmet.sort()).toEqual([...notMet].sort());

    if (process.platform === 'win32') return;
    const modeOf = (path: string): string => (lstatSync(join(home, path)).mode & 0o777).toString(8);
    for (const folder of ['state', 'run', 'spill']) expect([folder, modeOf(folder)]).toEqual([folder, '700']);
    const isLock = (file: string): boolean => /\.lock\//.test(file);
    const open = files.filter((file) => /^(state|run|spill)\//.test(file) && !isLock(file) && modeOf(file) !== '600');
    expect(open).toEqual([]);
  });

  it('F3: begins its servers.json with a schema that an editor finds beside it, and adds none to one that is there', async () => {
    const cli = createDaemonCli();
    const { home } = cli;
    await cli.run(['add', 'one', '--', ...referenceServer('everything')]);
    const written = JSON.parse(readFileSync(join(home, 'servers.json'), 'utf8')) as { $schema: string };
    expect(written.$schema).toBe('./schemas/servers.schema.json');
    const schema = JSON.parse(readFileSync(join(home, written.$schema), 'utf8')) as object;
    expect(new Ajv2020({ strict: false }).validate(schema, written)).toBe(true);
    expect(readdirSync(join(home, 'schemas')).sort()).toEqual(['servers.schema.json', 'settings.schema.json']);

    const other = createDaemonCli();
    writeFileSync(join(other.home, 'servers.json'), '{}');
    await other.run(['add', 'one', '--', ...referenceServer('everything')]);
    expect(readFileSync(join(other.home, 'servers.json'), 'utf8')).not.toContain('$schema');
    expect(readdirSync(other.home)).not.toContain('schemas');

    // A copy that is old or was lost is made anew.
    writeFileSync(join(home, 'schemas', 'servers.schema.json'), '{}');
    await cli.run(['add', 'two', '--', ...referenceServer('everything')]);
    expect(JSON.parse(readFileSync(join(home, written.$schema), 'utf8'))).toEqual(schema);
  });

  it('F3: of Pi names the schema in the home of Trestle, and a file of a project names none', async () => {
    const cli = createDaemonCli();
    const { home, cwd } = cli;
    await cli.run(['add', 'one', '--home', 'pi', '--', ...referenceServer('everything')]);
    const agent = join(home, '.pi', 'agent');
    const written = JSON.parse(readFileSync(join(agent, 'mcp-servers.json'), 'utf8')) as { $schema: string };
    expect(JSON.parse(readFileSync(new URL(written.$schema), 'utf8'))).toHaveProperty('properties.mcpServers');
    expect(readdirSync(agent)).not.toContain('schemas');

    writeFileSync(join(cwd, '.mcp.json'), '{"mcpServers":{"two":{"command":"x"}}}');
    mkdirSync(join(cwd, '.cursor'));
    writeFileSync(join(cwd, '.cursor', 'mcp.json'), '{"mcpServers":{"three":{"command":"x"}}}');
    expect((await cli.run(['import', '--yes'])).code).toBe(0);
    const project = readFileSync(join(cwd, '.trestle', 'servers.json'), 'utf8');
    expect(project).toContain('three');
    expect(project).not.toContain('$schema');
  });
});
