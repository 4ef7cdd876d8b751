/** A process that is killed while it renews a sign-in, at every point on the way: the next one goes on, or asks for a sign-in. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withLock } from '../../src/base/index.ts';
import { type SignInServer, type SignInVices, startSignInServer } from '../servers/sign-in.ts';
import { type Cli, type CliRun, createCli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { projectRoot } from '../support/project-files.ts';

const browser = { BROWSER: `"${process.execPath}" "${join(projectRoot, 'test/support/headless-browser.mjs')}"` };
const killer = join(projectRoot, 'test/support/kill-when.mjs');

interface Stage {
  readonly cli: Cli;
  readonly server: SignInServer;
  /** Absolute, in the home. */
  readonly state: (...names: readonly string[]) => string;
  readonly renewals: () => number;
}

interface Point {
  /** Where the process is when it is killed. */
  readonly at: string;
  /** What the server does, so that it comes no further. */
  readonly vices?: SignInVices;
  /** A lock that somebody else holds meanwhile, so that it comes no further. */
  readonly held?: string;
  /** What the file of secrets is filled up with, so that writing it takes a while. */
  readonly isLarge?: true;
  /** Starts a call and kills its process there. */
  readonly kill: (stage: Stage) => Promise<unknown>;
  /** Whether it was there: what cannot be held there is tried again. */
  readonly wasThere: (stage: Stage) => boolean;
  /** Renewals that the killed process has asked for. */
  readonly asked: 0 | 1;
  /** What comes of the next call, and how many renewals were asked for by then. */
  readonly next: { readonly ends: 'ok' | 'asks for a sign-in'; readonly asked: 1 | 2 };
}

/** What was given is used up, and nobody has what came of it: the server takes its use once more for a theft. */
const lost = { asked: 1, next: { ends: 'asks for a sign-in', asked: 2 } } as const;

const points: readonly Point[] = [
  {
    at: 'it has the lock, and has asked nobody',
    vices: { renewal: 'undone' },
    kill: (stage) => killWhen(stage, 'lock', join('sign-in-locks', keyOf(stage))),
    wasThere: ({ renewals }) => renewals() === 0,
    asked: 0,
    next: { ends: 'ok', asked: 1 },
  },
  {
    at: 'it has asked, and nothing was done',
    vices: { renewal: 'undone' },
    kill: (stage) => killOnce(stage, () => stage.renewals() === 1),
    wasThere: () => true,
    asked: 1,
    next: { ends: 'ok', asked: 2 },
  },
  {
    at: 'it was done, and not answered',
    vices: { renewal: 'unanswered' },
    kill: (stage) => killOnce(stage, () => stage.renewals() === 1),
    wasThere: () => true,
    ...lost,
  },
  {
    at: 'the answer has come by half',
    vices: { renewal: 'half-answered' },
    kill: (stage) => killOnce(stage, () => stage.server.answeredRenewals() === 1),
    wasThere: () => true,
    ...lost,
  },
  {
    at: 'the answer has come, and nothing of it is written',
    held: 'secrets.lock',
    kill: (stage) => killOnce(stage, () => stage.server.answeredRenewals() === 1),
    wasThere: (stage) => !hasNewToken(stage),
    ...lost,
  },
  {
    at: 'it is written by half',
    isLarge: true,
    kill: (stage) => killWhen(stage, 'begun', '.trestle-tmp-secrets-'),
    wasThere: (stage) => temporaries(stage).length === 1 && !hasNewToken(stage),
    ...lost,
  },
  {
    at: 'it is written, and nobody was told',
    held: 'sign-ins.lock',
    kill: (stage) => killOnce(stage, () => hasNewToken(stage)),
    wasThere: () => true,
    asked: 1,
    next: { ends: 'ok', asked: 1 },
  },
  {
    at: 'all is written, and it still has the lock',
    kill: (stage) => killWhen(stage, 'replaced', 'sign-ins.json'),
    wasThere: (stage) => isLocked(stage),
    asked: 1,
    next: { ends: 'ok', asked: 1 },
  },
];

/** Somebody is signed in, and their token has just ended. */
async function signedIn({ vices, isLarge }: Point): Promise<Stage> {
  const server = await startSignInServer({ rotating: true });
  onTestFinished(() => server.close());
  const cli = createCli();
  const state = (...names: readonly string[]): string => join(cli.home, 'state', ...names);
  writeFileSync(join(cli.home, 'servers.json'), JSON.stringify({ mcpServers: { docs: { url: server.url } } }));
  writeFileSync(join(cli.home, 'settings.json'), JSON.stringify({ secretStore: 'file' }));
  expect((await cli.run(['login', 'docs'], { env: browser })).code).toBe(0);
  if (isLarge === true) {
    const secrets = JSON.parse(readFileSync(state('secrets.json'), 'utf8')) as object;
    writeFileSync(state('secrets.json'), JSON.stringify({ ...secrets, large: 'x'.repeat(32 * 1024 * 1024) }));
  }
  server.expireAll();
  server.vices = { rotating: true, ...vices };
  return { cli, server, state, renewals: () => server.grants('refresh_token').length };
}

const call = ({ cli }: Stage): ChildProcess => cli.start(['call', 'docs', 'whoami']);

const gone = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('close', resolve));

async function killOnce(stage: Stage, isThere: () => boolean): Promise<unknown> {
  const child = call(stage);
  const end = gone(child);
  await eventually(isThere, 'the moment to kill it');
  child.kill('SIGKILL');
  return await end;
}

async function killWhen(stage: Stage, kind: string, path: string): Promise<unknown> {
  const watching = spawn(process.execPath, [killer, kind, stage.state(path)], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void watching.kill('SIGKILL'));
  await new Promise((resolve) => watching.stdout.once('data', resolve));
  const child = call(stage);
  const end = gone(child);
  watching.stdin.end(`${child.pid}\n`);
  return await end;
}

/** The name of the one sign-in there is. */
function keyOf({ state }: Stage): string {
  return Object.keys(JSON.parse(readFileSync(state('sign-ins.json'), 'utf8')) as object)[0] ?? '';
}

function temporaries({ state }: Stage): readonly string[] {
  return readdirSync(state()).filter((name) => name.startsWith('.trestle-tmp-secrets-'));
}

/** Whether another token is kept than the one of the login. */
function hasNewToken({ state, server }: Stage): boolean {
  const used = server.grants('refresh_token')[0]?.body.get('refresh_token');
  return used !== undefined && used !== null && !readFileSync(state('secrets.json'), 'utf8').includes(used);
}

function isLocked(stage: Stage): boolean {
  const folder = stage.state('sign-in-locks', keyOf(stage));
  const highest = Math.max(...readdirSync(folder).map(Number));
  return readFileSync(join(folder, String(highest)), 'utf8') !== 'free\n';
}

/** Kills a process at the point; once more from the beginning where it was further than that. */
async function killedAt(point: Point): Promise<Stage> {
  for (let tries = 0; tries < 10; tries += 1) {
    const stage = await signedIn(point);
    const { held } = point;
    if (held === undefined) await point.kill(stage);
    else await withLock(stage.state(held), () => point.kill(stage));
    if (point.wasThere(stage)) return stage;
  }
  throw new Error(`no process was killed where ${point.at}`);
}

function endOf({ code, stdout, stderr }: CliRun): string {
  if (code === 0 && stdout === 'allowed: read\n') return 'ok';
  const isAsking = code === 3 && stdout === '' && stderr.includes('Sign in: trestle login docs');
  return isAsking ? 'asks for a sign-in' : `${code}: ${stdout}${stderr}`;
}

describe('a process that is killed while it renews a sign-in', () => {
  it.each(points)('K6: $at', { timeout: 180_000 }, async (point) => {
    const stage = await killedAt(point);
    const { cli, server, renewals } = stage;
    expect(renewals()).toBe(point.asked);
    server.vices = { rotating: true };
    const first = await cli.run(['call', 'docs', 'whoami']);
    expect([endOf(first), renewals()]).toEqual([point.next.ends, point.next.asked]);
    // No loop: whoever comes then asks nobody again.
    const second = await cli.run(['call', 'docs', 'whoami']);
    expect([endOf(second), renewals()]).toEqual([point.next.ends, point.next.asked]);
    expect(temporaries(stage)).toEqual([]);
    expect((await cli.run(['login', 'docs'], { env: browser })).code).toBe(0);
    expect(endOf(await cli.run(['call', 'docs', 'whoami']))).toBe('ok');
  });
});
