import { expect, it } from 'vitest';
import { TrestleError } from '../base/index.ts';
import { type CallRequest, failedOutcome, placesOf, type Runtime } from '../runtime/index.ts';
import { calledWith, createFakeRuntime } from '../../test/support/fake-runtime.ts';
import { commandTable } from './commands.ts';
import type { TextStream } from './output.ts';
import { type ProcessParts, runCommandLine } from './run.ts';
import type { Interruption } from './interruption.ts';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What happened, in order. */
  readonly events: readonly string[];
}

/** Runs a command line over a runtime whose answers are given; `interrupt` fires when the call is under way. */
async function run(
  argv: readonly string[],
  answers: Partial<Runtime> = {},
  options: { readonly env?: Record<string, string>; readonly interrupt?: boolean } = {},
): Promise<Ran> {
  const events: string[] = [];
  const texts = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): TextStream => ({
    write(chunk, done) {
      texts[name] += String(chunk);
      done();
      return true;
    },
    on: () => {},
  });
  const abort = new AbortController();
  const interruption: Interruption = {
    signal: abort.signal,
    exitCode: () => (abort.signal.aborted ? 130 : undefined),
    [Symbol.dispose]: () => events.push('stopped listening'),
  };
  const runtime = Object.create(createFakeRuntime(), {
    ...Object.getOwnPropertyDescriptors({
      close: () => {
        events.push('closed');
        return Promise.resolve();
      },
      ...answers,
    }),
  }) as Runtime;
  const parts: ProcessParts = {
    surroundings: {
      env: options.env ?? {},
      cwd: '/project',
      userHome: '/home/user',
      platform: 'linux',
      command: ['node', 'trestle'],
      temporaryFolder: '/tmp',
      readInput: () => Promise.resolve(new Uint8Array()),
      inputTerminal: false,
      readLine: () => Promise.resolve(undefined),
    },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    interruption: () => {
      events.push('listening');
      if (options.interrupt === true) setImmediate(() => abort.abort(interrupted));
      return interruption;
    },
    openRuntime: () => {
      events.push('opened');
      return runtime;
    },
  };
  const code = await runCommandLine(argv, parts);
  return { code, ...texts, events };
}

const interrupted = new TrestleError({ code: 'cancelled', message: 'Interrupted by SIGINT.' });
const call = ['call', 'everything', 'echo', 'message:="hi"'];

it('T7: the runtime is closed before the exit code is given, and nothing is listened to afterwards', async () => {
  const ran = await run(call, { call: () => Promise.resolve(calledWith('Echo: hi')) });
  expect(ran).toEqual({
    code: 0,
    stdout: 'Echo: hi\n',
    stderr: '',
    events: ['opened', 'listening', 'closed', 'stopped listening'],
  });
});

it('T7: it is closed after a failure too, whatever threw', async () => {
  const ran = await run(call, { call: () => Promise.reject(new Error('a bug')) });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toBe('error[internal]: a bug\n');
  expect(ran.events).toContain('closed');
});

it('L3: an interruption reaches the call and decides the exit code', async () => {
  const waiting = (request: CallRequest): ReturnType<Runtime['call']> =>
    new Promise((resolve) => {
      request.signal?.addEventListener('abort', () => resolve(failedOutcome(interrupted)));
    });
  const ran = await run(call, { call: waiting }, { interrupt: true });
  expect(ran.code).toBe(130);
  expect(ran.events).toEqual(['opened', 'listening', 'closed', 'stopped listening']);
});

it('L8: help, an unknown command and an unknown flag open no runtime', async () => {
  for (const argv of [[], ['help'], ['help', 'call'], ['call', '--help'], ['--version'], ['cal'], ['list', '--jsn']]) {
    expect((await run(argv)).events).toEqual([]);
  }
});

it.each([
  [['ls', '--home', 'x'], 'trestle list --home x'],
  [['run', 'it', 'echo', 'text=a b'], "trestle call it echo 'text=a b'"],
  [['stat'], 'trestle status'],
  [['version'], 'trestle --version'],
  [['frobnicate'], 'See them: trestle help'],
])(
  'L8: a command that there is not, %j, is put right by what other tools call it, or by what is near',
  async (argv, hint) => {
    expect(await run(argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(`${hint}\n`) as string });
  },
);

it('L8: a hint of the runtime names the command as it was started, for people and for programs', async () => {
  const error = new TrestleError({ code: 'approval_needed', message: 'No.', hint: 'Approve it: trestle approve it' });
  const answers = { call: () => Promise.resolve(failedOutcome(error)) };
  const env = { npm_command: 'exec', npm_lifecycle_event: 'npx' };
  expect((await run(call, answers, { env })).stderr).toContain('hint: Approve it: npx trestle approve it\n');
  expect((await run([...call, '--json'], answers, { env })).stdout).toContain('"Approve it: npx trestle approve it"');
  expect((await run(call, answers)).stderr).toContain('hint: Approve it: trestle approve it\n');
});

it.each([
  [['--home', 'pi'], 'trestle --home pi approve it'],
  [['--home=a b'], "trestle '--home=a b' approve it"],
])('L8: a hint of the runtime is over the home that was typed, %j', async (home, hint) => {
  const error = new TrestleError({ code: 'approval_needed', message: 'No.', hint: 'Approve it: trestle approve it' });
  const answers = { call: () => Promise.resolve(failedOutcome(error)) };
  expect((await run([...call, ...home], answers)).stderr).toContain(`hint: Approve it: ${hint}\n`);
  expect((await run([...home, 'call', 'echo', '--', 'x', '--home', 'no'], answers)).stderr).toContain(`: ${hint}\n`);
});

it('L1: every command documents its --json, its flags and an example', async () => {
  for (const { name } of commandTable) {
    const { code, stdout } = await run([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +--json {2,}Print .*$/m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(stdout).toMatch(/^Examples:\n {2}trestle /m);
    for (const line of stdout.split('\n')) expect(line).not.toMatch(/\bundefined\b/);
  }
});

it('L1: help about help is the overview', async () => {
  const asked = await run(['help', 'help']);
  expect(asked).toEqual(await run(['help']));
  expect(asked.code).toBe(0);
});

it('L8: a suggestion is written as the command was started', async () => {
  const npx = { npm_command: 'exec', npm_lifecycle_event: 'npx' };
  expect((await run(['lst'], {}, { env: npx })).stderr).toContain('Did you mean: npx trestle list');
  expect((await run(['lst'])).stderr).toContain('Did you mean: trestle list');
});

it('L2: flags reach the request in its own units, and the guarded form is only asked for where it is shown', async () => {
  const requests: CallRequest[] = [];
  const answer = (request: CallRequest): ReturnType<Runtime['call']> => {
    requests.push(request);
    return Promise.resolve(calledWith('x'));
  };
  await run([...call, '--timeout', '2', '--max-total=7'], { call: answer });
  await run([...call, '--json'], { call: answer });
  expect(requests).toMatchObject([
    {
      server: 'everything',
      tool: 'echo',
      arguments: { message: 'hi' },
      timeoutMs: 2_000,
      maxTotalMs: 7_000,
      present: true,
    },
    { present: false },
  ]);
});

it('L2: a known secret that a server sends back is replaced in every text form', async () => {
  const answers: Partial<Runtime> = {
    call: () => Promise.resolve(calledWith('the key is hunter2hunter2')),
    redact: (text) => text.replaceAll('hunter2hunter2', '[redacted]'),
  };
  expect((await run([...call, '--full'], answers)).stdout).toBe('the key is [redacted]');
  expect(JSON.parse((await run([...call, '--json'], answers)).stdout)).toEqual({
    content: [{ type: 'text', text: 'the key is [redacted]' }],
  });
});

it('L2: JSON stays JSON when the secret is a number', async () => {
  const outcome = calledWith('12345678');
  const answers: Partial<Runtime> = {
    call: () =>
      Promise.resolve(
        'value' in outcome
          ? {
              ...outcome,
              value: {
                ...outcome.value,
                result: { content: [], structuredContent: { a: 12_345_678, b: 'x12345678' } },
              },
            }
          : outcome,
      ),
    redact: (text) => text.replaceAll('12345678', '[redacted]'),
  };
  expect(JSON.parse((await run([...call, '--json'], answers)).stdout)).toMatchObject({
    structuredContent: { b: 'x[redacted]' },
  });
});

it('R6: remove takes the registry folder of exactly the named server', async () => {
  const forgotten: string[] = [];
  const answers: Partial<Runtime> = {
    config: () => ({ servers: new Map(), waiting: new Map(), broken: new Map(), notices: [] }),
    registry: {
      servers: () => ({ value: [{ name: 'old' }, { name: 'other' }], findings: [] }),
      path: (server: string) => `/registry/${server}`,
    } as unknown as Runtime['registry'],
    forget: (server) => {
      forgotten.push(server);
      return Promise.resolve({ registry: true });
    },
  };
  expect(await run(['remove', 'old', '--keep-config'], answers)).toMatchObject({
    code: 0,
    stdout: '/registry/old: removed\n',
  });
  expect(await run(['remove', 'odl', '--keep-config'], answers)).toMatchObject({ code: 2, stdout: '' });
  expect(forgotten).toEqual(['old']);
});

const changed = { why: 'changed', differs: ['transport'] } as const;

it.each([
  {
    server: { name: 'a', kind: 'due', due: changed },
    code: 1,
    line: 'a: changed since it was last synced (transport): trestle sync a',
  },
  {
    server: { name: 'a', kind: 'due', due: { why: 'never-synced', differs: [] } },
    code: 1,
    line: 'a: never synced: trestle sync a',
  },
  { server: { name: 'a', kind: 'unchanged' }, code: 0, line: 'a: unchanged' },
  { server: { name: 'a', kind: 'disabled' }, code: 0, line: 'a: disabled' },
  {
    server: { name: 'a', kind: 'removed', inRegistry: true },
    code: 0,
    line: 'a: removed; its descriptors stay until: trestle remove a',
  },
  { server: { name: 'a', kind: 'registry-only', approved: false }, code: 0, line: 'take it out: trestle remove a' },
  {
    server: { name: 'a', kind: 'failed', failure: { code: 'timed_out', message: 'a timed out.' } },
    code: 1,
    line: 'a: failed',
  },
] as const)('R6: reload says $line, and by its exit code whether something is to be done', async (row) => {
  const { server, code, line } = row;
  const report = { applied: false, servers: [server], notices: ['odd'] };
  const ran = await run(['reload', '--timeout', '7'], {
    reload: (request) => {
      expect(request?.limitMs).toBe(7_000);
      return Promise.resolve(report);
    },
  });
  expect(ran).toMatchObject({ code, stdout: expect.stringContaining(line) as string });
  expect(ran.stderr).toContain('note: odd');
  expect(ran.stderr.includes('Nothing was synced')).toBe(server.kind === 'due');
  const json = await run(['reload', '--json'], { reload: () => Promise.resolve(report) });
  expect(JSON.parse(json.stdout)).toEqual(report);
});

it('L6: doctor says what is wrong and what to do, and exits 1 on trouble', async () => {
  const well = {
    name: 'well',
    verdict: 'ok',
    durationMs: 120,
    info: undefined,
    tools: 3,
    problems: ['odd'],
    failure: undefined,
  } as const;
  const failure = { code: 'timed_out', message: 'slow timed out.', hint: 'Wait longer.' } as const;
  const slow = { ...well, name: 'slow', verdict: 'failed', tools: undefined, problems: [], failure } as const;
  const house = [
    {
      subject: 'home',
      level: 'trouble',
      text: '/home cannot be written.',
      code: 'file_error',
      hint: 'Free some space.',
    },
  ] as const;
  const left = [{ server: 'old', ownerPid: 7, processes: [{ pid: 9, name: 'node', ageMs: 120_000 }] }];
  const ran = await run(['doctor'], {
    places: placesOf('/nowhere'),
    doctor: () => Promise.resolve({ servers: [well, slow], house, left, trouble: true }),
  });
  expect(ran.code).toBe(1);
  for (const line of [
    'well  ok      3 tools, 0.1 s',
    '              note: odd',
    'slow  failed  slow timed out.',
    '              hint: Wait longer.',
    '2 servers: 1 ok, 1 failed.',
    'daemon  ok       No daemon runs. The next command that asks a server starts one.',
    'home    trouble  /home cannot be written.',
    'old  left  node 9; 2 min old, started by process 7, which is gone',
    'End them: trestle doctor --leaks',
  ]) {
    expect(ran.stdout.split('\n')).toContain(line);
  }
  const fine = await run(['doctor', '--json'], {
    places: placesOf('/nowhere'),
    doctor: () => Promise.resolve({ servers: [well], house: [], left: [], trouble: false }),
  });
  expect(fine.code).toBe(0);
  expect(JSON.parse(fine.stdout)).toMatchObject({
    servers: [{ name: 'well' }],
    house: [{ subject: 'node' }, { subject: 'daemon' }],
    trouble: false,
  });
});

it('L8: the arguments of a prompt are text, each given once', async () => {
  const refused = async (...words: readonly string[]): Promise<string> =>
    (await run(['prompt', 'a', 'p', ...words])).stderr;
  expect(await refused('n:=1')).toContain('Try: trestle prompt a p n=1');
  expect(await refused('n=1', 'n=2')).toContain('Try: trestle prompt a p n=1\n');
  expect(await refused('n')).toContain('write key=value');
  expect((await run(['prompt', 'a'])).stderr).toContain('trestle prompts a');
});

it('L8: a prompt that lacks arguments gets the typed command, put right', async () => {
  const details = { missing: ['city'], misspelt: { nane: 'name' }, example: { name: 'A B', city: 'example_value' } };
  const failed = failedOutcome(new TrestleError({ code: 'invalid_arguments', message: 'No.', details }));
  const ran = await run(['prompt', 'a', 'p', 'nane=A B', '--timeout', '3'], {
    getPrompt: () => Promise.resolve(failed),
  });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("Try: trestle prompt a p 'name=A B' --timeout 3 city=example_value\n");
});
