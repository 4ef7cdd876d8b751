import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { adHocDefinition, type Definition } from '../../src/config/index.ts';
import {
  createRuntime,
  type Failed,
  type Outcome,
  placesOf,
  type Runtime,
  type RuntimeEvent,
  type RuntimeOptions,
} from '../../src/runtime/index.ts';
import { tempFolder } from './temp-folder.ts';

export interface TestHome {
  readonly folder: string;
  readonly runtime: Runtime;
  /** Everything the runtime told. */
  readonly events: readonly RuntimeEvent[];
  /** Writes servers.json. */
  configure(mcpServers: Readonly<Record<string, unknown>>): void;
  /** Writes settings.json. */
  settings(settings: unknown): void;
}

/** A new home with these servers, and a runtime over it that is closed when the test ends. */
export function trestleHome(
  mcpServers: Readonly<Record<string, unknown>> = {},
  options: Partial<RuntimeOptions> = {},
): TestHome {
  const folder = tempFolder();
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));
  write('servers.json', { mcpServers });
  const work = join(folder, 'work');
  mkdirSync(work);
  const runtime = createRuntime({
    places: placesOf(folder),
    cwd: work,
    userHome: folder,
    env: process.env,
    platform: process.platform,
    ...options,
  });
  const events: RuntimeEvent[] = [];
  runtime.subscribe((event) => events.push(event));
  onTestFinished(() => runtime.close());
  return {
    folder,
    runtime,
    events,
    configure: (servers) => write('servers.json', { mcpServers: servers }),
    settings: (settings) => write('settings.json', settings),
  };
}

const countingFile = join(import.meta.dirname, '../servers/counting.mjs');

export interface Counting {
  /** The entry for servers.json. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** What the server executed, one line each. */
  ran(): readonly string[];
}

/** The counting server over stdio. */
export function countingStdio(): Counting {
  const file = join(tempFolder(), 'ran');
  return { entry: { command: process.execPath, args: [countingFile, 'stdio', file] }, ran: () => linesOf(file) };
}

/** The counting server over HTTP, running until the test ends. */
export async function countingHttp(...loss: readonly string[]): Promise<Counting & { readonly child: ChildProcess }> {
  const file = join(tempFolder(), 'ran');
  const child = spawn(process.execPath, [countingFile, 'http', file, ...loss], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', () => reject(new Error('the counting server left')));
  });
  return { entry: { url }, ran: () => linesOf(file), child };
}

/** A definition that stands in no file. */
export function adHoc(entry: Readonly<Record<string, unknown>>): Definition {
  const { command, args } = entry as { readonly command: string; readonly args: readonly string[] };
  return { ...adHocDefinition({ command, args }), name: 'ad-hoc', registryName: 'ad-hoc' };
}

/** The failure of an outcome that must be one. */
export function failureOf(outcome: Outcome<unknown>): Failed {
  if ('failure' in outcome) return outcome;
  throw new Error(`expected a failure, got ${outcome.kind}`);
}

/** The value of an outcome that must have one. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if ('value' in outcome) return outcome.value;
  throw new Error(`expected a value, got ${outcome.kind}: ${JSON.stringify(outcome.failure)}`);
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
