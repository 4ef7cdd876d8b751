import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { countingStdio, type TestHome, trestleHome, valueOf } from '../../../test/support/trestle-home.ts';
import { limits, TrestleError } from '../../base/index.ts';
import type { ReloadedServer, ReloadReport } from '../index.ts';

/** A server that starts and never says anything. */
const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
const longLived = { longLived: true };

/** What became of each server, in a word. */
function kinds({ servers }: ReloadReport): Readonly<Record<string, ReloadedServer['kind']>> {
  return Object.fromEntries(servers.map(({ name, kind }) => [name, kind]));
}

function told({ events }: TestHome, kind: 'synced' | 'notice'): readonly (string | undefined)[] {
  return events.flatMap((event) => (event.kind === kind ? [event.server] : []));
}

/** The processes behind a server, by pid. */
async function pids(home: TestHome, server: string): Promise<readonly number[]> {
  const found = (await home.runtime.status()).servers.find(({ name }) => name === server);
  return (found?.entries ?? []).flatMap(({ info }) => info?.pid ?? []);
}

describe('reload', () => {
  it('R6: syncs what was never synced or has changed, and nothing else', async () => {
    const { entry } = countingStdio();
    const home = trestleHome({ new: entry, same: entry, other: entry, later: entry }, longLived);
    const { runtime } = home;
    for (const server of ['same', 'other', 'later']) valueOf(await runtime.sync({ server }));
    const stamps = (): readonly (string | undefined)[] =>
      ['same', 'other', 'later'].map((server) => runtime.registry.meta(server).value?.syncedAt);
    const before = stamps();
    home.configure({
      new: entry,
      same: { ...entry, description: 'It says more of itself.' },
      other: { ...entry, env: { MODE: 'other' } },
      later: { ...entry, timeout: 5 },
    });
    const report = await runtime.reload();
    expect(report.applied).toBe(true);
    expect(kinds(report)).toEqual({ new: 'synced', same: 'unchanged', other: 'synced', later: 'synced' });
    expect(report.servers.flatMap((server) => (server.kind === 'synced' ? [server.due] : []))).toEqual([
      { why: 'changed', differs: ['lifecycle'] },
      { why: 'never-synced', differs: [] },
      { why: 'changed', differs: ['transport'] },
    ]);
    const after = stamps();
    expect(after.map((stamp, index) => stamp === before[index])).toEqual([true, false, false]);
    expect(runtime.registry.meta('other').value?.transport).toMatchObject({ env: { MODE: 'other' } });
    expect(kinds(await runtime.reload())).toEqual({
      new: 'unchanged',
      same: 'unchanged',
      other: 'unchanged',
      later: 'unchanged',
    });
  });

  it('R6: one failure stops no other, and each has its reason and its own limit', async () => {
    const { entry } = countingStdio();
    const home = trestleHome(
      {
        broken: { command: '' },
        gone: { command: 'no-such-command-anywhere' },
        silent,
        well: entry,
      },
      longLived,
    );
    const report = await home.runtime.reload({ limitMs: 5_000 });
    expect(kinds(report)).toEqual({
      broken: 'failed',
      gone: 'failed',
      silent: 'failed',
      well: 'synced',
    });
    expect(report.servers.flatMap((server) => (server.kind === 'failed' ? [server.failure.code] : []))).toEqual([
      'config_entry_invalid',
      'command_not_found',
      'timed_out',
    ]);
  });

  it('R6: what is only in the registry is named, left as it is, and not connected', async () => {
    const counting = countingStdio();
    const home = trestleHome({ kept: counting.entry, off: counting.entry }, longLived);
    const { runtime } = home;
    await runtime.reload();
    home.configure({ off: { ...counting.entry, enabled: false } });
    // Whoever looks in between does not make a removed server one that was never there.
    await runtime.status();
    expect((await runtime.reload()).servers).toEqual([
      { name: 'kept', kind: 'removed', inRegistry: true },
      { name: 'off', kind: 'disabled' },
    ]);
    await eventually(async () => (await runtime.status()).servers.every(({ entries }) => entries.length === 0));
    expect(kinds(await runtime.reload())).toEqual({ kept: 'registry-only', off: 'disabled' });
    expect(runtime.registry.tools('kept').value).not.toEqual([]);
    expect((await runtime.status()).servers.flatMap(({ entries }) => entries)).toEqual([]);
    expect(await runtime.call({ server: 'kept', tool: 'count' })).toMatchObject({
      failure: { code: 'approval_needed' },
    });
  });

  it("R6, K2: what another folder's project asks for is not told as removed", async () => {
    const { runtime } = trestleHome({}, longLived);
    const [project, elsewhere] = [tempFolder(), tempFolder()];
    const file = join(project, '.mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { theirs: countingStdio().entry } }));
    const from = (cwd: string): Promise<ReloadReport> => runtime.reload({ caller: { env: process.env, cwd } });
    expect(kinds(await from(project))).toEqual({ theirs: 'waiting' });
    expect(kinds(await from(elsewhere))).toEqual({});
    expect(kinds(await from(project))).toEqual({ theirs: 'waiting' });
    writeFileSync(file, '{}');
    expect(kinds(await from(project))).toEqual({ theirs: 'removed' });
  });

  it('P1: a changed definition ends its old connection after its calls, without waiting for the next one', async () => {
    const { entry } = countingStdio();
    const home = trestleHome({ counting: entry }, longLived);
    const { runtime } = home;
    await runtime.reload();
    const [before] = await pids(home, 'counting');
    home.configure({ counting: { ...entry, description: 'Another one.' } });
    expect(kinds(await runtime.reload())).toEqual({ counting: 'unchanged' });
    await eventually(async () => (await pids(home, 'counting')).length === 0);
    await runtime.call({ server: 'counting', tool: 'count' });
    expect(await pids(home, 'counting')).not.toContain(before);
  });

  it('R6: a host that lives for one command only says what is due', async () => {
    const counting = countingStdio();
    const home = trestleHome({ new: counting.entry, changed: counting.entry });
    const { runtime } = home;
    valueOf(await runtime.sync({ server: 'changed' }));
    home.configure({ new: counting.entry, changed: { ...counting.entry, args: ['other.mjs'] } });
    await runtime.status();
    await eventually(async () => (await runtime.status()).servers.every(({ entries }) => entries.length === 0));
    const report = await runtime.reload();
    expect(report).toMatchObject({
      applied: false,
      servers: [
        { name: 'changed', kind: 'due', due: { why: 'changed', differs: ['transport'] } },
        { name: 'new', kind: 'due', due: { why: 'never-synced', differs: [] } },
      ],
    });
    expect((await runtime.status()).servers.flatMap(({ entries }) => entries)).toEqual([]);
    expect(runtime.registry.server('new').value).toBeUndefined();
  });

  it('R6: descriptors written by hand are due for nothing', async () => {
    const { entry } = countingStdio();
    const home = trestleHome({ counting: entry }, longLived);
    const { registry } = home.runtime;
    await home.runtime.reload();
    const file = join(registry.path('counting'), 'meta.json');
    writeFileSync(file, JSON.stringify({ ...registry.meta('counting').value, syncedFrom: 'manual' }));
    home.configure({ counting: { ...entry, timeout: 7 } });
    expect(kinds(await home.runtime.reload())).toEqual({ counting: 'unchanged' });
    expect(readFileSync(file, 'utf8')).toContain('manual');
  });

  it('R6, K4: a record in which secrets were replaced is in force, also for a runtime that has not met them', async () => {
    const { entry } = countingStdio();
    const secret = 'hunter2-hunter2';
    const home = trestleHome(
      {
        counting: { ...entry, args: [...(entry['args'] as readonly string[]), secret], env: { API_KEY: '${SECRET}' } },
      },
      { env: { ...process.env, SECRET: secret } },
    );
    valueOf(await home.runtime.sync({ server: 'counting' }));
    expect(JSON.stringify(home.runtime.registry.meta('counting').value)).not.toContain(secret);
    const other = trestleHome({}, { ...longLived, places: home.runtime.places, env: { SECRET: secret } });
    expect(kinds(await other.runtime.reload())).toEqual({ counting: 'unchanged' });
  });

  it('ends at once for a caller who gives up', async () => {
    const { runtime } = trestleHome({ silent }, longLived);
    const abort = new AbortController();
    const reload = runtime.reload({ signal: abort.signal, onStep: () => {} });
    const reason = new TrestleError({ code: 'cancelled', message: 'enough' });
    abort.abort(reason);
    await expect(reload).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('P3: connects eager and keep-alive servers, synced or not', async () => {
    const { entry } = countingStdio();
    const home = trestleHome({ eager: { ...entry, lifecycle: 'eager' }, lazy: entry }, longLived);
    await home.runtime.reload();
    await home.runtime.disconnect('eager');
    await home.runtime.disconnect('lazy');
    expect(kinds(await home.runtime.reload())).toEqual({ eager: 'unchanged', lazy: 'unchanged' });
    await eventually(async () => (await pids(home, 'eager')).length === 1);
    expect(await pids(home, 'lazy')).toEqual([]);
  });
});

describe('the start of a long-lived host', () => {
  const reconciling = { longLived: true, reconcile: true };

  it('N3: unasked a slip in the settings is told, and a member that is kept for later only where somebody asks how it stands', async () => {
    const home = trestleHome({}, longLived);
    const { runtime } = home;
    writeFileSync(runtime.places.settingsFile, JSON.stringify({ uiViewer: 'auto', requireConsnt: true }));
    await runtime.reload({ background: true });
    const slip = expect.stringMatching(
      /without effect in this version: requireConsnt \(requireConsent\?\)\.$/,
    ) as string;
    const kept = expect.stringMatching(/without effect in this version: uiViewer\.$/) as string;
    expect(home.events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []))).toEqual([slip]);
    expect((await runtime.status()).notices).toEqual([slip, kept]);
  });

  it('R6: brings the registry up in the background, told by events', async () => {
    const { entry } = countingStdio();
    const first = trestleHome({ old: entry });
    valueOf(await first.runtime.sync({ server: 'old' }));
    first.configure({ new: entry, gone: { command: 'no-such-command-anywhere' } });
    const home = trestleHome({}, { ...reconciling, places: first.runtime.places });
    await eventually(() => told(home, 'synced').includes('new') && told(home, 'notice').length === 2);
    expect(told(home, 'notice')).toEqual(['gone', 'old']);
    expect(home.runtime.registry.servers().value.map(({ name }) => name)).toEqual(['new', 'old']);
  });

  it('R6: delays no call and fails none', async () => {
    const counting = countingStdio();
    const hanging = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`a${index}`, silent]));
    const { runtime } = trestleHome({ ...hanging, counting: counting.entry }, reconciling);
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
    const { servers } = await runtime.status();
    expect(servers.some(({ entries }) => entries.some(({ state }) => state === 'dialling'))).toBe(true);
    expect(counting.ran().filter((line) => line === 'call count')).toHaveLength(1);
  });

  it('R6: ends with the runtime, whatever it waits for', async () => {
    const home = trestleHome({ silent, other: silent }, reconciling);
    const { runtime } = home;
    await eventually(async () => (await runtime.status()).servers.some(({ entries }) => entries.length > 0));
    const startedMs = performance.now();
    await runtime.close();
    // What is left of the time is what a server's process gets to leave.
    expect(performance.now() - startedMs).toBeLessThan(limits.requestIdleMs / 2);
    expect(told(home, 'notice')).toEqual([]);
    expect(runtime.registry.servers().value).toEqual([]);
  });

  it('R6: gives way to a reload that somebody asks for', async () => {
    const { entry } = countingStdio();
    const home = trestleHome({ silent, well: entry }, reconciling);
    await eventually(async () => (await home.runtime.status()).servers.some(({ entries }) => entries.length > 0));
    home.configure({ well: entry });
    expect(kinds(await home.runtime.reload())).toMatchObject({
      well: expect.stringMatching(/synced|unchanged/) as string,
    });
    expect(told(home, 'notice')).toEqual([]);
  });

  it('R6: a configuration that cannot be read is a notice', async () => {
    const first = trestleHome();
    writeFileSync(first.runtime.places.serversFile, '{');
    const home = trestleHome({}, { ...reconciling, places: first.runtime.places });
    await eventually(() => home.events.length > 0);
    expect(home.events).toMatchObject([{ kind: 'notice', text: expect.stringContaining('servers.json') as string }]);
  });
});
