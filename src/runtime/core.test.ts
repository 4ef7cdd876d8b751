import { describe, expect, it } from 'vitest';
import { type ErrorCode, limits, TrestleError } from '../base/index.ts';
import { createRedactor } from '../policy/index.ts';
import { shownFailure } from './core.ts';
import { failedOutcome } from './outcome.ts';

describe('the outcome of an error', () => {
  it.each([
    ['unknown_server', 'not-found'],
    ['unknown_tool', 'not-found'],
    ['invalid_arguments', 'invalid-arguments'],
    ['exists', 'invalid-arguments'],
    ['config_unreadable', 'unavailable'],
    ['command_not_found', 'unavailable'],
    ['forbidden', 'denied'],
    ['timed_out', 'timed-out'],
    ['cancelled', 'cancelled'],
    ['protocol_error', 'protocol-error'],
    ['internal', 'unavailable'],
  ] as const satisfies readonly (readonly [ErrorCode, string])[])('S5: %s is %s', (code, kind) => {
    expect(failedOutcome(new TrestleError({ code, message: 'x' }))).toMatchObject({ kind, execution: 'not-sent' });
  });

  it('keeps what is known of the execution', () => {
    const error = new TrestleError({ code: 'protocol_error', message: 'x', execution: 'unknown' });
    expect(failedOutcome(error).execution).toBe('unknown');
  });
});

describe('a failure as it is shown', () => {
  const redactor = createRedactor();
  redactor.add('hunter2-hunter2');
  const shown = (facts: Partial<ConstructorParameters<typeof TrestleError>[0]>) =>
    shownFailure({ redactor }, new TrestleError({ code: 'protocol_error', message: 'x', ...facts })).failure;

  it('K4, S13: a secret of digits is no secret less where a server sends it as a number', () => {
    const digits = createRedactor();
    digits.add('9007199254740993');
    const details = { rpcData: { id: 9007199254740993n, other: 9007199254740995n, list: [1] } };
    const error = new TrestleError({ code: 'protocol_error', message: 'x', details });
    expect(shownFailure({ redactor: digits }, error).failure.details).toEqual({
      rpcData: { id: '[redacted]', other: 9007199254740995n, list: [1] },
    });
  });

  it('C5: what a server wrote into message, hint and details is cleaned', () => {
    const failure = shown({
      message: '\u001B[31mred\u200B',
      hint: 'see \u202Ethis',
      details: { stderr: '\u001B]0;title\u0007end', list: [{ deep: '\u0000' }] },
    });
    expect(failure).toMatchObject({
      message: 'red',
      hint: 'see this',
      details: { stderr: 'end', list: [{ deep: '' }] },
    });
  });

  it('K4: secrets in message, hint and details are replaced, also as names of members', () => {
    const secret = 'hunter2-hunter2';
    const failure = shown({ message: `a ${secret}`, hint: secret, details: { stderr: secret, [secret]: 1 } });
    expect(JSON.stringify(failure)).not.toContain(secret);
    expect(failure.message).toBe('a [redacted]');
  });

  it('a message of any length, and details of any depth, are bounded', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const failure = shown({ message: 'x'.repeat(1_000_000), details: { rpcData: deep } });
    expect(failure.message.length).toBeLessThanOrEqual(limits.descriptionCharacters);
    expect(JSON.stringify(failure.details).length).toBeLessThan(200);
  });
});
