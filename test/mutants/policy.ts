import type { Mutant } from './mutant.ts';

export const policyMutants: readonly Mutant[] = [
  {
    id: 'K4',
    breaks: 'secrets encoded in base64 come through',
    file: 'src/policy/secret-forms.ts',
    find: '...[0, 1, 2].flatMap(',
    replace: '...[].flatMap(',
    tests: ['src/policy/redact.test.ts'],
    title: 'base64',
  },
  {
    id: 'K4',
    breaks: 'a secret broken up by invisible characters is shown',
    file: 'src/policy/guard.ts',
    find: 'return clean === text ? text : redactor.redact(clean);',
    replace: 'return clean;',
    tests: ['src/policy/guard.test.ts'],
    title: 'broken up by invisible characters',
  },
  {
    id: 'K4',
    breaks: 'overlapping secrets leave their ends',
    file: 'src/policy/redact.ts',
    find: 'foundTo = Math.max(foundTo, end);',
    replace: 'at = end; foundTo = end;',
    tests: ['src/policy/redact.test.ts'],
    title: 'overlapping',
  },
];
