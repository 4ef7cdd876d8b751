/** The scripts of `completion` in the shells they are for. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliPath, createCli, testServer } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface ShellHome {
  /** What a script prints, line by line, in a shell that knows `trestle`. */
  readonly run: (shell: string, args: readonly string[], script: string) => readonly string[];
  readonly started: () => boolean;
}

/** A home with one synced server, `counting`; its log is emptied, so that whatever stands there later tells of a start. */
async function withCounting(): Promise<ShellHome> {
  const cli = createCli();
  const log = join(cli.home, 'started.log');
  await cli.run(['add', 'counting', '--', ...testServer('counting.mjs', 'stdio', log)]);
  writeFileSync(log, '');
  const programs = tempFolder();
  const program = join(programs, 'trestle');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${cliPath}" "$@"\n`);
  chmodSync(program, 0o755);
  const path = [programs, process.env['PATH'] ?? ''].join(delimiter);
  return {
    run(shell, args, script) {
      const file = join(programs, `script.${shell}`);
      writeFileSync(file, script);
      const env = { PATH: path, HOME: cli.home, TRESTLE_HOME: cli.home };
      const { stdout, stderr } = spawnSync(shell, [...args, file], { cwd: cli.cwd, env, encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.split('\n').filter((line) => line !== '');
    },
    started: () => readFileSync(log, 'utf8') !== '',
  };
}

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** Lines, and what is offered at their ends. */
const cases: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['trestle cal', ['call']],
  ['trestle call ', ['counting']],
  ['trestle call counting e', ['echo', 'environment']],
  ['trestle call counting echo ', ['message=', 'bytes=', 'name=']],
  ['trestle add x --transport s', ['streamable', 'sse']],
  ['trestle completion f', ['fish']],
];

describe('completion', () => {
  it.runIf(isThere('bash'))('L1: bash asks for what can follow, and no server is started', async () => {
    const { run, started } = await withCounting();
    const ask = (line: string): string => `ask ${JSON.stringify(line)}`;
    const script = [
      'eval "$(trestle completion bash)"',
      'ask() { COMP_LINE=$1; COMP_POINT=${#1}; _trestle trestle "" ""; echo "${COMPREPLY[*]}"; }',
      ...cases.map(([line]) => ask(line)),
      // The shell takes what follows the sign for a word of its own.
      ask('trestle add x --transport=st'),
      'complete -p trestle',
    ].join('\n');
    expect(run('bash', ['--norc'], script)).toEqual([
      ...cases.map(([, offered]) => offered.join(' ')),
      'streamable',
      'complete -F _trestle trestle',
    ]);
    expect(started()).toBe(false);
  });

  // These two are seldom installed; what they ask is what the other tests ask too.
  it.runIf(isThere('zsh'))('L1: zsh asks for what can follow', async () => {
    const { run } = await withCounting();
    const script = [
      'compdef() { : }',
      '_describe() { print -rl -- "${(@P)3}"; }',
      'eval "$(trestle completion zsh)"',
      ...cases.map(([line]) => `words=("\${(@s: :):-${line}}"); CURRENT=\${#words}; _trestle; print ${mark}`),
    ];
    expect(offersOf(run('zsh', ['-f'], script.join('\n')), ':')).toEqual(cases.map(([, offered]) => offered));
  });

  it.runIf(isThere('fish'))('L1: fish asks for what can follow', async () => {
    const { run } = await withCounting();
    const script = [
      'trestle completion fish | source',
      ...cases.map(([line]) => `complete -C '${line}'; echo ${mark}`),
    ];
    expect(offersOf(run('fish', ['--no-config'], script.join('\n')), '\t')).toEqual(
      cases.map(([, offered]) => offered),
    );
  });
});

/** Stands after what is offered for one line. */
const mark = 'end-of-offers';

/** What was offered for each line, without descriptions. */
function offersOf(printed: readonly string[], separator: string): readonly (readonly string[])[] {
  const offers: string[][] = [[]];
  for (const line of printed) {
    if (line === mark) offers.push([]);
    else offers.at(-1)?.push(line.split(separator, 1)[0] ?? '');
  }
  return offers.slice(0, -1);
}
