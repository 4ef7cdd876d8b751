import { describe, expect, it } from 'vitest';
import {
  mayBeCut,
  namesOtherSession,
  readDialectError,
  readDialectResult,
  readDialectSession,
  readDialectTools,
} from './event-dialect.ts';

const base = 'http://127.0.0.1:3000/sse';
const text = (words: string) => ({ type: 'text', text: words });

describe('the words of the event dialect', () => {
  it.each([
    ['abc-1', 'abc-1'],
    [' abc-1\n', 'abc-1'],
    ['"abc-1"', 'abc-1'],
    ['12345', '12345'],
    ['{"session_id":"abc-1"}', 'abc-1'],
    ['{"sessionId":"abc-1","id":"x"}', 'abc-1'],
    ['{"session_id":5}', 5],
    ['/messages/?session_id=abc%2D1', 'abc-1'],
    ['http://127.0.0.1:3000/sse?sessionId=abc-1', 'abc-1'],
    ['?session_id=abc-1', 'abc-1'],
    ['/sse/abc-1', '/sse/abc-1'],
    ['{"session_id":null}', undefined],
    ['', undefined],
  ])('H10: the session in the endpoint %j is %j', (data, id) => {
    expect(readDialectSession(data, base)).toBe(id);
  });

  it('S13, H10: digits of ids and results are kept', () => {
    const digits = 12_345_678_901_234_567_890n;
    expect(readDialectSession(`{"session_id":${digits}}`, base)).toBe(digits);
    expect(namesOtherSession(`{"session_id":${digits}}`, digits)).toBe(false);
    expect(readDialectResult(`{"n":${digits}}`)).toEqual({
      result: { content: [text(`{"n":${digits}}`)], structuredContent: { n: digits } },
    });
  });

  it('H10: tools are read as they come: in full, as names, by name, with other words for their schema', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const tool = { name: 'a', description: 'does a', inputSchema: schema };
    const { inputSchema: _own, ...rest } = tool;
    const open = { type: 'object' };
    const listed: readonly (readonly [unknown, unknown])[] = [
      [[tool], [tool]],
      [{ tools: [tool] }, [tool]],
      [{ tools: { a: rest } }, [{ ...rest, inputSchema: open }]],
      [{ a: { description: 'does a', parameters: schema } }, [tool]],
      [[{ ...rest, input_schema: schema }], [tool]],
      [['a'], [{ name: 'a', inputSchema: open }]],
      [[], []],
      [{}, []],
      // Judging items is the session's work.
      [
        [5, tool],
        [5, tool],
      ],
    ];
    for (const [given, tools] of listed) expect(readDialectTools(JSON.stringify(given))).toEqual(tools);
  });

  it.each(['no json', '5', '"a"', '{"tools":5}', '{"a":"b"}'])('H10: %s is no list of tools', (data) => {
    expect(readDialectTools(data)).toBeUndefined();
  });

  it('H10, S5: a result of MCP stays as it is; anything else is text, and structured content where it is JSON', () => {
    const mcp = { content: [text('hello')], isError: true, _meta: { a: 1 } };
    expect(readDialectResult(JSON.stringify(mcp))).toEqual({ result: mcp });
    expect(readDialectResult(JSON.stringify({ session_id: 's', tool: 't', result: mcp }))).toEqual({ result: mcp });
    expect(readDialectResult('"words"')).toEqual({ result: { content: [text('words')] } });
    expect(readDialectResult('bare words')).toEqual({ result: { content: [text('bare words')] } });
    for (const value of [5, null, [1, 2], { n: 1 }, { content: 'of a file' }, { content: [1] }]) {
      const data = JSON.stringify(value);
      expect(readDialectResult(data)).toEqual({ result: { content: [text(data)], structuredContent: value } });
    }
    expect(readDialectResult('{"result":{"n":1},"more":2}')).toMatchObject({
      result: { structuredContent: { result: { n: 1 }, more: 2 } },
    });
    expect(readDialectResult('{"tool":"t","result":{"n":1}}')).toEqual({
      result: { content: [text('{"n":1}')], structuredContent: { n: 1 } },
    });
  });

  it('H10: a result that nests too deep to be written is handed on', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(readDialectResult(`{"result":${deep}}`)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(readDialectError(deep)).toEqual({ result: { content: [text(deep)], isError: true } });
  });

  it('H10, S5: an error is what the tool said, unless it has a code of JSON-RPC', () => {
    const said = (words: string) => ({ result: { content: [text(words)], isError: true } });
    expect(readDialectError('it broke')).toEqual(said('it broke'));
    expect(readDialectError('"it broke"')).toEqual(said('it broke'));
    expect(readDialectError('{"message":"it broke","code":13}')).toEqual(said('it broke'));
    expect(readDialectError('{"session_id":"s","error":"it broke"}')).toEqual(said('it broke'));
    expect(readDialectError('{"error":{"detail":"it broke"}}')).toEqual(said('it broke'));
    expect(readDialectError('{"a":1}')).toEqual(said('{"a":1}'));
    expect(readDialectError('{"content":[{"type":"text","text":"it broke"}]}')).toEqual(said('it broke'));
    const error = { code: -32_602, message: 'no such text', data: { at: 1 } };
    expect(readDialectError(JSON.stringify(error))).toEqual({ error });
    expect(readDialectError(JSON.stringify({ error }))).toEqual({ error });
  });

  it('H10: what names the session of somebody else is not ours', () => {
    expect(namesOtherSession('{"session_id":"b","result":1}', 'a')).toBe(true);
    expect(namesOtherSession('{"sessionId":"b"}', 'a')).toBe(true);
    for (const data of ['{"session_id":"a"}', '{"n":1}', 'session_id', '{"text":"\\"session_id\\""}']) {
      expect(namesOtherSession(data, 'a')).toBe(false);
    }
    expect(namesOtherSession('{"session_id":"5"}', 5)).toBe(false);
  });

  it.each([
    ['{"n":1}', false],
    ['[1]', false],
    ['"a"', false],
    ['12', true],
    ['nul', true],
    ['null', true],
    ['{"n":', true],
    ['words', true],
  ])('H10: at the cut end of a stream %s may be cut: %s', (data, isCut) => {
    expect(mayBeCut(data)).toBe(isCut);
  });
});
