import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/index.ts';
import type { Approval, Wanted } from '../../policy/index.ts';
import { createApprovals } from './approvals.ts';

const identity = 'a1';
const approval: Approval = {
  server: 'files',
  file: '/s.json',
  identity,
  kind: 'use',
  approvedAt: '2026-01-01T00:00:00Z',
};
const wanted: Wanted = { kind: 'use', server: 'files', file: '/s.json', identity };

function open(stateFolder = join(tempFolder(), 'state')) {
  const clock = createManualClock();
  const approvals = createApprovals({ stateFolder, clock });
  return { approvals, clock, stateFolder, file: join(stateFolder, 'approvals.json') };
}

describe('approvals on disk', () => {
  it('K1: nothing is approved before somebody did, and nothing is written by looking', () => {
    const { approvals, file } = open();
    expect(approvals.isApproved(wanted, 'library')).toBe(false);
    expect(approvals.list()).toEqual([]);
    expect(approvals.problem()).toBeUndefined();
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('K1: what is kept holds in every process and scope at once, in a file of the user alone', async () => {
    const { approvals, file, stateFolder } = open();
    const other = open(stateFolder).approvals;
    expect(other.isApproved(wanted, 'library')).toBe(false);
    await approvals.add(approval);
    expect(approvals.isApproved(wanted, 'library')).toBe(true);
    expect(other.isApproved(wanted, 'session:1')).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('K1: processes that approve at the same time lose nothing of each other', async () => {
    const { stateFolder, approvals } = open();
    const servers = Array.from({ length: 6 }, (_, index) => `s${index}`);
    await Promise.all(servers.map((server) => open(stateFolder).approvals.add({ ...approval, server })));
    expect(approvals.list().map(({ server }) => server)).toHaveLength(6);
  });

  it('K1: a later yes to the same replaces the former', async () => {
    const { approvals } = open();
    await approvals.add({ ...approval, expiresAt: '2036-01-02T00:00:00Z' });
    await approvals.add({ ...approval, identity: 'a2' });
    await approvals.add({ ...approval, tools: ['read'] });
    expect(approvals.list()).toMatchObject([{ identity: 'a2' }, { tools: ['read'] }]);
  });

  it('K1: what is over goes with the next yes', async () => {
    const { approvals } = open();
    await approvals.add({ ...approval, server: 'old', expiresAt: '2020-01-02T00:00:00Z' });
    await approvals.add(approval);
    expect(approvals.list()).toMatchObject([{ server: 'files' }]);
  });

  it('K1: a yes for a session holds in its scope, and ends with it', () => {
    const { approvals, file } = open();
    approvals.addForSession(approval, 'session:1');
    expect(approvals.isApproved(wanted, 'session:1')).toBe(true);
    expect(approvals.isApproved(wanted, 'session:2')).toBe(false);
    approvals.closeScope('session:1');
    expect(approvals.isApproved(wanted, 'session:1')).toBe(false);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('K1: what is taken back is approved no more, neither for good nor in a session', async () => {
    const { approvals } = open();
    await approvals.add(approval);
    await approvals.add({ ...approval, server: 'other' });
    approvals.addForSession(approval, 'session:1');
    const gone = await approvals.remove(({ server }) => server === 'files');
    expect(gone).toHaveLength(2);
    expect(approvals.isApproved(wanted, 'session:1')).toBe(false);
    expect(approvals.list()).toMatchObject([{ server: 'other' }]);
  });

  it.each([
    ['truncated', '{"approvals": [{"server": "fi'],
    ['another thing', '[1, 2]'],
    ['empty', ''],
  ])('K1: a file that is %s approves nothing, says so, and is put aside by the next yes', async (_what, text) => {
    const { approvals, file, stateFolder } = open();
    mkdirSync(stateFolder);
    writeFileSync(file, text, { mode: 0o600 });
    expect(approvals.isApproved(wanted, 'library')).toBe(false);
    expect(approvals.problem()).toContain(file);
    await approvals.add(approval);
    expect(approvals.problem()).toBeUndefined();
    expect(approvals.isApproved(wanted, 'library')).toBe(true);
    expect(readFileSync(`${file}.corrupt`, 'utf8')).toBe(text);
  });

  it('K1: an entry that this version does not understand approves nothing and is kept', async () => {
    const { approvals, file, stateFolder } = open();
    mkdirSync(stateFolder);
    const newer = { ...approval, onlyOnMondays: true };
    writeFileSync(file, JSON.stringify({ approvals: [newer] }), { mode: 0o600 });
    expect(approvals.isApproved(wanted, 'library')).toBe(false);
    await approvals.add({ ...approval, server: 'other' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ approvals: [newer, { server: 'other' }] });
  });

  it.runIf(process.getuid !== undefined)(
    'K1: a file that others could have written, or a link to one, approves nothing',
    async () => {
      const { approvals, clock, file, stateFolder } = open();
      await approvals.add(approval);
      chmodSync(file, 0o620);
      await clock.advance(limits.callLookMs);
      expect(approvals.isApproved(wanted, 'library')).toBe(false);
      expect(approvals.problem()).toContain('chmod 600');
      chmodSync(file, 0o600);
      expect(approvals.isApproved(wanted, 'library')).toBe(true);
      const elsewhere = open();
      mkdirSync(elsewhere.stateFolder);
      symlinkSync(join(stateFolder, 'approvals.json'), elsewhere.file);
      expect(elsewhere.approvals.isApproved(wanted, 'library')).toBe(false);
      expect(elsewhere.approvals.problem()).toContain('is a link');
      await elsewhere.approvals.add({ ...approval, server: 'other' });
      expect(readdirSync(elsewhere.stateFolder)).toContain('approvals.json.corrupt');
      expect(approvals.list()).toMatchObject([{ server: 'files' }]);
    },
  );

  it('K1: its stamp changes with whatever may be approved', async () => {
    const { approvals } = open();
    const stamps = new Set([approvals.stamp()]);
    await approvals.add(approval);
    stamps.add(approvals.stamp());
    approvals.addForSession(approval, 'session:1');
    stamps.add(approvals.stamp());
    approvals.closeScope('session:1');
    expect(stamps.add(approvals.stamp()).size).toBe(4);
  });
});
