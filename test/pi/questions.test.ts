/** What the real Pi's person is asked and shown: questions in dialogs, the page of a sign-in, the footer. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSignInServer } from '../servers/sign-in.ts';
import { type PiRecord, printPi } from '../support/pi.ts';
import { openPiSession } from '../support/pi-rpc.ts';
import { answerDialog, counting, dialog, type PiStage, piStage, said } from '../support/pi-stage.ts';
import { projectRoot } from '../support/project-files.ts';
import { callTool, repeatResults, type Scripted } from '../support/scripted-model.ts';

describe('questions in the real Pi', () => {
  const script = [callTool('counting', 'echo', { message: 'hi' }), repeatResults] as const;

  it('K1, N1: a call that needs a yes asks in a dialog, and is done once the person gives it', async () => {
    const { model, place } = await piStage({ counting: counting() }, ...script);
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
    answerDialog(session, asked, 'Yes, this once');
    await run;
    expect(model.requests[1]?.results).toMatchObject([{ text: 'hi' }]);
    await session.close();
  });

  it.each(['No', undefined])('K1: the answer %j means no, and says the command that exists here', async (value) => {
    const { model, place } = await piStage({ counting: counting() }, ...script);
    place.write('mcp-bridge.json', { requireConsent: true });
    const session = openPiSession(place);
    const run = session.prompt('Echo');
    answerDialog(session, await dialog(session, 'select'), value);
    await run;
    expect(model.requests[1]?.results[0]?.text).toMatch(/approval_needed|denied/);
    expect(JSON.stringify(model.requests[1]?.body)).not.toContain('trestle approve');
    await session.close();
  });

  it('K1, N1: a model that takes no for no answer has the person asked no more, until they say something', async () => {
    const stubborn = Array.from({ length: 4 }, (_, at) => callTool('counting', 'echo', { message: `try ${at}` }));
    const { model, place } = await piStage({ counting: counting() }, ...stubborn, { text: 'Well.' }, ...stubborn);
    place.write('mcp-bridge.json', { requireConsent: true });
    const session = openPiSession(place);
    const run = session.prompt('Echo');
    let from = 0;
    for (let no = 0; no < 2; no += 1) {
      const asked = await dialog(session, 'select', from);
      from = session.records.indexOf(asked) + 1;
      answerDialog(session, asked, 'No');
    }
    await run;
    const dialogs = (): number => session.records.filter((record) => record['method'] === 'select').length;
    expect(dialogs()).toBe(2);
    expect(model.requests.at(-1)?.results.map(({ text }) => /denied/.test(text))).toEqual([true, true, true, true]);
    await session.waitFor((record) =>
      String(record['message']).startsWith('Not asked again before you say something: '),
    );
    const next = session.records.length;
    await session.ask({ type: 'prompt', message: 'Echo all the same' });
    answerDialog(session, await dialog(session, 'select', next), 'Yes, for this session');
    await session.waitFor(({ type }) => type === 'agent_settled', next);
    expect(
      model.requests
        .at(-1)
        ?.results.slice(-4)
        .map(({ text }) => text),
    ).toEqual(['try 0', 'try 1', 'try 2', 'try 3']);
    await session.close();
  });

  it('K1, N1: without a person a call ends with the command to run', async () => {
    const { model, place } = await piStage({ counting: counting() }, ...script);
    place.write('mcp-bridge.json', { requireConsent: true });
    const run = await printPi(place, 'Echo');
    expect(run.code).toBe(0);
    expect(model.requests[1]?.results[0]?.text).toContain('Approve it: /mcp-bridge approve counting');
  });

  it('K1, N1: approve shows everything in a dialog', async () => {
    const { place } = await piStage({ counting: counting() });
    const session = openPiSession(place);
    const answer = said(session, 'approve counting');
    const asked = await dialog(session, 'select');
    expect(asked).toMatchObject({
      title: expect.stringMatching(/counting\.mjs[^]*Approve this\?$/) as string,
      options: ['No', 'Yes'],
    });
    answerDialog(session, asked, 'Yes');
    expect(await answer).toMatchObject({ level: 'info', text: expect.stringContaining('Approved: ') as string });
    await session.close();
  });
});

describe('login in the real Pi', () => {
  const browser = { BROWSER: `"${process.execPath}" "${join(projectRoot, 'test/support/headless-browser.mjs')}"` };

  async function docs(...script: readonly Scripted[]): Promise<PiStage> {
    const server = await startSignInServer({});
    onTestFinished(() => server.close());
    const { model, place } = await piStage({ docs: { url: server.url } }, ...script);
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

  it('K6, N1: a call that needs it asks first, opens the page on a yes, and is sent once more', async () => {
    const { model, place } = await docs(callTool('docs', 'whoami'), repeatResults, callTool('docs', 'whoami'));
    const session = openPiSession(place, { env: browser });
    const run = session.prompt('Who am I?');
    const asked = await dialog(session, 'select');
    expect(asked).toMatchObject({
      title: expect.stringMatching(/docs[^]*browser/) as string,
      options: ['No', expect.any(String)],
    });
    answerDialog(session, asked, (asked['options'] as readonly string[])[1]);
    await run;
    expect(model.requests[1]?.results).toMatchObject([{ text: 'allowed: read' }]);
    await session.close();
  });

  it('K6, N1: in print mode login opens the page for who typed it, and says the rest on standard error', async () => {
    const { place } = await docs();
    const run = await printPi(place, '/mcp-bridge login docs', { env: browser });
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toContain('Signed in to docs at ');
  });

  it('K6, N1: without a person a call ends with the command to run, and opens nothing', async () => {
    const { model, place } = await docs(callTool('docs', 'whoami'), repeatResults);
    await printPi(place, 'Who am I?', { env: browser });
    expect(model.requests[1]?.results[0]?.text).toContain('Sign in: /mcp-bridge login docs');
  });

  it('K6, N1: the dialog has the address, takes the one where a browser ended, and closing it gives up', async () => {
    const { place } = await docs();
    const session = openPiSession(place);
    const givenUp = said(session, 'login docs --no-browser');
    const first = await dialog(session, 'input');
    expect(first['title']).toMatch(/^To sign in, open:\n\nhttp:\S+\n\n/);
    answerDialog(session, first, undefined);
    expect(await givenUp).toEqual({ level: 'error', text: 'error[cancelled]: The sign-in was given up.' });

    const from = session.records.length;
    const answer = said(session, 'login docs --no-browser');
    const asked = await dialog(session, 'input', from);
    const [page = ''] = /http:\S+/.exec(String(asked['title'])) ?? [];
    const { headers } = await fetch(page, { redirect: 'manual' });
    answerDialog(session, asked, headers.get('location') ?? '');
    expect(await answer).toMatchObject({ level: 'info', text: expect.stringContaining('Signed in to docs') as string });
    await session.close();
  });
});

describe('the footer in the real Pi', () => {
  const isFooter = (fits: (text: string) => boolean) => (record: PiRecord) =>
    record['method'] === 'setStatus' && record['statusKey'] === 'mcp-bridge' && fits(String(record['statusText']));

  it('N1: shows servers, tools and tokens, and follows connections', async () => {
    const { place } = await piStage({ counting: counting() }, callTool('counting', 'count'), { text: 'Done.' });
    const session = openPiSession(place);
    await session.waitFor(isFooter((text) => /^mcp [01]\/1 · 11 tools · \d+\/4k tok$/.test(text)));
    await session.prompt('Count');
    // A first sync is a connection too, at a time when no tool is known yet.
    const connected = await session.waitFor(isFooter((text) => text.startsWith('mcp 1/1 · 11 tools · ')));
    expect(connected['statusText']).toMatch(/ · \d+\/4k tok$/);
    await session.close();
  });

  it('N1: can be switched off', async () => {
    const { place } = await piStage({ counting: counting() }, callTool('counting', 'count'), { text: 'Done.' });
    place.write('mcp-bridge.json', { footer: false });
    const session = openPiSession(place);
    await session.prompt('Count');
    await session.prompt('/mcp-bridge status');
    await session.close();
    expect(session.records.filter(isFooter(() => true))).toEqual([]);
  });
});
