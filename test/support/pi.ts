/** The real Pi over places of its own: print and JSON runs, and a session over RPC. No network, no model but a scripted one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cliPath } from './cli.ts';
import { eventually } from './eventually.ts';
import type { ScriptedModel } from './pi-model.ts';
import { processesWithEnvironment } from './processes.ts';
import { projectRoot } from './project-files.ts';
import { tempFolder } from './temp-folder.ts';

/** The releases that are tried: the newest, and the oldest that is promised to work. */
export const releases = {
  newest: join(projectRoot, 'node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js'),
  oldest: join(projectRoot, 'node_modules/pi-oldest/dist/cli.js'),
} as const;

/** The built extension. */
export const extensionPath = join(dirname(cliPath), 'pi.js');

/** Where a Pi keeps its things, and what its processes are known by. */
export interface PiPlace {
  readonly agentFolder: string;
  /** The working folder, empty. */
  readonly cwd: string;
  readonly userHome: string;
  readonly trestleHome: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file of the agent's folder. */
  write(name: string, value: unknown): void;
  /** Pids of everything that runs on behalf of this place. */
  processes(): readonly number[];
}

export interface PiPlaceOptions {
  /** Which format the model speaks. */
  readonly api?: 'openai-completions' | 'anthropic-messages';
  /** What mcp-servers.json has, in the `mcpServers` shape. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** What Pi's own settings.json has besides. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A place for one test. What still runs there when the test ends is killed. */
export function piPlace(model: ScriptedModel, options: PiPlaceOptions = {}): PiPlace {
  const { api = 'openai-completions', servers, settings } = options;
  const root = tempFolder();
  const [agentFolder = '', cwd = '', userHome = ''] = ['agent', 'project', 'home'].map((name) => join(root, name));
  for (const folder of [agentFolder, cwd, userHome]) mkdirSync(folder);
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(agentFolder, name), typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
  const baseUrl = api === 'openai-completions' ? `${model.url}/v1` : model.url;
  const one = { id: 'scripted', name: 'Scripted', input: ['text', 'image'], contextWindow: 200_000, maxTokens: 4096 };
  write('models.json', { providers: { scripted: { baseUrl, api, apiKey: 'none', models: [one] } } });
  write('settings.json', {
    defaultProvider: 'scripted',
    defaultModel: 'scripted',
    enableInstallTelemetry: false,
    quietStartup: true,
    retry: { enabled: false },
    ...settings,
  });
  if (servers !== undefined) write('mcp-servers.json', { mcpServers: servers });
  // Servers get few variables, and the user's home is one of them: it is the mark of everything that runs here.
  const processes = (): readonly number[] => processesWithEnvironment(`HOME=${userHome}`);
  onTestFinished(async () => {
    for (const pid of processes()) kill(pid);
    await eventually(() => processes().length === 0, 10_000, 'the end of every process');
  });
  return {
    agentFolder,
    cwd,
    userHome,
    trestleHome: join(root, 'trestle'),
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: userHome,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      NO_COLOR: '1',
      PI_CODING_AGENT_DIR: agentFolder,
      PI_OFFLINE: '1',
      PI_SKIP_VERSION_CHECK: '1',
      PI_TELEMETRY: '0',
      TRESTLE_HOME: join(root, 'trestle'),
    },
    write,
    processes,
  };
}

export interface PiRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** When the process had ended, by performance.now(). */
  readonly endedMs: number;
}

export interface PiRunOptions {
  readonly release?: keyof typeof releases;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What the process is given before Pi's own program. */
  readonly node?: readonly string[];
}

export function startPi(place: PiPlace, args: readonly string[], options: PiRunOptions = {}): ChildProcess {
  const { release = 'newest', env = {}, cwd = place.cwd, node = [] } = options;
  return spawn(process.execPath, [...node, releases[release], ...args], {
    cwd,
    env: { ...place.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs Pi with these arguments to its end. */
export function runPi(place: PiPlace, args: readonly string[], options: PiRunOptions = {}): Promise<PiRun> {
  const child = startPi(place, args, options);
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (piece: Buffer) => (said.stdout += piece.toString()));
  child.stderr?.on('data', (piece: Buffer) => (said.stderr += piece.toString()));
  child.stdin?.end();
  return new Promise((resolve, reject) => {
    let endedMs = NaN;
    child.on('error', reject);
    child.on('exit', () => (endedMs = performance.now()));
    child.on('close', (code) => resolve({ code, ...said, endedMs }));
  });
}

/** One prompt in print mode with the built extension. */
export function printPi(place: PiPlace, prompt: string, options: PiRunOptions = {}): Promise<PiRun> {
  return runPi(place, ['-p', '--no-session', '-e', extensionPath, prompt], options);
}

export type PiRecord = Readonly<Record<string, unknown>> & { readonly type: string };

/** The records of a JSON run. */
export function recordsOf(stdout: string): readonly PiRecord[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as PiRecord);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
