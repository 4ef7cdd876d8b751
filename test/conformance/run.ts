/**
 * Runs the official conformance suite against `client.ts`, and its sign-ins against `command.ts`, a scenario a process, two at a time.
 *
 * The suite's own verdict is too kind: a client that does nothing passes several scenarios. Here a pass needs at least one
 * successful check other than the wire schema's, and no failure or warning.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Scenario, scenarioId, scenarios } from './scenarios.ts';

export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly passed: boolean;
  /** What failed, one line each; empty for a pass. */
  readonly reasons: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly description?: string;
  readonly errorMessage?: string;
}

const root = join(import.meta.dirname, '../..');
const runner = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Drivers as the suite starts them, through a shell, in the project's folder. Without absolute paths: the suite splits at spaces. */
const drivers = { library: 'node test/conformance/client.ts', command: 'node test/conformance/command.ts' } as const;

const scenarioMs = 30_000;
/** The runner itself needs time to start and to write its verdict. */
const runnerMs = scenarioMs + 30_000;

/** Runs one scenario; never rejects. */
export async function runScenario(
  scenario: Scenario,
  command: string = drivers[scenario.by ?? 'library'],
): Promise<ScenarioResult> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-conformance-results-'));
  try {
    const which = ['--scenario', scenario.name, '--spec-version', scenario.revision, '--force'];
    const how = ['--command', command, '--timeout', String(scenarioMs), '-o', folder];
    const code = await runNode([runner, 'client', ...which, ...how]);
    const [checks, said] = [readResult(folder, 'checks.json'), readResult(folder, 'stderr.txt')];
    const reasons = judge(checks === undefined ? [] : (JSON.parse(checks) as Check[]), code);
    const last = said?.trim().split('\n').at(-1);
    return {
      scenario,
      passed: reasons.length === 0,
      reasons:
        reasons.length > 0 && last !== undefined && last !== '' ? [...reasons, `the driver said: ${last}`] : reasons,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why a run is no pass, one line each. Pure. */
export function judge(checks: readonly Check[], exitCode: number): readonly string[] {
  const bad = checks.filter((check) => check.status === 'FAILURE' || check.status === 'WARNING');
  const evidence = checks.some((check) => check.status === 'SUCCESS' && !check.id.startsWith('wire-schema'));
  return [
    ...bad.map((check) => `${check.id}: ${(check.errorMessage ?? check.description ?? '').split('\n')[0]}`),
    ...(bad.length === 0 && exitCode !== 0 ? [`the runner ended with code ${exitCode}`] : []),
    ...(evidence ? [] : ['nothing was shown: no check of the scenario succeeded']),
  ];
}

/** Runs scenarios two at a time, telling each result as it comes; results in the order given. */
export async function runScenarios(
  list: readonly Scenario[],
  tell: (result: ScenarioResult) => void,
): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const waiting = list.entries();
  const work = async (): Promise<void> => {
    for (const [at, scenario] of waiting) {
      const result = await runScenario(scenario);
      results[at] = result;
      tell(result);
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

/** How a result counts, and the line about it. */
export function verdictOf(result: ScenarioResult): {
  readonly kind: 'passed' | 'failed' | 'skipped';
  readonly line: string;
} {
  const id = scenarioId(result.scenario);
  const { expectedFailure, testsDriverOnly = false } = result.scenario;
  if (expectedFailure === undefined) {
    return result.passed
      ? { kind: 'passed', line: `  ok      ${id}${testsDriverOnly ? ' (the driver alone)' : ''}` }
      : { kind: 'failed', line: [`  FAILED  ${id}`, ...result.reasons].join('\n          ') };
  }
  return result.passed
    ? { kind: 'failed', line: `  FAILED  ${id}\n          passes now: take its expected failure out of scenarios.ts` }
    : { kind: 'skipped', line: `  not yet ${id} (${expectedFailure})` };
}

const live = new Set<ChildProcess>();

/** Exit code of a Node.js process in a group of its own, which is ended with all it started when it takes too long. */
function runNode(args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      detached: true,
      stdio: 'ignore',
      // The suite starts the driver by the name `node`: the project's own, whatever the machine has.
      env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}` },
    });
    live.add(child);
    const timer = setTimeout(() => endGroup(child), runnerMs);
    child.on('error', () => resolve(1));
    child.on('close', (code) => {
      clearTimeout(timer);
      live.delete(child);
      resolve(code ?? 1);
    });
  });
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function readResult(folder: string, name: string): string | undefined {
  const [path] = globSync(`**/${name}`, { cwd: folder });
  return path === undefined ? undefined : readFileSync(join(folder, path), 'utf8');
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { required: { type: 'boolean', default: false } },
  });
  const chosen = scenarios
    .filter((scenario) => !values.required || scenario.expectedFailure === undefined)
    .filter(
      (scenario) => positionals.length === 0 || positionals.some((name) => scenarioId(scenario).startsWith(name)),
    );
  const results = await runScenarios(chosen, (result) => console.log(verdictOf(result).line));
  const failed = results.filter((result) => verdictOf(result).kind === 'failed').length;
  console.log(`conformance: ${failed} of ${results.length} scenarios failed`);
  process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
}

if (import.meta.main) {
  process.on('exit', () => live.forEach(endGroup));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  await main();
}
