import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import {
  type Counting,
  countingStdio,
  failureOf,
  type TestHome,
  trestleHome,
  valueOf,
} from '../../../test/support/trestle-home.ts';
import { canonicalPathSync } from '../../base/index.ts';
import { createBridge } from '../../toolsets/index.ts';
import type { Caller } from '../caller.ts';
import type { Question } from '../consent/question.ts';

/** A checkout whose `.mcp.json` asks for these servers, and whoever works in it. */
function checkout(servers: Readonly<Record<string, unknown>>) {
  const cwd = canonicalPathSync(tempFolder());
  mkdirSync(join(cwd, '.git'));
  const file = join(cwd, '.mcp.json');
  const ask = (mcpServers: Readonly<Record<string, unknown>>): void =>
    writeFileSync(file, JSON.stringify({ mcpServers }));
  ask(servers);
  const caller: Caller = { env: process.env, cwd };
  return { cwd, file, ask, caller };
}

const question = (failed: { readonly failure: { readonly details?: Readonly<Record<string, unknown>> } }): Question =>
  failed.failure.details?.['question'] as Question;

/** The calls that a server executed. */
const calls = (counting: Counting): readonly string[] => counting.ran().filter((line) => line.startsWith('call '));

describe("a project's server", () => {
  it('K2: the question names the variables and secrets of the person that it would get, whatever the entry calls them', async () => {
    const { caller } = checkout({
      theirs: { url: 'https://elsewhere.example/${TEAM:-x}', headers: { 'X-Trace': '${keychain:github}' } },
    });
    const { runtime } = trestleHome();
    const asked = question(failureOf(await runtime.listTools({ server: 'theirs', caller })));
    expect(asked.facts).toContainEqual({ label: 'Gets your variables', value: 'TEAM' });
    expect(asked.facts).toContainEqual({ label: 'Gets your secrets', value: 'github' });
    expect(asked.covers).toContain('this address is connected to');
  });

  it('K2: is neither called, read, listed, synced nor looked at before it was approved, and then is', async () => {
    const counting = countingStdio();
    const { caller, file } = checkout({ theirs: counting.entry });
    const { runtime } = trestleHome();
    const request = { server: 'theirs', caller };
    const outcomes = await Promise.all([
      runtime.call({ ...request, tool: 'count' }),
      runtime.call({ ...request, tool: 'count', checkedBy: 'live' }),
      runtime.read({ ...request, uri: 'file:///x' }),
      runtime.listTools(request),
      runtime.listResources(request),
      runtime.listPrompts(request),
      runtime.getPrompt({ ...request, prompt: 'x' }),
      runtime.inspect(request),
      runtime.post({ ...request, method: 'ping' }),
      runtime.sync(request),
    ]);
    expect(outcomes.map((outcome) => failureOf(outcome).failure.code)).toEqual(outcomes.map(() => 'approval_needed'));
    expect(outcomes.map(({ execution }) => execution)).toEqual(outcomes.map(() => 'not-sent'));
    await expect(runtime.search({ query: 'count', server: 'theirs', caller })).rejects.toMatchObject({
      code: 'approval_needed',
    });
    const doctor = await runtime.doctor({ caller });
    expect(doctor.servers.map(({ verdict }) => verdict)).toEqual(['blocked']);
    const asked = question(failureOf(outcomes[0] ?? (await runtime.listTools(request))));
    expect(asked).toMatchObject({ kind: 'connect', server: 'theirs' });
    expect(asked.facts).toContainEqual({ label: 'Defined in', value: file });
    expect(asked.covers).toContain('this program is started');
    expect(counting.ran()).toEqual([]);
    await runtime.answer({ question: asked.id, choice: 'always' });
    valueOf(await runtime.call({ ...request, tool: 'count' }));
    expect(calls(counting)).toHaveLength(1);
  });

  it('K2: of a project that the host does not trust is unknown, approved or not, and so to nobody else', async () => {
    const counting = countingStdio();
    const { caller } = checkout({ theirs: counting.entry });
    const { runtime } = trestleHome();
    const distrustful: Caller = { ...caller, projectTrusted: false };
    const refusal = async (): Promise<string> =>
      failureOf(await runtime.call({ server: 'theirs', tool: 'count', caller: distrustful })).failure.code;
    expect(await refusal()).toBe('unknown_server');
    expect([...runtime.config({ caller: distrustful }).waiting.keys()]).toEqual([]);
    await runtime.approve({ server: 'theirs', kind: 'connect', caller });
    expect(await refusal()).toBe('unknown_server');
    valueOf(await runtime.call({ server: 'theirs', tool: 'count', caller }));
    expect(calls(counting)).toHaveLength(1);
  });

  it('K2: of an untrusted folder of the runtime’s own is as unknown', async () => {
    const { cwd } = checkout({ theirs: countingStdio().entry });
    const { runtime } = trestleHome({}, { cwd, projectTrusted: false });
    expect(failureOf(await runtime.listTools({ server: 'theirs' })).failure.code).toBe('unknown_server');
    expect((await runtime.status()).servers).toEqual([]);
  });

  it('K2: waits again when a byte of its definition, or its place, is another one', async () => {
    const counting = countingStdio();
    const { caller, ask, file } = checkout({ theirs: counting.entry });
    const { runtime } = trestleHome();
    await runtime.approve({ server: 'theirs', kind: 'connect', caller });
    valueOf(await runtime.call({ server: 'theirs', tool: 'count', caller }));
    ask({ theirs: { ...counting.entry, env: { NODE_OPTIONS: '--no-warnings' } } });
    const changed = failureOf(await runtime.call({ server: 'theirs', tool: 'count', caller }));
    expect(changed.failure.code).toBe('approval_needed');
    expect(changed.failure.message).toMatch(/its entry has changed since it was approved/);
    expect(runtime.config({ caller }).waiting.get('theirs')?.why).toBe('changed since approval');
    const other = checkout({ theirs: counting.entry });
    const elsewhere = failureOf(await runtime.call({ server: 'theirs', tool: 'count', caller: other.caller }));
    expect(elsewhere.failure.code).toBe('approval_needed');
    ask({ theirs: counting.entry });
    valueOf(await runtime.call({ server: 'theirs', tool: 'count', caller }));
    await runtime.revoke({ server: 'theirs', file });
    expect(failureOf(await runtime.call({ server: 'theirs', tool: 'count', caller })).failure.code).toBe(
      'approval_needed',
    );
    expect(calls(counting)).toHaveLength(2);
  });

  it('K2, K3: a yes for once to the server is none to a tool of it that asks for itself', async () => {
    const counting = countingStdio();
    const { caller } = checkout({ theirs: { ...counting.entry, tools: { ask: ['count'] } } });
    const questions: Question[] = [];
    const ask = (asked: Question): Promise<'once' | 'no'> => {
      questions.push(asked);
      return Promise.resolve(asked.kind === 'use' ? 'once' : 'no');
    };
    const home = trestleHome({}, { ports: { ask } });
    home.settings({ requireConsent: true });
    const use = (tool: string) =>
      home.runtime.call({
        server: 'theirs',
        tool,
        caller,
        ...(tool === 'echo' ? { arguments: { message: 'a' } } : {}),
      });
    expect(await use('echo')).toMatchObject({ kind: 'ok' });
    expect(failureOf(await use('count')).failure.code).toBe('denied');
    expect(questions.map(({ kind }) => kind)).toEqual(['use', 'use', 'call']);
    expect(calls(counting)).toEqual(['call echo']);
  });

  it("K2: never stands in for a user's own of that name, nor shares its folder in the registry", async () => {
    const [own, theirs] = [countingStdio(), countingStdio()];
    const { caller } = checkout({ web: theirs.entry });
    const { runtime } = trestleHome({ web: own.entry });
    valueOf(await runtime.call({ server: 'web', tool: 'count', caller }));
    expect([calls(own).length, calls(theirs).length]).toEqual([1, 0]);
    await runtime.approve({ server: 'web', kind: 'connect', caller });
    valueOf(await runtime.sync({ server: 'web', caller }));
    valueOf(await runtime.call({ server: 'web', tool: 'count', caller }));
    expect([calls(own).length, calls(theirs).length]).toEqual([1, 1]);
    const folder = runtime.config({ caller }).servers.get('web')?.registryName ?? '';
    expect(runtime.registry.meta(folder).value?.project).toBe(join(caller.cwd, '.mcp.json'));
    // Elsewhere it is nobody's business.
    const { servers } = await runtime.status();
    expect(servers.map(({ name, known }) => [name, known])).toEqual([['web', 'configured']]);
    valueOf(await runtime.call({ server: 'web', tool: 'count' }));
    expect([calls(own).length, calls(theirs).length]).toEqual([2, 1]);
    await runtime.forget(folder);
    expect(runtime.registry.server('web').value?.toolCount).toBeGreaterThan(0);
  });

  it('K2, C7: is in no block, no search and no list of the registry before it is approved', async () => {
    const counting = countingStdio();
    const { caller, ask } = checkout({ theirs: counting.entry });
    const { runtime } = trestleHome();
    await runtime.approve({ server: 'theirs', kind: 'connect', caller });
    valueOf(await runtime.sync({ server: 'theirs', caller }));
    expect((await runtime.context({ caller })).text).toContain('theirs');
    expect((await runtime.search({ query: 'count', caller })).hits[0]).toMatchObject({ server: 'theirs' });
    expect((await runtime.context()).text).not.toContain('theirs');
    expect((await runtime.search({ query: 'count' })).hits).toEqual([]);
    ask({ theirs: { ...counting.entry, cwd: '/' } });
    expect((await runtime.context({ caller })).text).not.toContain('theirs');
    expect((await runtime.search({ query: 'count', caller })).hits).toEqual([]);
  });

  it('C4, K2: that it comes into a text by an approval, and leaves it with that, is told', async () => {
    const { caller } = checkout({ theirs: countingStdio().entry });
    const { runtime, events } = trestleHome();
    await runtime.approve({ server: 'theirs', kind: 'connect', caller });
    valueOf(await runtime.sync({ server: 'theirs', caller }));
    await runtime.context({ caller });
    const told = (): readonly unknown[] => events.filter(({ kind }) => kind === 'context');
    await runtime.revoke({ server: 'theirs' });
    await eventually(() => told().length === 1);
    expect(told()).toMatchObject([{ hash: '', changes: ['gone server: theirs'] }]);
    await runtime.approve({ server: 'theirs', kind: 'connect', caller });
    await eventually(() => told().length === 2);
    expect(told()).toMatchObject([{}, { changes: ['new server: theirs'] }]);
  });

  it('K2: reload, eager and keep-alive start nothing of it, and say in one line that it waits', async () => {
    const counting = countingStdio();
    const { caller } = checkout({ theirs: { ...counting.entry, lifecycle: 'keep-alive' } });
    const home: TestHome = trestleHome({}, { longLived: true, cwd: caller.cwd, reconcile: true });
    const report = await home.runtime.reload({ caller });
    expect(report.servers).toEqual([{ name: 'theirs', kind: 'waiting', why: 'not approved' }]);
    expect(home.runtime.holdsKept()).toBe(false);
    expect((await home.runtime.status()).servers[0]).toMatchObject({ name: 'theirs', known: 'waiting', entries: [] });
  });

  it('K2: a yes for a session holds in its scope alone, and is in no file', async () => {
    const counting = countingStdio();
    const { caller } = checkout({ theirs: counting.entry });
    const { runtime, folder } = trestleHome();
    const request = { server: 'theirs', tool: 'count', caller, scope: 'session:one' } as const;
    const asked = question(failureOf(await runtime.call(request)));
    await runtime.answer({ question: asked.id, choice: 'session' });
    valueOf(await runtime.call(request));
    expect(failureOf(await runtime.call({ ...request, scope: 'session:two' })).failure.code).toBe('approval_needed');
    expect(() => readFileSync(join(folder, 'state/approvals.json'))).toThrow(/ENOENT/);
    await runtime.closeScope('session:one');
    expect(failureOf(await runtime.call(request)).failure.code).toBe('approval_needed');
  });
});

describe('a server that only the registry knows', () => {
  it('R6: is told of, never deleted, and dialled after approval of exactly what stands there', async () => {
    const counting = countingStdio();
    const home = trestleHome({ old: counting.entry });
    const { runtime } = home;
    valueOf(await runtime.sync({ server: 'old' }));
    home.configure({});
    expect((await runtime.reload()).servers).toMatchObject([{ name: 'old', kind: 'removed', inRegistry: true }]);
    const problem = expect.stringContaining('trestle approve old --connect') as string;
    expect((await runtime.status()).servers[0]).toMatchObject({ name: 'old', known: 'registry-only', problem });
    const before = counting.ran().length;
    const failed = failureOf(await runtime.call({ server: 'old', tool: 'count' }));
    expect(failed.failure.message).toMatch(/it stands in the registry but in no configuration/);
    expect(counting.ran()).toHaveLength(before);
    const asked = question(failed);
    const meta = join(runtime.registry.path('old'), 'meta.json');
    expect(asked.facts).toContainEqual({ label: 'Defined in', value: meta });
    await runtime.answer({ question: asked.id, choice: 'always' });
    valueOf(await runtime.call({ server: 'old', tool: 'count' }));
    expect(calls(counting)).toHaveLength(1);
    expect((await runtime.status()).servers[0]).toMatchObject({ known: 'registry-only', problem: undefined });
    expect((await runtime.reload()).servers).toEqual([{ name: 'old', kind: 'registry-only', approved: true }]);
    const record = JSON.parse(readFileSync(meta, 'utf8')) as { transport: { args: string[] } };
    record.transport.args.push('--more');
    writeFileSync(meta, JSON.stringify(record));
    expect(failureOf(await runtime.call({ server: 'old', tool: 'count' })).failure.code).toBe('approval_needed');
  });

  it('R6: is in the text for a model, in searches and in the registry while it is approved, and only then', async () => {
    const home = trestleHome({ old: countingStdio().entry });
    const { runtime } = home;
    valueOf(await runtime.sync({ server: 'old' }));
    home.configure({});
    const bridge = createBridge(runtime, { downloadRoot: undefined });
    const told = async (): Promise<readonly boolean[]> => {
      const { text } = await runtime.context();
      const { hits } = await runtime.search({ query: 'echo' });
      const listed = await bridge.find(({ name }) => name === 'ListMcpResources')?.execute({ server: 'registry' });
      const descriptor = await bridge
        .find(({ name }) => name === 'FetchMcpResource')
        ?.execute({ server: 'registry', uri: 'registry://old/echo' });
      return [
        runtime.callable().includes('old'),
        text.includes('echo'),
        hits.some(({ server }) => server === 'old'),
        JSON.stringify(listed?.content).includes('old/'),
        descriptor?.isError === false,
      ];
    };
    expect(await told()).toEqual([false, false, false, false, false]);
    await runtime.approve({ server: 'old', kind: 'connect' });
    expect(await told()).toEqual([true, true, true, true, true]);
    valueOf(await runtime.call({ server: 'old', tool: 'count' }));
    await runtime.revoke({ server: 'old' });
    expect(await told()).toEqual([false, false, false, false, false]);
    expect(failureOf(await runtime.call({ server: 'old', tool: 'count' })).failure.code).toBe('approval_needed');
  });

  it('R6: is not dialled where the record has lost a secret, and says so', async () => {
    const counting = countingStdio();
    const home = trestleHome({ old: { ...counting.entry, env: { API_KEY: 'a-literal-secret' } } });
    valueOf(await home.runtime.sync({ server: 'old' }));
    home.configure({});
    const { failure } = failureOf(await home.runtime.call({ server: 'old', tool: 'count' }));
    expect(failure).toMatchObject({
      code: 'not_configured',
      hint: expect.stringContaining('trestle add old') as string,
    });
    expect(failure.message).toMatch(/keeps no secrets/);
  });

  it("R6, K2: the folder of another project's server is none of these", async () => {
    const counting = countingStdio();
    const { caller } = checkout({ theirs: counting.entry });
    const { runtime } = trestleHome();
    await runtime.approve({ server: 'theirs', kind: 'connect', caller });
    valueOf(await runtime.sync({ server: 'theirs', caller }));
    const folder = runtime.config({ caller }).servers.get('theirs')?.registryName ?? '';
    expect(failureOf(await runtime.call({ server: folder, tool: 'count' })).failure.code).toBe('unknown_server');
    expect((await runtime.reload()).servers).toEqual([]);
  });
});

it('K2: a question shows how a server is signed in to, and which of your files are read for that', async () => {
  const { caller } = checkout({
    theirs: {
      url: 'https://example.com/mcp',
      auth: { type: 'private-key-jwt', clientId: 'a', privateKeyFile: '~/.ssh/id_rsa' },
    },
  });
  const { facts } = question(failureOf(await trestleHome().runtime.listTools({ server: 'theirs', caller })));
  expect(facts).toContainEqual({ label: 'Signs in with', value: 'private-key-jwt, ~/.ssh/id_rsa' });
});
