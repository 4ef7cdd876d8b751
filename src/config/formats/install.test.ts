import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type HostId, hostIds, hosts } from './hosts.ts';
import { applyInstall, type InstallPlace, planInstall, planRemoval } from './install.ts';
import { readSource } from './read-source.ts';
import { formats } from './table.ts';

const files = join(import.meta.dirname, '..', '..', '..', 'test', 'formats', 'files');

/** Files as people have them: what they hold must survive. */
const samples: Readonly<Record<HostId, readonly string[]>> = {
  'claude-code': ['user.claude.json', 'marks.mcp.json'],
  'claude-desktop': ['usual.json', 'windows.json'],
  cursor: ['usual.json', 'sign-in.json'],
  vscode: ['mcp.json', 'only-inputs.json'],
  codex: ['usual.toml', 'crlf.toml'],
  gemini: ['project.json', 'allowed.json'],
  opencode: ['usual.jsonc', 'second-form.json'],
  zed: ['usual.json', 'no-servers.json'],
  windsurf: ['usual.json', 'both-urls.json'],
  goose: ['usual.yaml', 'forms.yaml'],
};

const command = ['/usr/bin/node', 'C:\\trestle\\cli.js', 'serve'] as const;

function createPlace(): InstallPlace & { readonly fileOf: (host: HostId) => string } {
  const userHome = tempFolder();
  const machine = { platform: 'linux', userHome, env: {} };
  return {
    machine,
    stateFolder: join(userHome, '.trestle', 'state'),
    fileOf: (host) => hosts[host].files(machine)[0] ?? '',
  };
}

const cases = hostIds.flatMap((host) => samples[host].map((sample) => [host, sample] as const));

describe.each(cases)('%s, %s', (host, sample) => {
  it('F1: installing and removing leaves every byte; between them the entry is there and nothing else has changed', async () => {
    const place = createPlace();
    const file = place.fileOf(host);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(files, host, sample), file);
    const before = readFileSync(file);
    const wasThere = await namesIn(host, file);

    const planned = await planInstall(host, place, command);
    expect(planned).toMatchObject({ file, kind: 'added' });
    expect(planned.diff.join('\n')).toContain('serve');
    // A file of one line is told as a whole.
    const oldLines = before
      .toString('utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    expect(planned.diff.filter((line) => line.startsWith('-'))).toHaveLength(oldLines.length === 1 ? 1 : 0);
    expect(readFileSync(file)).toEqual(before);
    const backup = await applyInstall(planned, place);
    expect(readFileSync(backup ?? '')).toEqual(before);
    const installed = readFileSync(file, 'utf8');
    expect(await namesIn(host, file)).toEqual([...wasThere, 'trestle']);
    expect(await planInstall(host, place, command)).toMatchObject({ kind: 'unchanged' });
    // Every line that was there is there, in its order.
    const lines = new Set(installed.split(/\r?\n/).map((line) => line.replace(/,$/, '')));
    for (const line of oldLines.length === 1 ? [] : oldLines) expect(lines).toContain(line.replace(/,$/, ''));
    expect(installed.includes('\r\n')).toBe(before.includes('\r\n'));

    await applyInstall(await planRemoval(host, place), place);
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(backup ?? '')).toBe(false);
    expect(await planRemoval(host, place)).toMatchObject({ kind: 'unchanged' });
  });

  it('F1: what was changed meanwhile stays, and only the entry goes', async () => {
    const place = createPlace();
    const file = place.fileOf(host);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(files, host, sample), file);
    const wasThere = await namesIn(host, file);
    await applyInstall(await planInstall(host, place, command), place);
    const comment = hosts[host].language === 'jsonc' ? '// mine\n' : '# mine\n';
    writeFileSync(file, readFileSync(file, 'utf8') + comment);
    const removal = await planRemoval(host, place);
    await applyInstall(removal, place);
    expect(await namesIn(host, file)).toEqual(wasThere);
    expect(readFileSync(file, 'utf8')).toContain(comment);
  });
});

/** The servers that the host's own reader finds in a file, whether they can be used or not. */
async function namesIn(host: HostId, file: string): Promise<readonly string[]> {
  const source = { format: formats[host], file, root: dirname(file), folder: undefined };
  const reading = await readSource(source, { platform: 'linux', isProject: () => true });
  const names = [
    ...(reading?.servers ?? []),
    ...(reading?.problems ?? []).map(({ server = '' }) => ({ name: server })),
  ];
  return names
    .map(({ name }) => name)
    .toSorted((a, b) => Number(a === 'trestle') - Number(b === 'trestle') || (a < b ? -1 : 1));
}

it.each(hostIds)('F1: %s without a file: one is made, and goes again', async (host) => {
  const place = createPlace();
  await applyInstall(await planInstall(host, place, command), place);
  const reading = await namesIn(host, place.fileOf(host));
  expect(reading).toEqual(['trestle']);
  await applyInstall(await planRemoval(host, place), place);
  expect(existsSync(place.fileOf(host))).toBe(false);
});

it('F1: a file that cannot be read, an entry of the same name, and one that changes meanwhile are left alone', async () => {
  const place = createPlace();
  const file = place.fileOf('cursor');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{ "mcpServers": ');
  await expect(planInstall('cursor', place, command)).rejects.toMatchObject({ code: 'config_unreadable' });
  writeFileSync(file, '{ "mcpServers": { "trestle": { "command": "other" } } }');
  await expect(planInstall('cursor', place, command)).rejects.toMatchObject({ code: 'exists' });
  writeFileSync(file, '{ "mcpServers": ["x"] }');
  await expect(planInstall('cursor', place, command)).rejects.toMatchObject({ code: 'config_unreadable' });
  writeFileSync(file, '{}');
  const planned = await planInstall('cursor', place, command);
  writeFileSync(file, '{ }');
  await expect(applyInstall(planned, place)).rejects.toMatchObject({ code: 'file_error' });
  expect(readFileSync(file, 'utf8')).toBe('{ }');
});

it('F1 K4: the shown change holds no secret that stands beside the entry', async () => {
  const place = createPlace();
  const file = place.fileOf('cursor');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{"mcpServers":{"a":{"command":"a","env":{"API_TOKEN":"sk-secret"}}}}');
  const { diff } = await planInstall('cursor', place, command);
  expect(diff.join('\n')).toContain('[redacted]');
  expect(diff.join('\n')).not.toContain('sk-secret');
});
