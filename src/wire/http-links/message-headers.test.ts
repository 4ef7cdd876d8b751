import { describe, expect, it } from 'vitest';
import { checkHeaders, headerValue, postHeaders } from './message-headers.ts';

const facts = { configured: {}, sessionId: 's1', protocolVersion: '2025-06-18' };
const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

describe('headers of a message', () => {
  it('H2: both content types are accepted, and the content type is JSON', () => {
    expect(postHeaders({ method: 'ping', id: 1 }, { configured: {} })).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
  });

  it('H2: a legacy message carries session id and version, initialize neither', () => {
    expect(postHeaders({ method: 'tools/list', id: 1 }, facts)).toMatchObject({
      'mcp-session-id': 's1',
      'mcp-protocol-version': '2025-06-18',
    });
    const initialize = postHeaders({ method: 'initialize', id: 1 }, facts);
    expect(Object.keys(initialize).filter((name) => name.startsWith('mcp-'))).toEqual([]);
  });

  it('H2, S14: a modern message names its version and method, and no session', () => {
    const headers = postHeaders({ method: 'server/discover', id: 1, params: meta }, facts);
    expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(headers).not.toHaveProperty('mcp-name');
  });

  it.each([
    ['tools/call', { name: 'echo' }, 'echo'],
    ['prompts/get', { name: 'plan' }, 'plan'],
    ['resources/read', { uri: 'file:///a', name: 'not this' }, 'file:///a'],
    ['tasks/get', { taskId: 't1' }, 't1'],
    ['tools/list', { name: 'no subject' }, undefined],
    ['tools/call', { name: 7 }, undefined],
  ])('S14: Mcp-Name of %s is its subject', (method, params, subject) => {
    const headers = postHeaders({ method, id: 1, params: { ...meta, ...params } }, facts);
    expect(headers['mcp-name']).toBe(subject);
  });

  it.each([
    ['plain name', 'plain name'],
    ['', '=?base64??='],
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    [' padded', '=?base64?IHBhZGRlZA==?='],
    ['a\nb', '=?base64?YQpi?='],
    ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
  ])('S14: %j as a header value is %j', (text, value) => {
    expect(headerValue(text)).toBe(value);
  });

  it('H2: a definition adds headers but does not change those of the protocol', () => {
    const configured = {
      Authorization: 'Bearer x',
      ACCEPT: 'text/html',
      'Content-Type': 'text/plain',
      'Mcp-Session-Id': 'stolen',
      'MCP-Method': 'x',
      'Content-Length': '3',
    };
    const headers = postHeaders({ method: 'initialize', id: 1 }, { configured });
    expect(headers).toEqual({
      'user-agent': 'trestle',
      authorization: 'Bearer x',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
  });

  it('S14: headers the session adds to one message go with it', () => {
    const added = { 'Mcp-Param-Region': 'eu' };
    expect(postHeaders({ method: 'tools/call', id: 1, params: meta }, { configured: {}, added })).toMatchObject({
      'mcp-param-region': 'eu',
    });
  });

  it('a header that cannot be sent is named, its value is not', () => {
    for (const headers of [{ 'X-Key': 'secret\r\nEvil: 1' }, { 'X-Key': 'secret…' }, { 'X Key': 'secret' }]) {
      expect(() => checkHeaders(headers, 'thing')).toThrow(/"X.Key"/);
      expect(() => checkHeaders(headers, 'thing')).not.toThrow(/secret/);
    }
    expect(() => checkHeaders({ 'X-Key': 'fine', Authorization: 'Bearer é' }, 'thing')).not.toThrow();
  });
});
