/** `/mcp-bridge` in every mode of the real Pi: what it does, and where it answers. */
import { describe, expect, it } from 'vitest';
import { testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { entryOf, printPi, processesOf, recordsOf } from '../support/pi.ts';
import { extensionPath, runPi } from '../support/pi-place.ts';
import { openPiSession } from '../support/pi-rpc.ts';
import { counting, piStage, said } from '../support/pi-stage.ts';
import { noTerminal, openPiTerminal } from '../support/pi-terminal.ts';

/** An answer that is no failure. */
const info = (text: string) => ({ level: 'info', text: expect.stringContaining(text) as string });
const infoLike = (text: RegExp) => ({ level: 'info', text: expect.stringMatching(text) as string });

describe('/mcp-bridge in the real Pi', () => {
  it('N1: every command answers over RPC, and what changes servers is in the next turn; no answer reaches the model', async () => {
    const { model, place } = await piStage({ counting: counting() }, { text: 'Yes.' });
    const session = openPiSession(place);
    expect(await said(session, '')).toEqual(info('Usage: /mcp-bridge <command>'));
    expect(await said(session, 'sync counting')).toEqual(infoLike(/^counting: 11 tools/));
    expect(await said(session, `add second ${JSON.stringify(counting(), undefined, 2)}`)).toEqual(
      infoLike(/mcp-servers\.json: [^]*second: 11 tools/),
    );
    expect(await said(session, 'list')).toEqual(infoLike(/^counting +11 tools[^]*\nsecond +11 tools/));
    expect(await said(session, 'show counting echo')).toEqual(info('message'));
    expect(await said(session, 'validate')).toEqual(info('no findings'));
    expect(await said(session, 'status')).toEqual(info('2 servers, 22 tools. Registry: '));
    expect(await said(session, 'reload')).toEqual(info('counting: unchanged'));
    expect(await said(session, 'search echo')).toEqual(info('counting'));
    expect(await said(session, 'context')).toEqual(info('## second'));
    expect(await said(session, 'doctor second')).toEqual(infoLike(/^second +ok[^]*home +ok/));
    expect(await said(session, 'approve counting --yes')).toEqual(info('Take it back: /mcp-bridge revoke counting'));
    expect(await said(session, 'revoke counting')).toEqual(info('1 approval revoked.'));
    expect(await said(session, 'login counting')).toMatchObject({ level: 'error' });
    await session.prompt('Hello');
    expect(model.requests[0]?.system).toMatch(/## counting[^]*## second/);
    expect(await said(session, 'delete second')).toEqual(info('mcp-servers.json'));
    expect(await said(session, 'remove counting --keep-config')).toEqual(info('mcp-registry/counting: removed'));
    await session.prompt('Hello');
    expect(model.requests[1]?.system).not.toContain('## second');
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toMatch(/Usage: |approval revoked|Registry: /);
    expect(await session.close()).toBe(0);
  });

  it('N1: in print mode an answer is on standard error, and a failure is the exit code', async () => {
    const { model, place } = await piStage({ counting: counting() });
    const synced = await printPi(place, '/mcp-bridge sync counting');
    expect(synced).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^counting: 11 tools/) as string,
    });
    const failed = await printPi(place, "/mcp-bridge list 'countin");
    expect(failed).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error\[usage\]: A quote/) as string,
    });
    const approve = await printPi(place, '/mcp-bridge approve counting');
    expect(approve).toMatchObject({ code: 2, stdout: '' });
    expect(approve.stderr).toContain('Where a person wants it: /mcp-bridge approve counting --yes');
    expect(model.requests).toEqual([]);
  });

  it('N1: a JSON run has a record of an answer, and its exit code', async () => {
    const { place } = await piStage({ counting: counting() });
    const mode = ['--mode', 'json', '--no-session', '-e', extensionPath];
    const { code, stdout, stderr } = await runPi(place, [...mode, '/mcp-bridge list nobody']);
    const entries = recordsOf(stdout).filter(({ type }) => type === 'entry_appended');
    expect(entries.map(({ entry }) => entry)).toMatchObject([
      {
        type: 'custom',
        customType: 'mcp-bridge',
        data: { command: 'list', exitCode: 2, text: expect.stringContaining('no server named "nobody"') as string },
      },
    ]);
    expect([code, stderr]).toEqual([2, '']);
  });

  it('N2: what a command is doing ends with its session, and the next session has a command of its own', async () => {
    const { place } = await piStage({ mute: entryOf(testServer('one-vice.mjs', 'mute')) });
    const session = openPiSession(place);
    session.write({ type: 'prompt', message: '/mcp-bridge sync mute' });
    await session.waitFor(
      (record) => record['statusKey'] === 'mcp-bridge-progress' && String(record['statusText']).startsWith('mute: '),
    );
    expect(await session.ask({ type: 'new_session' })).toMatchObject({ success: true });
    expect(await said(session, 'list')).toEqual(info('mute'));
    expect(await session.close()).toBe(0);
    expect(session.stderr()).toBe('');
    await eventually(() => processesOf(place).length === 0, 'the end of every process');
  });

  it('N1, N3: where servers are shared the commands are over the daemon, and doctor tells of it', async () => {
    const { place } = await piStage({ counting: counting() });
    place.write('mcp-bridge.json', { shareServers: true });
    const session = openPiSession(place);
    expect(await said(session, 'sync counting')).toEqual(infoLike(/^counting: 11 tools/));
    expect(await said(session, 'status')).toEqual(infoLike(/^counting +ready/));
    expect(await said(session, 'reload')).toEqual(info('counting: unchanged'));
    expect(await said(session, 'approve counting --yes')).toEqual(info('Approved: '));
    expect(await said(session, 'doctor')).toEqual(infoLike(/\ndaemon +ok/));
    expect(await said(session, 'remove counting')).toEqual(info('mcp-registry/counting: removed'));
    expect(await session.close()).toBe(0);
  });

  it('N1: the oldest release answers in print mode', async () => {
    const { place } = await piStage({ counting: counting() });
    const run = await printPi(place, '/mcp-bridge list', { release: 'oldest' });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^counting /) as string });
  });
});

describe.skipIf(noTerminal !== undefined)(
  `/mcp-bridge in the window of Pi${noTerminal === undefined ? '' : ` (${noTerminal})`}`,
  () => {
    it('N1: completes commands and servers, shows an answer, and lets a question be answered by keys', async () => {
      const { place, model } = await piStage({ counting: counting() });
      const terminal = openPiTerminal(place);
      await terminal.shows(/mcp [01]\/1 · 11 tools/);
      terminal.type('/mcp-bridge sta');
      await terminal.shows('Show servers, tools and what is wrong');
      terminal.press('Tab', 'Enter');
      await terminal.shows(/\/mcp-bridge status\s[^]*1 server, 11 tools\. Registry: /);
      terminal.type('/mcp-bridge approve c');
      await terminal.shows('counting');
      terminal.press('Tab', 'Enter');
      await terminal.shows('Approve this?');
      terminal.press('Down', 'Enter');
      await terminal.shows('Approved: ');
      expect(model.requests).toEqual([]);
    });
  },
);
