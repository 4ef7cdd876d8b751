/** The stage of one cell: the faulty server, the line to it, and a runtime that uses it. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallRequest, createRuntime, hasValue, type Outcome, placesOf } from '../../src/runtime/index.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/processes.ts';
import { openRelay, type Relay } from '../support/relay.ts';
import type { Fault, FaultLink } from './matrix.ts';

const serverFile = join(import.meta.dirname, '../servers/faulty.mjs');

/** Faults of the matrix, and those that concern one call alone. */
export type StageFault = Fault | 'dies reading' | 'dies answering' | 'hangs';
export type StageLink = FaultLink | 'stdio modern';

/** What the server itself does for a fault. */
const serverFaults: Readonly<Record<StageFault, string>> = {
  'dies reading': 'dies-reading',
  'dies answering': 'dies-answering',
  hangs: 'hangs',
  'dies before': 'dies-before',
  'dies during': 'dies-during',
  'dies after': 'dies-after',
  freezes: 'freezes',
  'closes stdout only': 'closes-stdout',
  'closes stdin only': 'closes-stdin',
  floods: 'floods',
  'restarts on the same port': 'dies-during',
  'refuses connections for 5 s': 'dies-during',
  'half-open TCP': 'goes-silent',
  '503, then well': 'is-unavailable',
  'session lost': 'forgets-sessions',
};

const awayMs = 5_000;

/** The idle limit of calls that end long before, on a busy machine too. */
export const callMs = 30_000;
/** That of calls whose server falls silent, where nothing else ends them: longer than the look for a sign of life. Floods take their time. */
const timeouts: { readonly [Of in StageFault]?: number } = { freezes: 4_000, 'half-open TCP': 4_000, floods: 90_000 };

interface Ballast {
  /** Something long to send. */
  readonly ballast?: string;
}

export interface Stage extends AsyncDisposable {
  /** The server commits its fault with the last of `calls` calls; with 0 at once: then it has when this resolves. */
  arm(calls: number): Promise<void>;
  call(id: string, request?: Partial<Pick<CallRequest, 'timeoutMs' | 'signal'>> & Ballast): Promise<Outcome<unknown>>;
  /** Waits until the fault has happened, and has been noticed where it can be. */
  settle(): Promise<void>;
  /** Waits until everything that stands against the server is over, as far as that is not Trestle's work. */
  recover(): Promise<void>;
  /** Ids of the calls the server executed, in order. */
  ran(): readonly string[];
  /** Processes of servers that Trestle has started and that live; none over HTTP. */
  processes(): readonly number[];
  /** Closes the runtime. */
  close(): Promise<void>;
}

/** Whether the end of the line is told by the system. A closed stdin shows at the next write, and a silent line never. */
function isNoticed(fault: StageFault, link: StageLink): boolean {
  const endsStream = serverFaults[fault].startsWith('dies') || fault === 'closes stdout only' || fault === 'floods';
  return endsStream && (isLocal(link) || link === 'sse' || link === 'events');
}

/** A stage on which one call went well. */
export async function setStage(fault: StageFault, link: StageLink): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trestle-fault-')));
  const lines = (name: string): readonly string[] =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1) : [];
  const local = (): readonly number[] => lines('pids').map(Number).filter(isAlive);
  const line = isLocal(link) ? localLine({ link, folder }, local) : await startRemote({ link, folder, fault });
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'home/servers.json'), JSON.stringify({ mcpServers: { faulty: line.entry } }));
  const runtime = createRuntime({
    places: placesOf(join(folder, 'home')),
    cwd: folder,
    userHome: folder,
    env: process.env,
    platform: process.platform,
  });
  const timeoutMs = timeouts[fault] ?? callMs;
  const call: Stage['call'] = (id, { ballast, ...request } = {}) => {
    const args = { id, ...(ballast === undefined ? {} : { ballast }) };
    return runtime.call({ server: 'faulty', tool: 'work', arguments: args, timeoutMs, present: false, ...request });
  };
  const end = async (): Promise<void> => {
    await runtime.close();
    await line.end();
    rmSync(folder, { recursive: true });
  };
  const warm = await call('warm', { timeoutMs: callMs });
  if (!hasValue(warm)) {
    await end();
    throw new Error(`the first call failed: ${JSON.stringify(warm)}`);
  }
  const isDisconnected = async (): Promise<boolean> => {
    const { servers } = await runtime.status();
    return servers.every(({ entries }) => entries.every(({ state }) => state !== 'ready'));
  };
  let settled = Promise.resolve();
  return {
    call,
    async arm(calls) {
      const file = join(folder, 'fault');
      // Renamed, so that the server never reads half of it.
      writeFileSync(`${file}.new`, `${serverFaults[fault]} ${calls}`);
      renameSync(`${file}.new`, file);
      settled = eventually(() => !existsSync(file), 'the fault').then(() => line.settle(fault));
      if (calls === 0) await settled;
    },
    async settle() {
      await settled;
      if (isNoticed(fault, link)) await eventually(isDisconnected, 'the notice of the fault');
    },
    recover: () => line.recover(),
    ran: () => lines('ran'),
    processes: () => (isLocal(link) ? local() : []),
    close: () => runtime.close(),
    [Symbol.asyncDispose]: end,
  };
}

/** The way to the server, and what the world does to it beside the server's own fault. */
interface Line {
  readonly entry: Readonly<Record<string, unknown>>;
  /** The server has committed its fault. */
  settle(fault: StageFault): Promise<void>;
  recover(): Promise<void>;
  end(): Promise<void>;
}

function isLocal(link: StageLink): link is 'stdio' | 'stdio modern' {
  return link.startsWith('stdio');
}

function localLine({ link, folder }: Place<'stdio' | 'stdio modern'>, alive: () => readonly number[]): Line {
  return {
    entry: { command: process.execPath, args: [serverFile, link.replace(' ', '-'), folder] },
    settle: async (fault) => {
      if (serverFaults[fault].startsWith('dies')) await eventually(() => alive().length === 0, 'the end of the server');
    },
    recover: async () => {},
    end: async () => {},
  };
}

type RemoteLink = Exclude<FaultLink, 'stdio'>;

interface Place<Link> {
  readonly link: Link;
  readonly folder: string;
}

const entries: Readonly<Record<RemoteLink, Readonly<Record<string, unknown>>>> = {
  'http legacy': { transport: 'streamable', protocol: 'legacy' },
  'http modern': { transport: 'streamable', protocol: 'modern' },
  sse: { transport: 'sse' },
  events: { transport: 'events' },
};

async function startRemote({ link, folder, fault }: Place<RemoteLink> & { readonly fault: StageFault }): Promise<Line> {
  let { child, url } = await startServer({ link, folder });
  const relay: Relay | undefined = fault === 'half-open TCP' ? await openRelay(Number(url.port)) : undefined;
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const gone = (): Promise<void> => eventually(isGone, 'the end of the server');
  const again = async (): Promise<void> => {
    if (isGone()) ({ child } = await startServer({ link, folder }, url.port));
  };
  return {
    entry: { url: relay === undefined ? url.href : relay.through(url), ...entries[link] },
    async settle() {
      relay?.fallSilent();
      if (serverFaults[fault].startsWith('dies')) await gone();
      if (fault === 'restarts on the same port') await again();
    },
    async recover() {
      if (fault === 'freezes') child.kill('SIGCONT');
      relay?.recover();
      if (fault === 'refuses connections for 5 s') await new Promise((resolve) => setTimeout(resolve, awayMs));
      await again();
    },
    async end() {
      child.kill('SIGKILL');
      await Promise.all([gone(), relay?.close()]);
    },
  };
}

interface Started {
  readonly child: ChildProcess;
  readonly url: URL;
}

async function startServer({ link, folder }: Place<RemoteLink>, port = '0'): Promise<Started> {
  const args = [serverFile, link.replace(' ', '-'), folder, port];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', () => reject(new Error('the faulty server left before it listened')));
  });
  return { child, url: new URL(url) };
}
