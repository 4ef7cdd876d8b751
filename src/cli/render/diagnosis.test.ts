import { describe, expect, it } from 'vitest';
import type { ServerDiagnosis } from '../../runtime/index.ts';
import { renderDiagnoses } from './diagnosis.ts';
import { createStyle } from './style.ts';

const plain = createStyle(false, {});
const failed = (message: string, stderr: string): ServerDiagnosis => ({
  name: 'slow',
  verdict: 'failed',
  durationMs: 1,
  info: undefined,
  tools: undefined,
  problems: [],
  failure: { code: 'timed_out', message, hint: 'Wait longer.', details: { stderr } },
});

describe('what doctor says of a server that failed', () => {
  it('L6, T5: the last line of its stderr, unless the message says it', () => {
    expect(renderDiagnoses([failed('slow timed out.', 'starting\nwaiting for the database\n')], plain)).toEqual([
      'slow  failed  slow timed out.',
      '              hint: Wait longer.',
      '              stderr: waiting for the database',
      '1 server: 1 failed.',
    ]);
    expect(renderDiagnoses([failed('slow exited: no database.', 'no database')], plain)).toHaveLength(3);
    expect(renderDiagnoses([failed('slow timed out.', ' \n')], plain)).toHaveLength(3);
  });
});
