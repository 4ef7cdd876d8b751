import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { serveHttp } from '../../../test/support/http-server.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { countingStdio, type TestHome, trestleHome, valueOf } from '../../../test/support/trestle-home.ts';
import { TrestleError } from '../../base/index.ts';
import type { DoctorReport, HouseFinding, Verdict } from '../index.ts';
import { verdictOf } from './doctor.ts';

/** A server that starts and never says anything. */
const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };

function verdicts({ servers }: DoctorReport): Readonly<Record<string, Verdict>> {
  return Object.fromEntries(servers.map(({ name, verdict }) => [name, verdict]));
}

/** An HTTP server that answers everything with this status. */
async function refusing(status: number): Promise<Readonly<Record<string, unknown>>> {
  const { origin } = await serveHttp((_, response) => response.writeHead(status).end());
  return { url: `${origin}/mcp` };
}

/** What is said of one part of the house. */
async function house(home: TestHome, subject: HouseFinding['subject']): Promise<readonly HouseFinding[]> {
  const report = await home.runtime.doctor();
  return report.house.filter((finding) => finding.subject === subject);
}

describe('doctor', () => {
  it('L6, K3: finds for every server whether it works, and what to do', async () => {
    const { entry } = countingStdio();
    const { runtime } = trestleHome({
      well: entry,
      gone: { command: 'no-such-command-anywhere' },
      broken: { command: '' },
      off: { ...entry, enabled: false },
      part: { ...entry, tools: { allow: ['count', 'echo'] } },
      locked: await refusing(401),
      closed: await refusing(403),
    });
    const report = await runtime.doctor();
    expect(verdicts(report)).toEqual({
      broken: 'failed',
      closed: 'blocked',
      gone: 'failed',
      locked: 'needs-auth',
      off: 'disabled',
      part: 'ok',
      well: 'ok',
    });
    expect(report.trouble).toBe(true);
    expect(report.servers.find(({ name }) => name === 'well')).toMatchObject({
      info: { era: 'legacy', link: 'stdio' },
      tools: 11,
      problems: [],
      failure: undefined,
    });
    for (const { verdict, failure } of report.servers) expect(failure?.hint !== undefined).toBe(verdict !== 'ok');
    // Denied tools are not counted (K3).
    expect(report.servers.find(({ name }) => name === 'part')?.tools).toBe(2);
    // Plain data: it travels over a socket.
    expect(JSON.parse(JSON.stringify(report))).toEqual(JSON.parse(JSON.stringify(structuredClone(report))));
  });

  it('L6: looks at all servers at once: one that hangs costs its limit, and only that', async () => {
    const { entry } = countingStdio();
    const clock = createManualClock();
    const { runtime } = trestleHome({ a: silent, b: silent, c: silent, well: entry }, { clock });
    const told: string[] = [];
    const looking = runtime.doctor({ limitMs: 2_000, onDiagnosis: ({ name }) => told.push(name) });
    await eventually(() => told.length > 0, 'the first of them');
    expect(told).toEqual(['well']);
    await clock.advance(2_000);
    // The clock stands still from here on.
    const report = await looking;
    expect(verdicts(report)).toEqual({ a: 'failed', b: 'failed', c: 'failed', well: 'ok' });
    expect(report.servers[0]?.failure?.code).toBe('timed_out');
  });

  it('L6, S9: a shorter timeout of an entry holds for the look too, unless another one is asked for', async () => {
    const { runtime } = trestleHome({ brief: { ...silent, timeout: 1 } });
    const limitOf = ({ servers }: DoctorReport): unknown => servers[0]?.failure?.details?.['limitMs'];
    expect(limitOf(await runtime.doctor())).toBe(1_000);
    expect(limitOf(await runtime.doctor({ limitMs: 1_500 }))).toBe(1_500);
  });

  it('L6: a server whose tools cannot be listed does not work', async () => {
    const file = join(trestleHome().folder, 'lists.json');
    writeFileSync(file, JSON.stringify({ broken: 'tools/list' }));
    const script = join(import.meta.dirname, '../../../test/servers/changing-lists.mjs');
    const { runtime } = trestleHome({ odd: { command: process.execPath, args: [script, file] } });
    const [odd] = (await runtime.doctor()).servers;
    expect(odd).toMatchObject({ verdict: 'failed', failure: { code: 'protocol_error' } });
    writeFileSync(file, JSON.stringify({ broken: 'prompts/list' }));
    expect((await runtime.doctor()).servers[0]).toMatchObject({
      verdict: 'ok',
      problems: [expect.stringContaining('prompts') as string],
    });
  });

  it('L6, T4, S4: what a server says that no server should is told beside its verdict, and costs it nothing', async () => {
    const script = join(import.meta.dirname, '../../../test/servers/one-vice.mjs');
    const withVice = (vice: string) => ({ command: process.execPath, args: [script, vice] });
    const { runtime } = trestleHome({
      good: withVice('none'),
      noisy: withVice('noisy'),
      twice: withVice('talks-twice'),
    });
    const { servers, trouble } = await runtime.doctor();
    expect(trouble).toBe(false);
    expect(servers).toMatchObject([
      { name: 'good', verdict: 'ok', problems: [] },
      {
        name: 'noisy',
        verdict: 'ok',
        problems: [
          expect.stringMatching(
            /^It prints to stdout what is no MCP message; it is skipped \(\d+ times; the first\): ready to serve$/,
          ) as string,
        ],
      },
      {
        name: 'twice',
        verdict: 'ok',
        // Those that came before the list was answered are there for sure.
        problems: [
          expect.stringMatching(/^It sent ([4-9]|\d\d) answers that nobody waited for: late, twice, /) as string,
        ],
      },
    ]);
  });

  it('looks at one server where one is named, and knows an unknown one', async () => {
    const { entry } = countingStdio();
    const { runtime } = trestleHome({ well: entry, gone: { command: 'no-such-command-anywhere' } });
    expect(verdicts(await runtime.doctor({ server: 'well' }))).toEqual({ well: 'ok' });
    await expect(runtime.doctor({ server: 'wel' })).rejects.toMatchObject({ code: 'unknown_server' });
  });

  it('ends at once for a caller who gives up', async () => {
    const { runtime } = trestleHome({ silent });
    const abort = new AbortController();
    const looking = runtime.doctor({ signal: abort.signal });
    abort.abort(new TrestleError({ code: 'cancelled', message: 'enough' }));
    await expect(looking).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each([
    ['disabled', 'disabled'],
    ['auth_required', 'needs-auth'],
    ['forbidden', 'blocked'],
    ['denied', 'blocked'],
    ['unsupported_setting', 'blocked'],
    ['timed_out', 'failed'],
    ['missing_variable', 'failed'],
  ] as const)('L6: %s is %s', (code, verdict) => expect(verdictOf(code)).toBe(verdict));
});

describe('the house', () => {
  it('L6: is well when there is nothing yet', async () => {
    const { runtime } = trestleHome();
    const { house, servers } = await runtime.doctor();
    expect(servers).toEqual([]);
    expect(house.map(({ subject, level }) => [subject, level])).toEqual([
      ['home', 'ok'],
      ['configuration', 'ok'],
      ['registry', 'ok'],
    ]);
  });

  it('L6: a home that cannot be written is trouble, whoever looks', async () => {
    const home = trestleHome();
    const { registryRoot, spillFolder } = home.runtime.places;
    // A file where a folder belongs stops everybody, root too.
    writeFileSync(registryRoot, '');
    mkdirSync(spillFolder);
    const found = await house(home, 'home');
    expect(found).toMatchObject([{ level: 'trouble', text: expect.stringContaining(registryRoot) as string }]);
    expect(found[0]).toMatchObject({ code: 'file_error', hint: expect.any(String) as string });
  });

  it('L6: files that cannot be read are trouble, and the rest is looked at all the same', async () => {
    const home = trestleHome({ well: countingStdio().entry });
    valueOf(await home.runtime.sync({ server: 'well' }));
    writeFileSync(home.runtime.places.serversFile, '{ "mcpServers": ');
    writeFileSync(home.runtime.places.settingsFile, '[]');
    const { house, trouble } = await home.runtime.doctor();
    expect(trouble).toBe(true);
    const level = Object.fromEntries(house.map((finding) => [finding.subject, finding.level]));
    expect(level).toMatchObject({ home: 'ok', configuration: 'trouble', settings: 'trouble' });
  });

  it.each([
    { subject: 'approvals', text: 'qwerty', level: 'trouble', code: 'state_unusable', hint: 'trestle approve' },
    {
      subject: 'approvals',
      text: '{"approvals":[{"qwerty":1}]}',
      level: 'note',
      code: 'state_unusable',
      hint: 'approve',
    },
    { subject: 'secrets', text: 'qwerty', level: 'trouble', code: 'secrets_unavailable', hint: 'trestle secret set' },
    { subject: 'sign-ins', text: 'qwerty', level: 'trouble', code: 'state_unusable', hint: 'trestle login' },
  ] as const)(
    'L6: $subject that cannot be used are told, with what to do: $text',
    async ({ subject, text, hint, ...told }) => {
      const home = trestleHome();
      const { stateFolder } = home.runtime.places;
      mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
      writeFileSync(join(stateFolder, `${subject}.json`), text, { mode: 0o600 });
      const [found, ...others] = await house(home, subject);
      expect(found).toMatchObject({ ...told, hint: expect.stringContaining(hint) as string });
      expect(found?.text).toContain(`${subject}.json`);
      // What stands there may be a secret.
      expect(JSON.stringify(found)).not.toContain('qwerty');
      expect(others).toEqual([]);
    },
  );

  it.runIf(process.platform !== 'win32')(
    'L6: approvals and secrets that others can use are trouble, with the command',
    async () => {
      const home = trestleHome();
      const { stateFolder } = home.runtime.places;
      mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
      for (const [file, text] of [
        ['approvals.json', '{"approvals":[]}'],
        ['secrets.json', '{}'],
      ] as const) {
        writeFileSync(join(stateFolder, file), text);
        chmodSync(join(stateFolder, file), 0o644);
      }
      for (const subject of ['approvals', 'secrets'] as const) {
        const [found] = await house(home, subject);
        expect(found?.level).toBe('trouble');
        expect(JSON.stringify(found)).toContain(`chmod 600 ${stateFolder}`);
      }
    },
  );

  it('L6: whatever is not well has a code and a hint', async () => {
    const home = trestleHome({ odd: { ...countingStdio().entry, tiemout: 5 } });
    writeFileSync(home.runtime.places.settingsFile, '{ "unknown": 1 }');
    const { house: all } = await home.runtime.doctor();
    const told = all.filter(({ level }) => level !== 'ok');
    expect(told.map(({ subject }) => subject)).toEqual(['configuration', 'settings', 'registry']);
    for (const one of told) {
      expect(one).toMatchObject({ code: expect.any(String) as string, hint: expect.stringMatching(/./) as string });
    }
  });

  it('L6: findings in the registry are told with their file', async () => {
    const home = trestleHome({ well: countingStdio().entry });
    const { runtime } = home;
    valueOf(await runtime.sync({ server: 'well' }));
    const file = runtime.registry.path('well', 'echo');
    rmSync(file);
    symlinkSync('/nowhere', file);
    const found = await house(home, 'registry');
    expect(found).toMatchObject([{ level: 'trouble', text: expect.stringContaining(file) as string }]);
    expect((await runtime.doctor()).trouble).toBe(true);
  });

  it('L6, R6: what registry and configuration do not agree on is worth a word, not trouble', async () => {
    const { entry } = countingStdio();
    const home = trestleHome({ old: entry, changed: entry });
    const { runtime } = home;
    for (const server of ['old', 'changed']) valueOf(await runtime.sync({ server }));
    home.configure({ changed: { ...entry, timeout: 5 }, new: entry });
    const notes = (await house(home, 'registry')).filter(({ level }) => level === 'note');
    expect(notes.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^old stands in the registry but in no configuration/),
      expect.stringMatching(/^The entry of changed .*\(lifecycle\)/),
      expect.stringMatching(/^new was never synced/),
    ]);
    expect(notes.every((one) => one.level !== 'ok' && one.hint.includes('trestle'))).toBe(true);
    expect(dirname(runtime.places.serversFile)).toBe(home.folder);
    home.configure({ old: entry, changed: entry, new: entry, newer: entry });
    expect((await house(home, 'registry')).filter(({ level }) => level === 'note')).toMatchObject([
      { text: '2 servers were never synced: new, newer.', hint: 'Sync them: trestle sync' },
    ]);
  });
});
