import { describe, expect, it } from 'vitest';
import { recordedTransport } from './recorded-transport.ts';

const known = (text: string): string => text.replaceAll('hunter2hunter2', '[redacted]');

function stdio(facts: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }) {
  const recorded = recordedTransport(
    { kind: 'stdio', command: 'npx', args: facts.args ?? [], env: facts.env ?? {}, cwd: undefined, framing: 'auto' },
    known,
  );
  if (recorded.kind !== 'stdio') throw new Error('not stdio');
  return recorded;
}

function http(url: string, headers: Readonly<Record<string, string>> = {}) {
  const recorded = recordedTransport({ kind: 'http', url, headers, choice: 'auto', redirects: 'same-origin' }, known);
  if (recorded.kind !== 'http') throw new Error('not http');
  return recorded;
}

describe('what the registry records of a transport', () => {
  it('R1: references stay references', () => {
    expect(stdio({ env: { API_KEY: '${API_KEY}', HOME_DIR: '${HOME}/x', OLD: '$env:OLD' } }).env).toEqual({
      API_KEY: '${API_KEY}',
      HOME_DIR: '${HOME}/x',
      OLD: '$env:OLD',
    });
    expect(http('https://x.example/mcp?token=${T}', { Authorization: 'Bearer ${T}' })).toEqual({
      kind: 'http',
      url: 'https://x.example/mcp?token=${T}',
      headers: { Authorization: 'Bearer ${T}' },
    });
  });

  it('R1: literal secrets in environment, headers, arguments and queries are replaced', () => {
    expect(stdio({ env: { GITHUB_TOKEN: 'ghp_1', DEBUG: '1' } }).env).toEqual({
      GITHUB_TOKEN: '[redacted]',
      DEBUG: '1',
    });
    expect(http('https://x.example/mcp?api_key=abc&page=2').url).toBe(
      'https://x.example/mcp?api_key=[redacted]&page=2',
    );
    expect(http('https://me:pw@x.example/').url).toBe('https://[redacted]@x.example/');
    expect(
      http('https://x.example/', { Authorization: 'Bearer abc', 'X-Team': 'blue', Accept: 'text/plain' }).headers,
    ).toEqual({ Authorization: '[redacted]', 'X-Team': '[redacted]', Accept: 'text/plain' });
    expect(stdio({ args: ['--api-key', 'abc', '--token=def', 'PASS=x', '--port', '8080'] }).args).toEqual([
      '--api-key',
      '[redacted]',
      '--token=[redacted]',
      'PASS=[redacted]',
      '--port',
      '8080',
    ]);
  });

  it('R1: what addresses and header arguments hold of literal secrets is replaced too', () => {
    const database = 'postgres://me:pw@host/db?sslkey=k&page=1';
    expect(stdio({ env: { DATABASE_URL: database } }).env).toEqual({
      DATABASE_URL: 'postgres://[redacted]@host/db?sslkey=[redacted]&page=1',
    });
    const args = [database, '--header', 'Authorization: Bearer abc', 'X-Auth:${T}', 'postgres://${U}:${P}@host'];
    expect(stdio({ args }).args).toEqual([
      'postgres://[redacted]@host/db?sslkey=[redacted]&page=1',
      '--header',
      'Authorization: [redacted]',
      'X-Auth:${T}',
      'postgres://${U}:${P}@host',
    ]);
  });

  it('R1: a literal beside a reference, a default inside one, and an escaped literal are literal secrets too', () => {
    expect(stdio({ env: { TOKEN: 'abc${X}', KEY: '${KEY:-abc}', AUTH: '$${abc}', PASS: '${PASS:-}' } }).env).toEqual({
      TOKEN: '[redacted]${X}',
      KEY: '${KEY:-[redacted]}',
      AUTH: '[redacted]',
      PASS: '${PASS:-}',
    });
  });

  it('K4: a secret known by value is replaced wherever it stands, names of references apart', () => {
    expect(stdio({ args: ['run', 'hunter2hunter2'] }).args).toEqual(['run', '[redacted]']);
    expect(http('https://x.example/hunter2hunter2/mcp').url).toBe('https://x.example/[redacted]/mcp');
  });
});
