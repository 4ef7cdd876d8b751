/**
 * `npm run mutants [ID…]`: breaks one line of the source at a time, in a copy of the project, and runs the tests that must
 * notice. Ends with 1 when a mutant survives, cannot be applied, or an id that needs one has none.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idsWithoutMutant, loadMutants, problemOf } from '../test/mutants/all.ts';
import type { Mutant } from '../test/mutants/mutant.ts';
import { projectRoot } from '../test/support/project-files.ts';

/** Two at a time: tests start processes of their own, and deadlines in them assume a machine that is not overrun. */
const atOnce = 2;
/** One run of the named tests; a mutant that hangs longer shows nothing. */
const runMs = 300_000;
const copied = ['src', 'test', 'scripts', 'schemas', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'README.md'];

interface Run {
  readonly passed: number;
  readonly failed: number;
  /** Test files that did not load: a mutant that breaks the syntax proves nothing. */
  readonly broken: number;
}

type Verdict = 'killed' | 'survived' | 'did not load' | 'hung' | 'cannot be applied';

const copies: string[] = [];
const live = new Set<ChildProcess>();

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'trestle-mutants-'));
  copies.push(copy);
  for (const path of copied.filter((name) => existsSync(join(projectRoot, name)))) {
    cpSync(join(projectRoot, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

/** Runs test files in a copy; undefined when the run took too long. */
function runTests(copy: string, tests: readonly string[], title?: string): Promise<Run | undefined> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const narrowed = title === undefined ? [] : ['-t', title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)];
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', ...tests, ...narrowed, '--reporter=json', `--outputFile=${report}`, '--maxWorkers=1'];
  // A broken program may remove or overwrite what it should not: its temporary folder is inside the copy, too.
  const temporary = join(copy, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: copy, env, detached: true, stdio: 'ignore' });
    live.add(child);
    const timer = setTimeout(() => endGroup(child), runMs);
    child.on('close', () => {
      clearTimeout(timer);
      live.delete(child);
      resolve(existsSync(report) ? readReport(report) : undefined);
    });
  });
}

function readReport(path: string): Run {
  const report = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly numPassedTests: number;
    readonly numFailedTests: number;
    readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
  };
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests, broken: broken.length };
}

async function judge(copy: string, mutant: Mutant): Promise<Verdict> {
  const path = join(copy, mutant.file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (text === undefined || problemOf(mutant, text) !== undefined) return 'cannot be applied';
  writeFileSync(
    path,
    text.replace(mutant.find, () => mutant.replace),
  );
  try {
    const run = await runTests(copy, mutant.tests, mutant.title);
    if (run === undefined) return 'hung';
    if (run.failed > 0) return 'killed';
    return run.broken > 0 ? 'did not load' : 'survived';
  } finally {
    writeFileSync(path, text);
  }
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Unbroken, every named test must be green, or a red one afterwards would show nothing. */
async function requireGreen(copy: string, mutants: readonly Mutant[]): Promise<boolean> {
  const run = await runTests(copy, [...new Set(mutants.flatMap((mutant) => mutant.tests))]);
  const green = run !== undefined && run.failed === 0 && run.broken === 0 && run.passed > 0;
  if (!green)
    console.log(`The tests named by the mutants are not green by themselves: ${JSON.stringify(run ?? 'hung')}`);
  return green;
}

async function main(wanted: readonly string[]): Promise<number> {
  const all = await loadMutants();
  const chosen = all.filter((mutant) => wanted.length === 0 || wanted.includes(mutant.id));
  const [first = '', ...others] = Array.from({ length: atOnce }, copyProject);
  if (!(await requireGreen(first, chosen))) return 1;
  const waiting = chosen.values();
  let bad = 0;
  const work = async (copy: string): Promise<void> => {
    for (const mutant of waiting) {
      const verdict = await judge(copy, mutant);
      if (verdict !== 'killed') bad += 1;
      console.log(`${mutant.id.padEnd(4)} ${verdict.padEnd(17)} ${mutant.file}: ${mutant.breaks}`);
    }
  };
  await Promise.all([first, ...others].map(work));
  const without =
    wanted.length === 0 ? idsWithoutMutant(all) : wanted.filter((id) => !all.some((mutant) => mutant.id === id));
  console.log(
    `\n${chosen.length - bad} of ${chosen.length} mutants killed; ids without a mutant: ${without.join(' ') || 'none'}`,
  );
  return bad === 0 && without.length === 0 ? 0 : 1;
}

process.on('exit', () => {
  live.forEach(endGroup);
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
process.exitCode = await main(process.argv.slice(2));
