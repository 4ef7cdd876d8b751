import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { findRecord } from '../../src/daemon/record.ts';
import type { Approval } from '../../src/policy/index.ts';
import { createApprovals } from '../../src/runtime/consent/approvals.ts';
import { createRuntime, placesOf, type Runtime } from '../../src/runtime/index.ts';
import { createCli, testServer } from '../support/cli.ts';
import { configureServers } from '../support/home.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { valueOf } from '../support/trestle-home.ts';

/** A beginning of each kind: none of it, within a name, a text and a number, before and after a sign, all but the end. */
function truncations(whole: string): readonly string[] {
  const signs = [...whole.matchAll(/["{}[\]:,\d]/g)].map(({ index }) => index);
  const end = whole.trimEnd().length;
  const places = [0, 1, ...signs, ...signs.map((at) => at + 1), end - 1].filter((at) => at < end);
  // A long file has thousands of signs, which are alike.
  const step = Math.ceil(places.length / 60);
  const chosen = places.filter((_, at) => at % step === 0 || at > places.length - 5);
  return [...new Set(chosen)].map((at) => whole.slice(0, at));
}

function openRuntime(home: string): Runtime {
  return createRuntime({
    places: placesOf(home),
    cwd: join(home, 'work'),
    userHome: home,
    env: process.env,
    platform: process.platform,
  });
}

/** What a home is for: a server is called, tools are found, and a model's text is made. */
async function expectWorking(home: string): Promise<void> {
  const runtime = openRuntime(home);
  try {
    const outcome = await runtime.call({ server: 'counting', tool: 'echo', arguments: { message: 'here' } });
    expect(valueOf(outcome).result.content).toEqual([{ type: 'text', text: 'here' }]);
    const { hits } = await runtime.search({ query: 'echo' });
    expect(hits.map(({ tool }) => tool)).toContain('echo');
    expect((await runtime.context()).text).toContain('counting');
  } finally {
    await runtime.close();
  }
}

/** A home that has been used: everything it remembers stands in files. */
async function usedHome(): Promise<string> {
  const home = tempFolder();
  const [command = '', ...args] = testServer('counting.mjs', 'stdio', join(home, 'log'));
  configureServers(home, { counting: { command, args } });
  mkdirSync(join(home, 'work'));
  await expectWorking(home);
  return home;
}

/** Every file below a folder and what it says. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
}

describe('a file of state that was cut short', () => {
  it.each([
    ['which revision a server speaks', 'state/eras.json'],
    ['when a package was last looked for', 'state/launchers.json'],
    ['how many tokens a text has', 'state/token-counts.json'],
    ['what of each server is in the block', 'state/block-choices.json'],
    ['the index of the registry', 'registry/index.json'],
    ['the index of searches', 'registry/.search.json'],
    ['what the last sync wrote', 'registry/.synced/counting.json'],
  ])('S2, R5: %s: all works, and nothing but that is made anew', async (_, name) => {
    const home = await usedHome();
    const file = join(home, name);
    if (!existsSync(file)) writeFileSync(file, '{\n  "folder": {\n    "atMs": 1764500000000\n  }\n}\n');
    const whole = readFileSync(file, 'utf8');
    const sound = new Map(
      [...filesIn(join(home, 'registry', 'counting')), ...filesIn(home)].filter(
        ([path]) => /counting\/|servers\.json$/.test(path) && path !== file,
      ),
    );
    const cuts = truncations(whole);
    // Each point where reading could go wrong; a whole process of a server only for some of them.
    for (const [at, cut] of cuts.entries()) {
      writeFileSync(file, cut);
      const runtime = openRuntime(home);
      expect(runtime.registry.tool('counting', 'echo').value?.name).toBe('echo');
      expect(await runtime.registry.validate()).toEqual([]);
      expect((await runtime.search({ query: 'echo' })).hits.map(({ tool }) => tool)).toContain('echo');
      expect((await runtime.context()).text).toContain('counting');
      await runtime.close();
      writeFileSync(file, cut);
      if (at % Math.ceil(cuts.length / 4) === 0) await expectWorking(home);
    }
    for (const [path, text] of sound) expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('L7: where a daemon is: there is none, and the next one writes it anew', async () => {
    const run = join(tempFolder(), 'run');
    mkdirSync(run, { mode: 0o700 });
    const record = {
      protocol: 1,
      version: '0.1.0',
      address: join(run, 'socket'),
      token: 'a'.repeat(64),
      process: { pid: process.pid, machine: 'here', started: '12345' },
      startedAt: '2026-01-01T00:00:00.000Z',
      program: { path: '/trestle', modifiedMs: 1764500000000 },
    };
    for (const cut of truncations(JSON.stringify(record, undefined, 2))) {
      writeFileSync(join(run, 'daemon.json'), cut, { mode: 0o600 });
      expect(findRecord(run)).toEqual({ kind: 'none' });
    }
  });

  it('K1: what was approved: nothing is, in one sentence, and the next yes keeps what stood there beside it', async () => {
    const stateFolder = join(tempFolder(), 'state');
    const file = join(stateFolder, 'approvals.json');
    const approval: Approval = {
      server: 'files',
      file: '/s.json',
      identity: 'a1',
      kind: 'use',
      tools: ['read*'],
      approvedAt: '2026-01-01T00:00:00Z',
    };
    const wanted = { kind: 'use', server: 'files', file: '/s.json', identity: 'a1', tool: 'read' } as const;
    const open = () => createApprovals({ stateFolder, clock: systemClock });
    await open().add(approval);
    const whole = readFileSync(file, 'utf8');
    for (const cut of truncations(whole)) {
      writeFileSync(file, cut, { mode: 0o600 });
      const approvals = open();
      expect(approvals.isApproved(wanted, 'library')).toBe(false);
      expect(approvals.problem()).toBe(
        `${file} is no list of approvals, so nothing is approved by it; the next approval puts it aside`,
      );
      await approvals.add(approval);
      expect(open().isApproved(wanted, 'library')).toBe(true);
      const aside = readdirSync(stateFolder).filter((name) => name.startsWith('approvals.json.corrupt'));
      expect(aside.map((name) => readFileSync(join(stateFolder, name), 'utf8'))).toEqual([cut]);
      for (const name of aside) rmSync(join(stateFolder, name));
    }
  });

  it('K4: secrets: one sentence that repeats nothing of them, nothing is written over them, other servers work', async () => {
    const cli = createCli();
    const [command = '', ...args] = testServer('counting.mjs', 'stdio', join(cli.home, 'log'));
    const locked = { command, args, env: { API_TOKEN: '${keychain:web}' } };
    configureServers(cli.home, { counting: { command, args }, locked });
    writeFileSync(join(cli.home, 'settings.json'), '{"secretStore": "file"}');
    const file = join(cli.home, 'state', 'secrets.json');
    mkdirSync(join(cli.home, 'state'), { mode: 0o700 });
    for (const cut of ['{\n  "web": "hunter2-hunt', '{\n  "web": "hunter2-hunter2"', '{"web": 5}']) {
      writeFileSync(file, cut, { mode: 0o600 });
      const refused = await cli.run(['call', 'locked', 'echo', 'message=x']);
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain(file);
      expect(refused.stderr + refused.stdout).not.toContain('hunter2');
      expect(readFileSync(file, 'utf8')).toBe(cut);
    }
    expect(await cli.run(['call', 'counting', 'echo', 'message=x'])).toMatchObject({ code: 0, stdout: 'x\n' });
  });
});

it('R4, L3: two servers whose names are equal but for case are refused by one sentence each, and a third one works', async () => {
  const cli = createCli();
  const [command = '', ...args] = testServer('counting.mjs', 'stdio', join(cli.home, 'log'));
  configureServers(cli.home, { Files: { command, args }, files: { command, args }, other: { command, args } });
  const text = readFileSync(join(cli.home, 'servers.json'), 'utf8');
  for (const [name, twin] of [
    ['Files', 'files'],
    ['files', 'Files'],
  ] as const) {
    const refused = await cli.run(['call', name, 'echo', 'message=x']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      `"${name}" in ${join(cli.home, 'servers.json')}: its name differs from "${twin}" only in case`,
    );
  }
  expect(await cli.run(['call', 'other', 'echo', 'message=x'])).toMatchObject({ code: 0, stdout: 'x\n' });
  const added = await cli.run(['add', 'OTHER', '--', 'true']);
  expect(added.stderr).toMatch(/only in case/);
  expect(readFileSync(join(cli.home, 'servers.json'), 'utf8')).toBe(text);
});
