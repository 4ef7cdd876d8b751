/** Places for the real Pi that are nobody's: no network, no model but a scripted one, nothing of the user's. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { projectRoot } from './project-files.ts';

/** The releases that are tried: the newest, and the oldest that is promised to work. */
export const releases = {
  newest: join(projectRoot, 'node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js'),
  oldest: join(projectRoot, 'node_modules/pi-oldest/dist/cli.js'),
} as const;

/** The built extension. */
export const extensionPath = join(projectRoot, 'dist', 'pi.js');

/** Where a Pi keeps its things. */
export interface PiPlace {
  readonly agentFolder: string;
  /** The working folder, empty. */
  readonly cwd: string;
  readonly userHome: string;
  readonly trestleHome: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file of the agent's folder. */
  write(name: string, value: unknown): void;
}

export interface PiPlaceOptions {
  /** Which format the model speaks. */
  readonly api?: 'openai-completions' | 'anthropic-messages';
  /** What mcp-servers.json has, in the `mcpServers` shape. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** What Pi's own settings.json has besides. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Makes the folders and files of a place under `root`, whose only model is at `modelUrl`. */
export function makePiPlace(root: string, modelUrl: string, options: PiPlaceOptions = {}): PiPlace {
  const { api = 'openai-completions', servers, settings } = options;
  const [agentFolder = '', cwd = '', userHome = ''] = ['agent', 'project', 'home'].map((name) => join(root, name));
  for (const folder of [agentFolder, cwd, userHome]) mkdirSync(folder);
  const trestleHome = join(root, 'trestle');
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(agentFolder, name), typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
  const baseUrl = api === 'openai-completions' ? `${modelUrl}/v1` : modelUrl;
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
  const env = {
    PATH: [dirname(process.execPath), ...usersPath()].join(delimiter),
    HOME: userHome,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PI_CODING_AGENT_DIR: agentFolder,
    PI_OFFLINE: '1',
    PI_SKIP_VERSION_CHECK: '1',
    PI_TELEMETRY: '0',
    TRESTLE_HOME: trestleHome,
  };
  return { agentFolder, cwd, userHome, trestleHome, env, write };
}

/** Without the programs of this project, which no user has. */
function usersPath(): readonly string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
}

export interface PiRunOptions {
  readonly release?: keyof typeof releases;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What Node.js is given before Pi's own program. */
  readonly node?: readonly string[];
  /** The command that the process runs under, such as a tracer. */
  readonly under?: readonly string[];
}

export function startPi(place: PiPlace, args: readonly string[], options: PiRunOptions = {}): ChildProcess {
  const { release = 'newest', env = {}, cwd = place.cwd, node = [], under = [] } = options;
  const [program = '', ...words] = [...under, process.execPath, ...node, releases[release], ...args];
  return spawn(program, words, {
    cwd,
    env: { ...place.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export interface PiRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** When the process had ended, by performance.now(). */
  readonly endedMs: number;
}

/** Runs Pi with these arguments and no input to its end. */
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
