/** What is left of a server's processes when the command ends, whatever ends it: nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Cli, type CliRun, createCli, finished, testServer } from '../support/cli.ts';
import { configureServers } from '../support/home.ts';
import { isAlive, processesWithEnvironment } from '../support/processes.ts';
import { type AtEnd, tempFolder } from '../support/temp-folder.ts';

/** Families, with the number of processes each has while a tool runs. */
const families = [
  { mode: 'wrapper', members: 2, what: 'an npx-style wrapper' },
  { mode: 'stubborn', members: 1, what: 'a server that ignores end of input and SIGTERM' },
  { mode: 'orphan', members: 2, what: 'a grandchild that outlives its parent' },
  { mode: 'setsid', members: 2, what: 'a grandchild in a session of its own' },
  { mode: 'double-fork', members: 2, what: 'a double fork' },
] as const;

interface Family {
  readonly cli: Cli;
  /** Every process that ever belonged to it. */
  pids(): readonly number[];
  /** Its living members by the mark that their environments inherit, whoever their parent is. */
  marked(): readonly number[];
  /** Whether the tool that never answers was called. */
  isHanging(): boolean;
}

function configure(mode: string, atEnd: AtEnd): Family {
  const mark = `family-${mode}-${crypto.randomUUID()}`;
  const cli = createCli(atEnd);
  const pidsFile = join(tempFolder(atEnd), 'pids');
  const [command, ...args] = testServer('family.mjs', mode);
  configureServers(cli.home, { family: { command, args, env: { PIDS_FILE: pidsFile, FAMILY_MARK: mark } } });
  return {
    cli,
    pids: () => (existsSync(pidsFile) ? readFileSync(pidsFile, 'utf8').trim().split('\n').map(Number) : []),
    marked: () => processesWithEnvironment(`FAMILY_MARK=${mark}`),
    isHanging: () => existsSync(`${pidsFile}.hanging`),
  };
}

/** Runs the tool that never answers until the family stands, then `interrupt`s; resolves when the command is over. */
async function interrupted(family: Family, members: number, signal: NodeJS.Signals): Promise<CliRun> {
  const child = family.cli.start(['call', 'family', 'hang']);
  const end = finished(child);
  // The call must have arrived: an interruption while dialling is another case.
  await eventually(() => family.isHanging(), 'the call');
  expect(family.marked()).toHaveLength(members);
  child.kill(signal);
  return end;
}

const endings = [
  {
    ending: 'a normal end',
    run: ({ cli }: Family) => cli.run(['call', 'family', 'echo', 'message=hello']),
    expected: { code: 0, stdout: 'hello\n' },
  },
  {
    ending: 'Ctrl-C',
    run: (family: Family, members: number) => interrupted(family, members, 'SIGINT'),
    expected: { code: 130 },
  },
  {
    ending: 'a timeout',
    run: ({ cli }: Family) => cli.run(['call', 'family', 'hang', '--timeout', '5']),
    expected: { code: 5 },
  },
  {
    ending: 'SIGKILL of trestle',
    run: (family: Family, members: number) => interrupted(family, members, 'SIGKILL'),
    expected: { signal: 'SIGKILL' },
  },
] as const;

// The mark is looked for in /proc, so that also processes are counted whose pid nobody wrote down.
describe.skipIf(process.platform !== 'linux')('process trees', { concurrent: true, timeout: 60_000 }, () => {
  for (const { mode, members, what } of families) {
    for (const { ending, run, expected } of endings) {
      it(`T7, P9: nothing is left of ${what} after ${ending}`, async ({ onTestFinished }) => {
        const family = configure(mode, onTestFinished);
        const end = await run(family, members);
        expect(end, end.stderr).toMatchObject(expected);
        const bySignal = end.signal === 'SIGKILL';
        // The command waits for the end of the tree; after SIGKILL the watcher needs its grace.
        const isOver = (): boolean => family.marked().length === 0 && !family.pids().some(isAlive);
        if (bySignal) await eventually(isOver, 'the end of the family');
        expect(family.marked()).toEqual([]);
        expect(family.pids().length).toBeGreaterThanOrEqual(members);
        expect(family.pids().filter(isAlive)).toEqual([]);
      });
    }
  }
});
