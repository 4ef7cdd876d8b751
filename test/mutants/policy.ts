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
  {
    id: 'S13',
    breaks: 'integers that a double rounds to the same value are equal',
    file: 'src/policy/schema/values.ts',
    find: 'return isNumber(a) && isNumber(b) && a <= b && a >= b;',
    replace: 'return isNumber(a) && isNumber(b) && Number(a) === Number(b);',
    tests: ['src/policy/arguments.test.ts'],
    title: 'decides about them exactly',
  },
  {
    id: 'S13',
    breaks: 'rounding decides whether structured content fits',
    file: 'src/policy/output.ts',
    find: 'if (comparesNumbers.test(key)) throw',
    replace: 'if (key === null) throw',
    tests: ['src/policy/output.test.ts'],
    title: 'what only a validator of doubles could decide',
  },
];
