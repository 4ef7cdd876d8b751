import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { outputClosed } from './stdio-reasons.ts';

const told = (stderr: string): string => outputClosed('it', stderr).message;

it('T5: the reason of a death is the last line of stderr', () => {
  expect(told('warning\nfatal: locked')).toBe(
    'Server "it" closed its output without exiting; its last line of stderr: fatal: locked.',
  );
  expect(told('')).toBe('Server "it" closed its output without exiting.');
});

it("T5: of Node.js's own report of a crash it is what stands above the stack, not the version at its end", () => {
  const crash = (code: string): string =>
    told(spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' }).stderr.trimEnd());
  expect(crash('const a = 1; a.b.c()')).toContain('; its stderr says: TypeError: Cannot read properties of undefined');
  expect(crash('no such code')).toContain('; its stderr says: SyntaxError: ');
  expect(crash('Promise.reject(Object.assign(new Error("no port"), { code: "E1" }))')).toContain(
    '; its stderr says: Error: no port.',
  );
  expect(told('Node.js v24.0.0')).toContain('; its last line of stderr: Node.js v24.0.0.');
});
