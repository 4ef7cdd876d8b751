import { describe, expect, it } from 'vitest';
import { TrestleError } from '../base/index.ts';
import { lostSession } from './session-loss.ts';

const rpc = (rpcCode: number, rpcMessage: string): TrestleError =>
  new TrestleError({ code: 'protocol_error', message: 'x', details: { rpcCode, rpcMessage } });
const http = (status: number, body: string): TrestleError =>
  new TrestleError({ code: status === 401 ? 'auth_required' : 'http_error', message: 'x', details: { status, body } });

describe('lostSession', () => {
  it.each([
    rpc(-32_600, 'Session not found'),
    rpc(-32_001, 'Session not found'),
    rpc(-32_000, 'Bad Request: No valid session ID provided'),
    http(400, '{"error":"Invalid or expired session id"}'),
    http(401, 'Unauthorized: Session not found'),
    http(404, 'Could not find session'),
  ])('H5: %o is the loss of the session, and the call may have run', (error) => {
    expect(lostSession('x', error)).toMatchObject({ code: 'session_lost', execution: 'unknown' });
  });

  it.each([
    rpc(-32_602, 'Browser session not found'),
    rpc(-32_603, 'Session not found'),
    rpc(-32_600, 'Invalid request'),
    http(401, 'Unauthorized: token expired'),
    http(500, 'Session not found'),
    new TrestleError({
      code: 'auth_required',
      message: 'x',
      details: { status: 401, body: 'Your session has expired', wwwAuthenticate: 'Bearer error="invalid_token"' },
    }),
    new TrestleError({ code: 'session_lost', message: 'x', details: { status: 404, body: 'Session not found' } }),
    new TrestleError({ code: 'timed_out', message: 'Session not found' }),
  ])('H5: %o is not', (error) => {
    expect(lostSession('x', error)).toBeUndefined();
  });
});
