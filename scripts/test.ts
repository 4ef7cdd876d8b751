/**
 * `npm test`: types, lint, a build when dist is older than its sources, every test, the conformance suite. Ends with one line
 * `N passed, M failed`: tests and scenarios one by one, types and lint as one each.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScenarios, verdictOf } from '../test/conformance/run.ts';
import { scenarios } from '../test/conformance/scenarios.ts';
import { projectRoot } from '../test/support/project-files.ts';

interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const one = (ok: boolean): Totals => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/** Runs a program of the project with its output shown; true when it ended with 0. */
function run(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: projectRoot, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

/** A script of package.json; npm puts the project's own Node.js first in the path. */
const npmRun = (script: string): Promise<boolean> =>
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['run', '--silent', script]);

function title(text: string): void {
  console.log(`\n== ${text}`);
}

async function types(): Promise<Totals> {
  title('types');
  return one(await npmRun('types'));
}

async function lint(): Promise<Totals> {
  title('lint');
  return one(await npmRun('lint'));
}

/** Tests of the command run what is built, so it must not be older than its sources. */
async function build(): Promise<Totals> {
  title('build, where it is stale');
  return (await npmRun('prepare')) ? { passed: 0, failed: 0, skipped: 0 } : one(false);
}

async function tests(): Promise<Totals> {
  title('tests');
  const folder = mkdtempSync(join(tmpdir(), 'trestle-report-'));
  try {
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const ok = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters]);
    return existsSync(report) ? totalsOf(JSON.parse(readFileSync(report, 'utf8')) as VitestReport, ok) : one(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** A file that did not load is one failure; so is an error outside of every test. */
function totalsOf(report: VitestReport, ok: boolean): Totals {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + broken;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

async function conformance(): Promise<Totals> {
  title('conformance');
  const results = await runScenarios(scenarios, (result) => console.log(verdictOf(result).line));
  const count = (kind: string): number => results.filter((result) => verdictOf(result).kind === kind).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

const totals: Totals[] = [];
for (const step of [types, lint, build, tests, conformance]) totals.push(await step());
const sum = (of: (part: Totals) => number): number => totals.reduce((all, part) => all + of(part), 0);
const [passed, failed, skipped] = [sum((part) => part.passed), sum((part) => part.failed), sum((part) => part.skipped)];
console.log(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
process.exitCode = failed === 0 ? 0 : 1;
