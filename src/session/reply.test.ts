import { describe, expect, it } from 'vitest';
import { executionOfRpcError, judgeReply, rpcError } from './reply.ts';

describe('judgeReply', () => {
  it.each([
    [{ id: 1, result: {} }, 'is not marked'],
    [{ jsonrpc: '1.0', id: 1, result: {} }, 'is not marked'],
    [{ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }, 'both'],
    [{ jsonrpc: '2.0', id: 1 }, 'neither'],
    [{ jsonrpc: '2.0', id: 1, result: null }, 'no object'],
    [{ jsonrpc: '2.0', id: 1, error: 'no' }, 'without a code'],
  ])('S4: %j is broken', (message, why) => {
    const judged = judgeReply(message);
    expect(judged.kind).toBe('broken');
    expect(judged.kind === 'broken' && judged.why).toContain(why);
  });

  it('S5: keeps code, message and data of an error', () => {
    const error = { code: -32_000, message: 'no', data: { a: [1] } };
    expect(judgeReply({ jsonrpc: '2.0', id: 1, error })).toEqual({ kind: 'error', ...error });
  });
});

describe('rpcError', () => {
  const asked = { server: 'fake', method: 'resources/read' };
  it.each([
    ['MCP error -32602: no such page', ': no such page'],
    ['no such page', ': no such page'],
    ['MCP error -32000: no such page', ': MCP error -32000: no such page'],
    ['', ''],
  ])('S5: tells the code of %j once', (message, said) => {
    const error = rpcError(asked, { kind: 'error', code: -32_602, message, data: undefined });
    expect(error.message).toBe(`Server "fake" answered resources/read with error -32602${said}`);
    expect(error.details).toMatchObject({ rpcMessage: message });
  });
});

describe('executionOfRpcError', () => {
  it('S5: only what the protocol defines as unexecuted is rejected', () => {
    const rejected = [-32_700, -32_600, -32_601, -32_020, -32_021, -32_022];
    expect(rejected.map(executionOfRpcError)).toEqual(rejected.map(() => 'rejected'));
    const unknown = [-32_602, -32_603, -32_000, -32_019, -32_023, 0, 7];
    expect(unknown.map(executionOfRpcError)).toEqual(unknown.map(() => 'unknown'));
  });
});
