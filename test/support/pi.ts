/** The real Pi for one test: a scripted model, places of its own, and what is left of it when the test ends. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { onTestFinished, vi } from 'vitest';
import { cliPath } from './cli.ts';
import { eventually } from './eventually.ts';
import {
  extensionPath,
  makePiPlace,
  type PiPlace,
  type PiPlaceOptions,
  type PiRun,
  type PiRunOptions,
  runPi,
} from './pi-place.ts';
import { processesWithEnvironment } from './processes.ts';
import { type ModelRequest, openModel, type Scripted, type ScriptedModel } from './scripted-model.ts';
import { tempFolder } from './temp-folder.ts';

// On a busy machine Pi takes seconds to start, and some tests start it five times.
vi.setConfig({ testTimeout: 120_000 });

/** A model that says these, one after another. */
export async function scriptedModel(...script: readonly Scripted[]): Promise<ScriptedModel> {
  const model = await openModel(...script);
  onTestFinished(() => model.close());
  return model;
}

/** Places over that model. What still runs there when the test ends is killed. */
export function piPlace(model: ScriptedModel, options: PiPlaceOptions = {}): PiPlace {
  const place = makePiPlace(tempFolder(), model.url, options);
  onTestFinished(async () => {
    for (const pid of processesOf(place)) kill(pid);
    await eventually(() => processesOf(place).length === 0, 'the end of every process');
  });
  return place;
}

/**
 * Pids of everything that runs on behalf of a place. Servers get few variables of the environment, and the user's home is one of
 * them: it is the mark of all of them.
 */
export function processesOf({ userHome }: PiPlace): readonly number[] {
  return processesWithEnvironment(`HOME=${userHome}`);
}

/** Those of them whose command line has `word`. */
export function serversOf(place: PiPlace, word: string): readonly number[] {
  return processesOf(place).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** One prompt in print mode with the built extension. */
export function printPi(place: PiPlace, prompt: string, options: PiRunOptions = {}): Promise<PiRun> {
  return runPi(place, ['-p', '--no-session', '-e', extensionPath, prompt], options);
}

/** The entry of a server that is started by these words. */
export function entryOf([command, ...args]: readonly string[]): {
  readonly command: string | undefined;
  readonly args: readonly string[];
} {
  return { command, args };
}

/** Makes these the servers of a place and reads their tools into its registry, as people have it from their second session on. */
export function syncServers(place: PiPlace, servers: Readonly<Record<string, unknown>>): void {
  place.write('mcp-servers.json', { mcpServers: servers });
  trestle(place, 'sync');
}

/** The command over a place, without a daemon; what it printed. */
export function trestle(place: PiPlace, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, ...words, '--home', 'pi'], {
    cwd: place.cwd,
    env: { ...place.env, TRESTLE_NO_DAEMON: '1' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`trestle ${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** What a request's system prompt has between the tags of our section; undefined without it. */
export function sectionOf(request: ModelRequest | undefined): string | undefined {
  return /<mcp_bridge>\n(.*?)\n<\/mcp_bridge>/s.exec(request?.system ?? '')?.[1];
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
