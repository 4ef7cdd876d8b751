import { expect, it } from 'vitest';
import { errorCodes, type ErrorCode } from '../../base/index.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { renderFailure } from './failure.ts';
import { createStyle } from './style.ts';

const plain = { errorStyle: createStyle(false, {}), pasteable: (text: string) => text };

it('L3: an error is one sentence with its code, a hint, and what the server may have done', () => {
  const text = renderFailure(
    { code: 'timed_out', message: 'everything: call echo timed out after 60 s.', hint: 'Raise the limit.' },
    plain,
    { execution: 'unknown' },
  );
  expect(text).toBe(
    'error[timed_out]: everything: call echo timed out after 60 s.\nhint: Raise the limit.\nnote: The server may have executed it; look before you repeat it.\n',
  );
});

it('C5: message, hint and standard error of a server are cleaned; the latter keeps its lines', () => {
  const text = renderFailure(
    { code: 'server_exited', message: 'x\u001B[2J\ny', details: { stderr: 'one\u001B]0;title\u0007\ntwo\u202E\n' } },
    plain,
  );
  expect(text).toBe('error[server_exited]: x y\nthe end of what the server wrote to standard error:\n  one\n  two\n');
});

it('S5: the data of a JSON-RPC error is shown, on one line, cleaned and cut', () => {
  const failure = {
    code: 'protocol_error',
    message: 'No.',
    details: { rpcCode: -32_050, rpcData: { retryAfter: 30 } },
  } as const;
  expect(renderFailure(failure, plain)).toBe('error[protocol_error]: No.\ndata: {"retryAfter":30}\n');
  const long = renderFailure({ ...failure, details: { rpcData: '\u202E'.repeat(3) + 'x'.repeat(1_000_000) } }, plain);
  expect(long.length).toBeLessThan(600);
  expect(long).not.toContain('\u202E');
  expect(renderFailure({ ...failure, details: { rpcData: null } }, plain)).toBe('error[protocol_error]: No.\n');
});

it('L3: every code has an exit code of the table', () => {
  const expected: Partial<Record<ErrorCode, number>> = {
    usage: 2,
    unknown_tool: 2,
    config_unreadable: 2,
    invalid_arguments: 2,
    server_exited: 3,
    auth_required: 3,
    denied: 4,
    forbidden: 4,
    timed_out: 5,
    cancelled: 130,
    protocol_error: 1,
    internal: 1,
  };
  for (const [code, exitCode] of Object.entries(expected)) expect(exitCodeOf(code as ErrorCode)).toBe(exitCode);
  for (const code of Object.keys(errorCodes)) expect([1, 2, 3, 4, 5, 130]).toContain(exitCodeOf(code as ErrorCode));
});
