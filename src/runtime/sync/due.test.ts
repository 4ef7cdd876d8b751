import { describe, expect, it } from 'vitest';
import { adHocDefinition } from '../../config/index.ts';
import type { ServerMeta } from '../../registry/index.ts';
import { dueReason } from './due.ts';
import { recordedDefinition } from './record.ts';

const stdio = (...args: readonly string[]) => adHocDefinition({ command: 'run', args });

/** The record of `definition`, written when `secrets` were known. */
function recorded(definition: ReturnType<typeof stdio>, ...secrets: readonly string[]): ServerMeta {
  const redact = (text: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  return { name: 'it', syncedFrom: 'live-server', ...recordedDefinition(definition, redact) } as ServerMeta;
}

describe('whether a record is in force', () => {
  it('K4, R6: a record in which a secret was replaced is in force, whoever knows that secret now', () => {
    const definition = stdio('--region=eu-central-1', 'eu-central-1/eu-central-1', 'end');
    expect(dueReason(definition, recorded(definition))).toBeUndefined();
    expect(dueReason(definition, recorded(definition, 'eu-central-1'))).toBeUndefined();
    expect(dueReason(definition, recorded(definition, 'eu-central', 'end'))).toBeUndefined();
  });

  it('R6: what was not replaced still has to be as it was', () => {
    const record = recorded(stdio('--region=eu-central-1', '--fast'), 'central');
    expect(record.transport).toMatchObject({ args: ['--region=eu-[redacted]-1', '--fast'] });
    for (const args of [
      ['--region=eu-central-1', '--slow'],
      ['--region=us-central-1', '--fast'],
      ['--region=eu-central-2', '--fast'],
      ['--region=eu-1', '--fast'],
      ['--region=eu-central-1'],
      ['--region=eu-central-1', '--fast', 'more'],
    ]) {
      expect(dueReason(stdio(...args), record), args.join(' ')).toMatchObject({
        why: 'changed',
        differs: ['transport'],
      });
    }
  });

  it('R6: several replaced parts come in their order', () => {
    const record = recorded(stdio('a-SECRET-b-SECRET-c'), 'SECRET');
    expect(dueReason(stdio('a-one-b-two-c'), record)).toBeUndefined();
    expect(dueReason(stdio('a-one-c'), record)).toMatchObject({ why: 'changed' });
    expect(dueReason(stdio('a-b-c'), record)).toMatchObject({ why: 'changed' });
  });
});
