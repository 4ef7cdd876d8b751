import { expect, it } from 'vitest';
import { TrestleError } from '../base/index.ts';
import { type CallRequest, failedOutcome, type Runtime } from '../runtime/index.ts';
import { calledWith, createFakeRuntime } from '../../test/support/fake-runtime.ts';
import type { TextStream } from './output.ts';
import { type ProcessParts, runCommandLine } from './run.ts';
import type { Interruption } from './signals.ts';

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
      cwd: '/work',
      userHome: '/home/user',
      platform: 'linux',
      command: ['node', 'trestle'],
      temporaryFolder: '/tmp',
      readInput: () => Promise.resolve(new Uint8Array()),
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

it('L1: every command documents its --json, its flags and an example', async () => {
  for (const name of [
    'add',
    'sync',
    'remove',
    'list',
    'show',
    'call',
    'resources',
    'read',
    'status',
    'validate',
    'probe',
  ]) {
    const { code, stdout } = await run([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +--json {2,}Print .*$/m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(stdout).toMatch(/^Examples:\n {2}trestle /m);
    for (const line of stdout.split('\n')) expect(line).not.toMatch(/\bundefined\b/);
  }
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
    config: () => ({ servers: new Map(), broken: new Map(), notices: [] }),
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
