import type { Mutant } from './mutant.ts';

export const secretsMutants: readonly Mutant[] = [
  {
    id: 'K4',
    breaks: 'base64 in lines hides a secret',
    file: 'src/policy/redact-wrapped.ts',
    find: 'if (finds.length === 0) continue;',
    replace: 'if (finds.length >= 0) continue;',
    tests: ['src/policy/redact.test.ts'],
    title: 'broken into lines',
  },
  {
    id: 'K4',
    breaks: 'a line of a private key is no secret',
    file: 'src/policy/redact.ts',
    find: 'for (const word of wordsOf(plain)) long.add(word);',
    replace: 'for (const word of wordsOf(plain)) long.delete(word);',
    tests: ['src/policy/redact.test.ts'],
    title: 'the lines of a private key',
  },
  {
    id: 'K4',
    breaks: 'a keychain that refuses is passed over for the file',
    file: 'src/secrets/store.ts',
    find: 'return (await keychain?.get(name)) ?? readSecretsFile(stateFolder).get(name);',
    replace: 'return (await keychain?.get(name).catch(() => undefined)) ?? readSecretsFile(stateFolder).get(name);',
    tests: ['src/secrets/store.test.ts'],
    title: 'nothing is put into a file instead',
  },
  {
    id: 'K4',
    breaks: 'a file of secrets that others can read is used',
    file: 'src/secrets/file-store.ts',
    find: "if (sight.kind === 'not-private') {",
    replace: "if (sight.kind === 'not-private' && sight.mend === undefined) {",
    tests: ['src/secrets/store.test.ts'],
    title: 'one that others can read',
  },
  {
    id: 'K4',
    breaks: 'a keychain that hangs is waited for',
    file: 'src/secrets/ask-keychain.ts',
    find: "child.kill('SIGKILL');",
    replace: 'return;',
    tests: ['src/secrets/store.test.ts'],
    title: 'one that hangs',
  },
];
