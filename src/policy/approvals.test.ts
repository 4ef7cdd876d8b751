import { describe, expect, it } from 'vitest';
import { type Approval, covers, isVoidedByDrift, readApproval, type Wanted } from './approvals.ts';

const nowMs = Date.parse('2026-05-01T00:00:00Z');

const approval: Approval = {
  server: 'files',
  file: '/home/me/.trestle/servers.json',
  identity: 'a1',
  kind: 'use',
  approvedAt: '2026-04-01T00:00:00Z',
};

const wanted: Wanted = {
  kind: 'use',
  server: 'files',
  file: '/home/me/.trestle/servers.json',
  identity: 'a1',
  tool: 'read',
  arguments: { path: '/tmp/a', depth: 3 },
  descriptor: 'd1',
};

const allows = (changes: Partial<Approval>, wants: Partial<Wanted> = {}): boolean =>
  covers({ ...approval, ...changes }, { ...wanted, ...wants }, nowMs);

describe('approvals', () => {
  it('K1: one of a server covers its tools, lists and reads, and its start', () => {
    expect(allows({})).toBe(true);
    const { tool: _tool, arguments: _arguments, descriptor: _descriptor, ...read } = wanted;
    expect(covers(approval, read, nowMs)).toBe(true);
    expect(allows({}, { kind: 'connect' })).toBe(true);
  });

  it('K1: a yes to connect is none to call', () => {
    expect(allows({ kind: 'connect' }, { kind: 'connect' })).toBe(true);
    expect(allows({ kind: 'connect' })).toBe(false);
    expect(allows({ kind: 'connect' }, { kind: 'call' })).toBe(false);
  });

  it('K1: another definition, name or file is not covered', () => {
    expect(allows({}, { identity: 'a2' })).toBe(false);
    expect(allows({}, { server: 'Files' })).toBe(false);
    expect(allows({}, { file: '/elsewhere/servers.json' })).toBe(false);
    expect(allows({}, { file: null })).toBe(false);
  });

  it('K1: it ends when its time is over, and one whose time is no date allows nothing', () => {
    expect(allows({ expiresAt: '2026-05-01T00:00:01Z' })).toBe(true);
    expect(allows({ expiresAt: '2026-05-01T00:00:00Z' })).toBe(false);
    expect(allows({ expiresAt: 'soon' })).toBe(false);
  });

  it('K1: bound to tools it covers those alone, and neither lists nor reads', () => {
    expect(allows({ tools: ['read*'] })).toBe(true);
    expect(allows({ tools: ['write', 'Read'] })).toBe(false);
    const { tool: _tool, ...list } = wanted;
    expect(covers({ ...approval, tools: ['*'] }, list, nowMs)).toBe(false);
  });

  it('K1: bound to arguments it covers calls that have them and fit', () => {
    expect(allows({ tools: ['read'], arguments: { path: '/tmp/*' } })).toBe(true);
    expect(allows({ tools: ['read'], arguments: { path: '/tmp/*', depth: '3' } })).toBe(true);
    expect(allows({ tools: ['read'], arguments: { path: '/etc/*' } })).toBe(false);
    expect(allows({ tools: ['read'], arguments: { root: '*' } })).toBe(false);
    expect(allows({ tools: ['read'], arguments: { toString: '*' } })).toBe(false);
    expect(allows({ arguments: { path: '/tmp/*' } })).toBe(false);
  });

  it.each(['/tmp/../etc/passwd', '/tmp/a/..', '/tmp/%2E%2e/etc', '/tmp/a\\..\\b', '/tmp/..?x'])(
    'K1: %s does not lie in /tmp',
    (path) => {
      const within = { tools: ['read'], arguments: { path: '/tmp/*' } };
      expect(allows(within, { arguments: { path } })).toBe(false);
      expect(allows({ ...within, arguments: { path: '*/tmp/*' } }, { arguments: { path: ['/tmp/a', path] } })).toBe(
        false,
      );
      expect(allows(within, { arguments: { path: '/tmp/a..b/...' } })).toBe(true);
      expect(allows({ ...within, arguments: { path: '../*' } }, { arguments: { path: '../a' } })).toBe(true);
    },
  );

  it('K3: a call that has to be asked for wants an approval that names the tool', () => {
    expect(allows({}, { kind: 'call' })).toBe(false);
    expect(allows({ tools: ['re*'] }, { kind: 'call' })).toBe(true);
  });

  it('R8: a changed descriptor voids the approval of its tool, and of no other', () => {
    const changed = { descriptors: { read: 'd0', write: 'd9', list: 'd1' } };
    expect(allows({ descriptors: { read: 'd1' } })).toBe(true);
    expect(allows(changed)).toBe(false);
    expect(allows(changed, { tool: 'list' })).toBe(true);
    expect(allows(changed, { kind: 'connect' })).toBe(true);
    expect(isVoidedByDrift({ ...approval, ...changed }, wanted, nowMs)).toBe(true);
    expect(isVoidedByDrift({ ...approval, ...changed, kind: 'connect' }, wanted, nowMs)).toBe(false);
  });

  it('R8: a tool that was not there is a changed one; where nothing was known of the tools, none is', () => {
    const before = { descriptors: { write: 'd9' } };
    expect(allows(before)).toBe(false);
    expect(isVoidedByDrift({ ...approval, ...before }, wanted, nowMs)).toBe(true);
    expect(allows({ ...before, tools: ['*'] })).toBe(false);
    expect(allows({ descriptors: {} })).toBe(true);
  });

  it('K1: what is no approval, or has a member that nobody knows, allows nothing', () => {
    expect(readApproval({ ...approval })).toEqual(approval);
    expect(readApproval({ ...approval, onlyOnMondays: true })).toBeUndefined();
    expect(readApproval({ ...approval, kind: 'all' })).toBeUndefined();
    expect(readApproval({ ...approval, tools: 'read' })).toBeUndefined();
    expect(readApproval({ ...approval, arguments: { path: 1 } })).toBeUndefined();
    expect(readApproval(null)).toBeUndefined();
  });
});
