import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSignInServer } from '../servers/sign-in.ts';
import { callTool, repeatResults, type Scripted, type ScriptedModel, scriptedModel } from '../support/pi-model.ts';
import { openPiSession, type PiSession } from '../support/pi-rpc.ts';
import { noTerminal, openPiTerminal } from '../support/pi-terminal.ts';
import { extensionPath, type PiPlace, piPlace, type PiRecord, printPi, recordsOf, runPi } from '../support/pi.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A real server. */
const counting = () => ({
  command: process.execPath,
  args: [join(projectRoot, 'test/servers/counting.mjs'), 'stdio', join(tempFolder(), 'counted')],
});

interface Stage {
  readonly model: ScriptedModel;
  readonly place: PiPlace;
}

async function stage(servers: Readonly<Record<string, unknown>>, ...script: readonly Scripted[]): Promise<Stage> {
  const model = await scriptedModel(...script);
  return { model, place: piPlace(model, { servers }) };
}

/** What a command said in a session over RPC. */
async function said(session: PiSession, line: string): Promise<{ readonly text: string; readonly level: unknown }> {
  const records = await session.prompt(`/mcp-bridge ${line}`);
  const notices = records.filter((record) => record['method'] === 'notify');
  expect(notices, line).toHaveLength(1);
  return { text: String(notices[0]?.['message']), level: notices[0]?.['notifyType'] };
}

/** The next dialog from `from` on. */
function dialog(session: PiSession, method: 'select' | 'input', from = 0): Promise<PiRecord> {
  return session.waitFor((record) => record['method'] === method, from);
}

describe('/mcp-bridge in the real Pi', () => {
  it('N1: every command answers over RPC, and what changes servers is in the next turn; no answer reaches the model', async () => {
    const { model, place } = await stage({ counting: counting() }, { text: 'Yes.' });
    const session = openPiSession(place);
    const info = (text: string | RegExp) => ({
      level: 'info',
      text:
        typeof text === 'string' ? (expect.stringContaining(text) as string) : (expect.stringMatching(text) as string),
    });
    expect(await said(session, '')).toEqual(info('Usage: /mcp-bridge <command>'));
    expect(await said(session, 'sync counting')).toEqual(info(/^counting: 11 tools/));
    expect(await said(session, `add second ${JSON.stringify(counting(), undefined, 2)}`)).toEqual(
      info(/mcp-servers\.json: [^]*second: 11 tools/),
    );
    expect(await said(session, 'list')).toEqual(info(/^counting +11 tools[^]*\nsecond +11 tools/));
    expect(await said(session, 'show counting echo')).toEqual(info('message'));
    expect(await said(session, 'validate')).toEqual(info('no findings'));
    expect(await said(session, 'status')).toEqual(info('2 servers, 22 tools. Registry: '));
    expect(await said(session, 'reload')).toEqual(info('counting: unchanged'));
    expect(await said(session, 'search echo')).toEqual(info('counting'));
    expect(await said(session, 'context')).toEqual(info('## second'));
    expect(await said(session, 'doctor second')).toEqual(info(/^second +ok[^]*home +ok/));
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
    const { model, place } = await stage({ counting: counting() });
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
    const { place } = await stage({ counting: counting() });
    const { code, stdout, stderr } = await runPi(place, [
      ...['--mode', 'json', '--no-session', '-e', extensionPath],
      '/mcp-bridge list nobody',
    ]);
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

  it('N1: the oldest release answers in print mode', async () => {
    const { place } = await stage({ counting: counting() });
    const run = await printPi(place, '/mcp-bridge list', { release: 'oldest' });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^counting /) as string });
  });
});

describe('questions in the real Pi', () => {
  const script = [callTool('counting', 'echo', { message: 'hi' }), repeatResults] as const;

  it('K1, N1: a call that needs a yes asks in a dialog, and is done once the person gives it', async () => {
    const { model, place } = await stage({ counting: counting() }, ...script);
    place.write('mcp-bridge.json', { requireConsent: true });
    const session = openPiSession(place);
    const run = session.prompt('Echo');
    const asked = await dialog(session, 'select');
    expect(asked).toMatchObject({
      title: expect.stringMatching(
        /^Use the server counting\?\n[^]*Command: +.*counting\.mjs[^]*A yes covers/,
      ) as string,
      options: ['No', 'Yes, this once', 'Yes, for this session', 'Yes, always'],
      timeout: expect.any(Number) as number,
    });
    session.write({ type: 'extension_ui_response', id: asked['id'], value: 'Yes, this once' });
    await run;
    expect(model.requests[1]?.results).toMatchObject([{ text: 'hi' }]);
    await session.close();
  });

  it.each(['No', undefined])('K1: the answer %j means no, and says the command that exists here', async (value) => {
    const { model, place } = await stage({ counting: counting() }, ...script);
    place.write('mcp-bridge.json', { requireConsent: true });
    const session = openPiSession(place);
    const run = session.prompt('Echo');
    const { id } = await dialog(session, 'select');
    session.write({ type: 'extension_ui_response', id, ...(value === undefined ? { cancelled: true } : { value }) });
    await run;
    expect(model.requests[1]?.results[0]?.text).toMatch(/approval_needed|denied/);
    expect(JSON.stringify(model.requests[1]?.body)).not.toContain('trestle approve');
    await session.close();
  });

  it('K1, N1: without a person a call ends with the command to run', async () => {
    const { model, place } = await stage({ counting: counting() }, ...script);
    place.write('mcp-bridge.json', { requireConsent: true });
    const run = await printPi(place, 'Echo');
    expect(run.code).toBe(0);
    expect(model.requests[1]?.results[0]?.text).toContain('Approve it: /mcp-bridge approve counting');
  });

  it('K1, N1: approve shows everything in a dialog', async () => {
    const { place } = await stage({ counting: counting() });
    const session = openPiSession(place);
    const answer = said(session, 'approve counting');
    const asked = await dialog(session, 'select');
    expect(asked).toMatchObject({
      title: expect.stringMatching(/counting\.mjs[^]*Approve this\?$/) as string,
      options: ['No', 'Yes'],
    });
    session.write({ type: 'extension_ui_response', id: asked['id'], value: 'Yes' });
    expect(await answer).toMatchObject({ level: 'info', text: expect.stringContaining('Approved: ') as string });
    await session.close();
  });
});

describe('login in the real Pi', () => {
  const browser = { BROWSER: `"${process.execPath}" "${join(projectRoot, 'test/support/headless-browser.mjs')}"` };

  async function docs(): Promise<Stage> {
    const server = await startSignInServer({});
    onTestFinished(() => server.close());
    const { model, place } = await stage({ docs: { url: server.url } });
    place.write('mcp-bridge.json', { secretStore: 'file' });
    return { model, place };
  }

  it('K6, N1: opens the page for who typed it, and the dialog goes when the browser has brought the answer', async () => {
    const { place } = await docs();
    const session = openPiSession(place, { env: browser });
    const { text, level } = await said(session, 'login docs');
    expect([level, text]).toEqual(['info', expect.stringContaining('Signed in to docs at ')]);
    expect(text).not.toMatch(/access-|refresh-/);
    await session.close();
  });

  it('K6, N1: the dialog has the address, takes the one where a browser ended, and closing it gives up', async () => {
    const { place } = await docs();
    const session = openPiSession(place);
    const givenUp = said(session, 'login docs --no-browser');
    const first = await dialog(session, 'input');
    expect(first['title']).toMatch(/^To sign in, open:\n\nhttp:\S+\n\n/);
    session.write({ type: 'extension_ui_response', id: first['id'], cancelled: true });
    expect(await givenUp).toEqual({ level: 'error', text: 'error[cancelled]: The sign-in was given up.' });

    const from = session.records.length;
    const answer = said(session, 'login docs --no-browser');
    const { id, title } = await dialog(session, 'input', from);
    const [page = ''] = /http:\S+/.exec(String(title)) ?? [];
    const { headers } = await fetch(page, { redirect: 'manual' });
    session.write({ type: 'extension_ui_response', id, value: headers.get('location') });
    expect(await answer).toMatchObject({ level: 'info', text: expect.stringContaining('Signed in to docs') as string });
    await session.close();
  });
});

describe('the footer in the real Pi', () => {
  const isFooter = (fits: (text: string) => boolean) => (record: PiRecord) =>
    record['method'] === 'setStatus' && record['statusKey'] === 'mcp-bridge' && fits(String(record['statusText']));

  it('N1: shows servers, tools and tokens, and follows connections', async () => {
    const { place } = await stage({ counting: counting() }, callTool('counting', 'count'), { text: 'Done.' });
    const session = openPiSession(place);
    await session.waitFor(isFooter((text) => /^mcp [01]\/1 · 11 tools · \d+\/4k tok$/.test(text)));
    await session.prompt('Count');
    await session.waitFor(isFooter((text) => text.startsWith('mcp 1/1 ')));
    await session.close();
  });

  it('N1: can be switched off', async () => {
    const { place } = await stage({ counting: counting() }, callTool('counting', 'count'), { text: 'Done.' });
    place.write('mcp-bridge.json', { footer: false });
    const session = openPiSession(place);
    await session.prompt('Count');
    await session.prompt('/mcp-bridge status');
    await session.close();
    expect(session.records.filter(isFooter(() => true))).toEqual([]);
  });
});

describe.skipIf(noTerminal !== undefined)(
  `/mcp-bridge in the window of Pi${noTerminal === undefined ? '' : ` (${noTerminal})`}`,
  () => {
    it('N1: completes commands and servers, shows an answer, and lets a question be answered by keys', async () => {
      const { place, model } = await stage({ counting: counting() });
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
