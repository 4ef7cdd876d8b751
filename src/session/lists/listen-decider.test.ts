import { describe, expect, it } from 'vitest';
import { type ErrorFacts, TrestleError } from '../../base/index.ts';
import { judgeListenEnd, type ListenVerdict } from './listen-decider.ts';

const rpc = (rpcCode: number): Partial<ErrorFacts> => ({ code: 'protocol_error', details: { rpcCode } });
const http = (status: number): Partial<ErrorFacts> => ({ code: 'http_error', details: { status } });

describe('the end of a listening stream', () => {
  it.each<[string, Partial<ErrorFacts> | undefined, ListenVerdict]>([
    ['an answer without acknowledgement', undefined, 'unacknowledged'],
    ['an empty answer', { code: 'broken_reply' }, 'unacknowledged'],
    ['method not found', rpc(-32_601), 'refused'],
    ['invalid params', rpc(-32_602), 'refused'],
    ['a missing capability', rpc(-32_021), 'refused'],
    ['an error of its own', rpc(-32_000), 'refused'],
    ['an internal error', rpc(-32_603), 'again'],
    ['404', http(404), 'refused'],
    ['405', http(405), 'refused'],
    ['429', http(429), 'again'],
    ['503', http(503), 'again'],
    ['401', { code: 'auth_required' }, 'refused'],
    ['403', { code: 'forbidden' }, 'refused'],
    ['a page', { code: 'not_mcp' }, 'refused'],
    ['no connection', { code: 'connection_failed' }, 'again'],
    ['a broken connection', { code: 'connection_closed' }, 'again'],
  ])('S11: %s, before it was acknowledged', (_what, facts, verdict) => {
    const failure = facts && new TrestleError({ code: 'internal', message: 'x', ...facts });
    expect(judgeListenEnd({ acknowledged: false, failure })).toBe(verdict);
  });

  it('S11: one that was acknowledged is opened again, however it ended', () => {
    const failure = new TrestleError({ code: 'protocol_error', message: 'x', details: { rpcCode: -32_601 } });
    expect(judgeListenEnd({ acknowledged: true, failure })).toBe('again');
    expect(judgeListenEnd({ acknowledged: true, failure: undefined })).toBe('again');
  });
});
