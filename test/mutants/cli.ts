import type { Mutant } from './mutant.ts';

const tests = ['src/cli/run.test.ts'];

export const cliMutants: readonly Mutant[] = [
  {
    id: 'T7',
    breaks: 'the command ends without closing what it opened',
    file: 'src/cli/run.ts',
    find: 'await opened?.close();',
    replace: 'void opened;',
    tests,
    title: 'T7: the runtime is closed before the exit code is given',
  },
  {
    id: 'R6',
    breaks: 'remove leaves the registry folder',
    file: 'src/cli/commands/remove.ts',
    find: 'const { registry } = await runtime.forget(folder);',
    replace: 'const registry = true;',
    tests,
    title: 'R6: remove takes the registry folder',
  },
];
