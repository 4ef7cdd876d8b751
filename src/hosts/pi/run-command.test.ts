import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configureServers } from '../../../test/support/home.ts';
import { projectRoot } from '../../../test/support/project-files.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { TrestleError } from '../../base/index.ts';
import { isCommand } from '../../cli/index.ts';
import { createRuntime, placesOf } from '../../runtime/index.ts';
import type { Pi, PiContext } from './pi.ts';
import { piProgram } from './program.ts';
import { runCommand } from './run-command.ts';

/** A real server. */
const counting = (folder: string) => ({
  command: process.execPath,
  args: [join(projectRoot, 'test/servers/counting.mjs'), 'stdio', join(folder, 'counted')],
});

type Mode = NonNullable<PiContext['mode']>;

interface Asked {
  readonly title: string;
  readonly options?: readonly string[];
}

const textOf = (entry: { readonly data: unknown } | undefined): string =>
  (entry?.data as { readonly text: string } | undefined)?.text ?? '';

/** A session of Pi that keeps what it is told. */
function session(
  mode: Mode | undefined,
  { isOld = false, answer }: { isOld?: boolean; answer?: string | ((title: string) => string | undefined) } = {},
) {
  const home = tempFolder();
  configureServers(home, { counting: counting(home), other: { command: 'none' }, third: { command: 'none' } });
  const runtime = createRuntime({
    places: placesOf(home),
    cwd: home,
    userHome: home,
    env: { PATH: process.env['PATH'] },
    platform: process.platform,
    longLived: true,
  });
  onTestFinished(() => runtime.close());
  const told = {
    notices: [] as { readonly text: string; readonly level: string | undefined }[],
    entries: [] as { readonly type: string; readonly data: unknown }[],
    asked: [] as Asked[],
    status: [] as (readonly [string, string | undefined])[],
    stderr: '',
  };
  const context: PiContext = {
    cwd: home,
    hasUI: mode === undefined || mode === 'tui' || mode === 'rpc',
    ...(mode === undefined ? {} : { mode }),
    sessionManager: { getSessionId: () => 'one' },
    ui: {
      notify: (text, level) => void told.notices.push({ text, level }),
      select: async (title, options) => {
        told.asked.push({ title, options });
        return typeof answer === 'function' ? answer(title) : answer;
      },
      confirm: () => expect.unreachable(),
      input: async (title) => {
        told.asked.push({ title });
        return typeof answer === 'function' ? answer(title) : answer;
      },
      setStatus: (key, text) => void told.status.push([key, text]),
    },
  };
  const pi: Pick<Pi, 'appendEntry' | 'registerEntryRenderer'> = {
    appendEntry: (type, data) => void told.entries.push({ type, data }),
    ...(isOld ? {} : { registerEntryRenderer: () => {} }),
  };
  const abort = new AbortController();
  const run = async (line: string): Promise<void> => {
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text: unknown) => {
      told.stderr += String(text);
      return true;
    };
    const before = process.exitCode;
    process.exitCode = undefined;
    try {
      await runCommand(line, {
        pi,
        context,
        runtime,
        surroundings: {
          env: { PATH: process.env['PATH'], FORCE_COLOR: '1' },
          cwd: home,
          userHome: home,
          platform: process.platform,
          command: [process.execPath, 'trestle'],
          temporaryFolder: home,
          readInput: () => Promise.resolve(new Uint8Array()),
          inputTerminal: false,
          readLine: () => Promise.resolve(undefined),
        },
        signal: abort.signal,
      });
      exitCodes.push(process.exitCode);
    } finally {
      process.stderr.write = write;
      process.exitCode = before;
    }
  };
  const exitCodes: (number | string | null | undefined)[] = [];
  return { home, run, runtime, told, exitCodes, abort };
}

describe('where /mcp-bridge answers', () => {
  it('N1: in the window of Pi a long answer is an entry that no model sees, a short one a notice', async () => {
    const { run, told, exitCodes } = session('tui');
    await run('list');
    await run('validate');
    await run('list nobody');
    expect(told.entries).toEqual([
      {
        type: 'mcp-bridge',
        data: { command: 'list', exitCode: 0, text: expect.stringMatching(/^counting .*\nother /) as string },
      },
      {
        type: 'mcp-bridge',
        data: {
          command: 'list',
          exitCode: 2,
          text: 'error[unknown_server]: There is no server named "nobody".\nhint: Servers: counting, other, third. See them with: /mcp-bridge list',
        },
      },
    ]);
    expect(told.notices).toEqual([{ text: expect.stringContaining('registry') as string, level: 'info' }]);
    expect([told.stderr, exitCodes]).toEqual(['', [undefined, undefined, undefined]]);
  });

  it.each(['rpc', undefined] as const)('N1: in mode %s all of it is a notice, a failure as an error', async (mode) => {
    const { run, told } = session(mode);
    await run('list');
    await run('lst');
    expect(told.entries).toEqual([]);
    expect(told.notices).toEqual([
      { text: expect.stringMatching(/^counting /) as string, level: 'info' },
      {
        text: expect.stringMatching(
          /^error\[usage\]: There is no command "lst"\.\nhint: Did you mean: \/mcp-bridge list\n\n[^]*Usage: \/mcp-bridge <command>/,
        ) as string,
        level: 'error',
      },
    ]);
  });

  it('N1: a release without drawn entries has notices for everything', async () => {
    const { run, told } = session('tui', { isOld: true });
    await run('list');
    expect(told.notices).toMatchObject([{ level: 'info' }]);
    expect(told.entries).toEqual([]);
  });

  it('N1: a JSON run has a record of it, and ends with the exit code', async () => {
    const { run, told, exitCodes } = session('json');
    await run('list --json');
    await run('approve nobody');
    expect(told.entries.map(({ data }) => data)).toMatchObject([
      { command: 'list', exitCode: 0 },
      { command: 'approve', exitCode: 2 },
    ]);
    expect(JSON.parse(textOf(told.entries[0]))).toMatchObject({
      servers: [{ name: 'counting' }, { name: 'other' }, { name: 'third' }],
    });
    expect([told.notices, told.stderr, exitCodes]).toEqual([[], '', [undefined, 2]]);
  });

  it.each([
    ['print', false],
    ['json', true],
  ] as const)('N1: in mode %s (old: %j) it stands on standard error, with the exit code', async (mode, isOld) => {
    const { run, told, exitCodes } = session(mode, { isOld });
    await run('list');
    await run('sync nobody');
    expect(told.stderr).toMatch(/^counting .*\nother .*\n[^]*error\[unknown_server\]/);
    expect([told.entries, told.notices, exitCodes]).toEqual([[], [], [undefined, 2]]);
  });
});

describe('what /mcp-bridge does', () => {
  it('N1: without a command it shows its help, and a line that cannot be read is one sentence', async () => {
    const { run, told } = session('rpc');
    await run('  ');
    await run("approve 'x");
    expect(told.notices.map(({ text }) => text)).toEqual([
      expect.stringContaining('/mcp-bridge add everything --'),
      expect.stringMatching(/^error\[usage\]: A quote in the command is not closed.*\nhint: .*$/),
    ]);
  });

  it("N1: no help speaks of files that are Trestle's own home, which Pi's servers are not in", async () => {
    const { run, told } = session('rpc');
    for (const name of ['', ...(piProgram.inside?.commands ?? [])]) await run(`help ${name}`);
    expect(told.notices.length).toBeGreaterThan(10);
    for (const { text } of told.notices) expect(text).not.toMatch(/(?<![\w./-])(servers|settings)\.json\b/);
  });

  it('N1: add takes pasted JSON, remove --keep-config leaves the entry, sync brings it back', async () => {
    const { run, runtime, told } = session('rpc');
    await run(`add second ${JSON.stringify(counting(tempFolder()))}`);
    expect(told.notices.at(-1)).toMatchObject({ level: 'info', text: expect.stringContaining('second') as string });
    expect(runtime.registry.server('second').value?.tools.length).toBeGreaterThan(0);
    await run('rm second --keep-config');
    expect(runtime.registry.server('second').value).toBeUndefined();
    expect(runtime.config().servers.has('second')).toBe(true);
    await run('sync second');
    expect(runtime.registry.server('second').value).toBeDefined();
    await run('remove second');
    expect(runtime.config().servers.has('second')).toBe(false);
    expect(told.notices.filter(({ level }) => level === 'error')).toEqual([]);
    for (const [key] of told.status) expect(key).toBe('mcp-bridge-progress');
    expect(told.status.at(-1)?.[1]).toBeUndefined();
  });

  it('N1: import shows its plan before it asks, and writes nothing without a yes', async () => {
    for (const answer of ['No', 'Yes']) {
      const { run, runtime, told, home } = session('tui', { answer });
      mkdirSync(join(home, '.pi', 'agent'), { recursive: true });
      const file = { mcpServers: { taken: { command: 'none' } } };
      writeFileSync(join(home, '.pi', 'agent', 'mcp.json'), JSON.stringify(file));
      await run('import --from pi');
      expect(told.asked).toMatchObject([{ title: expect.stringMatching(/^Import 1 server into /) as string }]);
      const texts = [...told.entries.map(textOf), ...told.notices.map(({ text }) => text)];
      expect(texts).toHaveLength(2);
      expect(texts[0]).toContain('taken');
      expect(texts[0]).not.toContain('written');
      expect(texts[1]).toContain(
        answer === 'Yes' ? 'Read its tools: /mcp-bridge sync taken' : 'To write it: /mcp-bridge import --from pi --yes',
      );
      expect(runtime.config().servers.has('taken')).toBe(answer === 'Yes');
    }
  });

  it('F1, N1: whether tokens move into the secret store is asked with Yes first, and who closes that dialog has imported nothing', async () => {
    const { run, runtime, told, home } = session('tui', {
      answer: (title) => (title.startsWith('Import ') ? 'Yes' : undefined),
    });
    mkdirSync(join(home, '.pi', 'agent'), { recursive: true });
    const taken = { command: 'none', env: { API_TOKEN: 'planted-value-0123456789' } };
    writeFileSync(join(home, '.pi', 'agent', 'mcp.json'), JSON.stringify({ mcpServers: { taken } }));
    await run('import --from pi');
    expect(told.asked.map(({ options }) => options)).toEqual([
      ['No', 'Yes'],
      ['Yes', 'No'],
    ]);
    expect(told.asked[1]?.title).toContain('secret store');
    expect(runtime.config().servers.has('taken')).toBe(false);
  });

  it('K1, N1: approve asks in a dialog that shows everything, where No stands first', async () => {
    const refused = session('tui', { answer: 'No' });
    await refused.run('approve counting');
    expect((await refused.runtime.approvals()).approvals).toEqual([]);
    expect(refused.told.asked).toEqual([
      {
        title: expect.stringMatching(/^Use the server counting\?\n[^]*counting\.mjs[^]*Approve this\?$/) as string,
        options: ['No', 'Yes'],
      },
    ]);
    const approved = session('tui', { answer: 'Yes' });
    await approved.run('approve counting');
    expect((await approved.runtime.approvals()).approvals).toMatchObject([{ server: 'counting' }]);
    const print = session('print', { answer: 'Yes' });
    await print.run('approve counting');
    expect(print.told.stderr).toContain('/mcp-bridge approve counting --yes');
    expect(print.told.asked).toEqual([]);
    expect((await print.runtime.approvals()).approvals).toEqual([]);
  });

  it('K4: a secret is shown nowhere, and no entry keeps what was typed', async () => {
    const { run, told } = session('tui');
    const mark = 'planted-value-0123456789';
    await run(`add second --env API_TOKEN=${mark} -- ${process.execPath} none.mjs`);
    await run(`add 'third ${mark}`);
    // What is a secret of a server by now is one wherever it was typed.
    await run(`list ${mark}`);
    expect(told.entries).toHaveLength(3);
    expect(JSON.stringify(told)).not.toContain(mark);
    expect(told.entries[0]?.data).toMatchObject({ command: 'add', exitCode: 3 });
  });

  it('N2: what is under way ends with the session', async () => {
    const { run, told, abort } = session('rpc');
    abort.abort(new TrestleError({ code: 'cancelled', message: 'This session of Pi is over.' }));
    await run('sync counting');
    expect(told.notices).toMatchObject([{ level: 'error', text: expect.stringContaining('over') as string }]);
  });
});

describe('what /mcp-bridge names', () => {
  /** Every command here, with what makes it speak in a home where much is wrong. */
  const lines = [
    'list',
    'list nobody',
    'show counting',
    'show never echo',
    'show counting nothing',
    'status',
    'status --json',
    'context --explain',
    'context --explain --json',
    'validate',
    'validate --json',
    'search echo',
    'search echo --server never',
    'reload',
    'reload --json',
    'sync never',
    'sync --json',
    'add literal --env API_TOKEN=0123456789 -- none',
    'add literal -- none',
    'add pasted none',
    'remove nobody',
    'approve',
    'approve waiting',
    'approve nobody',
    'revoke',
    'revoke nobody',
    'login',
    'login counting',
    'login closed',
    'logout',
    'logout closed',
    'doctor',
    'doctor --json',
    'import --from pi',
    'import --from pi --yes',
    'frobnicate',
    'call counting echo',
  ];

  it('N1: whatever is wrong, every command in an answer is one that can be run where it says', async () => {
    const { run, told, home } = session('rpc');
    configureServers(home, {
      counting: counting(home),
      never: { command: 'none-of-that-name' },
      secretive: { command: 'none', env: { A: '${keychain:absent}' } },
      broken: { command: '' },
      off: { command: 'none', enabled: false },
      closed: { url: 'http://127.0.0.1:1/mcp' },
    });
    writeFileSync(join(home, '.mcp.json'), JSON.stringify({ mcpServers: { waiting: { command: 'none' } } }));
    mkdirSync(join(home, 'registry', 'orphan', 'tools'), { recursive: true });
    writeFileSync(join(home, 'registry', 'orphan', 'meta.json'), '{');
    await run('sync counting');
    for (const line of lines) await run(line);
    const texts = told.notices.map(({ text }) => text);
    expect(texts.length).toBe(lines.length + 1);
    const results = texts.filter((_, at) => lines[at - 1]?.endsWith('--json'));
    expect(results.map((text) => typeof JSON.parse(text))).toEqual(results.map(() => 'object'));
    const elsewhere = texts.flatMap((text) => text.match(/.*(?<![\w@./-])trestle (?!--home pi )[a-z].*/g) ?? []);
    expect(elsewhere).toEqual([]);
    const here = texts.flatMap((text) => text.match(/(?<=\/mcp-bridge )[a-z]+/g) ?? []);
    expect(here.filter((name) => !isCommand(name, piProgram))).toEqual([]);
    expect(new Set(here)).toEqual(new Set([...new Set(here), 'sync', 'approve', 'list', 'status', 'remove']));
  });
});
