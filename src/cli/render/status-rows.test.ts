import { describe, expect, it } from 'vitest';
import type { ServerStatus } from '../../runtime/index.ts';
import { statusLines, statusRows } from './status-rows.ts';

const server: ServerStatus = {
  name: 'files',
  known: 'configured',
  enabled: true,
  transport: 'stdio',
  source: '/servers.json',
  tools: 3,
  denied: 0,
  syncedAt: new Date(2026, 0, 1).toISOString(),
  problem: undefined,
  changedSinceApproval: [],
  entries: [],
};

const connection: ServerStatus['entries'][number] = {
  server: 'files',
  scope: 'library',
  lifecycle: 'keep-alive',
  state: 'ready',
  info: undefined,
  callsInFlight: 0,
  idleMs: 0,
  lastSignAgoMs: 12_345,
  misses: 0,
  nextTry: undefined,
  reason: undefined,
};

describe('the table of status', () => {
  it('K3: says how many tools are denied beside those that may be called', () => {
    expect(statusRows([{ ...server, denied: 2 }])[0]?.cells).toContain('3 tools (2 denied)');
  });

  const known = ['stdio', '3 tools', 'synced 2026-01-01 00:00'];

  it('P4: shows state, last sign and misses of a connection', () => {
    expect(statusRows([{ ...server, entries: [connection] }])).toEqual([
      { cells: ['files', 'ready', ...known, 'last sign 12 s ago'], problems: [] },
    ]);
    expect(statusRows([{ ...server, entries: [{ ...connection, misses: 2 }] }])[0]?.cells).toContain(
      'last sign 12 s ago, 2 misses',
    );
  });

  it('P5: shows the next try, and why it has to be made', () => {
    const nextTry = { inMs: 4_000, attempt: 3, of: 10 };
    const waiting = { ...connection, state: 'waiting', nextTry, lastSignAgoMs: 300_000, reason: 'It exited.' } as const;
    expect(statusRows([{ ...server, entries: [waiting] }])).toEqual([
      {
        cells: ['files', 'waiting', ...known, 'last sign 5 min ago, try 3 of 10 in 4 s'],
        problems: ['It exited.'],
      },
    ]);
    const failed = { ...connection, state: 'failed', lastSignAgoMs: undefined, reason: 'It exited.' } as const;
    expect(statusRows([{ ...server, entries: [failed] }])).toEqual([
      { cells: ['files', 'failed', ...known], problems: ['It exited.'] },
    ]);
  });

  it('has no column for connections where there are none', () => {
    expect(statusRows([server])).toEqual([{ cells: ['files', 'idle', ...known], problems: [] }]);
    const other = { ...server, name: 'other' };
    const rows = statusRows([{ ...server, entries: [connection] }, other]);
    expect(rows.map(({ cells }) => cells.length)).toEqual([6, 6]);
  });

  it('has one row a connection, and says whose each is', () => {
    const both = [
      connection,
      { ...connection, scope: 'project:/project', state: 'dialling', lastSignAgoMs: undefined },
    ] as const;
    expect(statusRows([{ ...server, entries: both }]).map(({ cells }) => [cells[0], cells[1], cells[5]])).toEqual([
      ['files', 'ready', 'last sign 12 s ago, library'],
      ['files', 'dialling', 'project:/project'],
    ]);
  });

  it('L4: what is wrong stands whole on lines of its own, so that the table fits into 80 columns', () => {
    const problem = `Its entry has changed since it was last synced (${'transport, '.repeat(10)}auth): trestle sync files`;
    const lost = { ...connection, reason: 'The connection was lost.' };
    const lines = statusLines(
      [
        { ...server, problem, changedSinceApproval: ['a', 'b'], entries: [lost, connection] },
        { ...server, name: 'a-longer-name', known: 'registry-only', tools: 123 },
      ],
      (text) => `*${text}*`,
    );
    expect(lines).toEqual([
      '*files*          ready          stdio  3 tools    synced 2026-01-01 00:00  last sign 12 s ago, library',
      '  The connection was lost.',
      '*files*          ready          stdio  3 tools    synced 2026-01-01 00:00  last sign 12 s ago, library',
      `  ${problem}`,
      '  Changed since approved, so asked for again: a, b.',
      '*a-longer-name*  registry only  stdio  123 tools  synced 2026-01-01 00:00',
    ]);
    expect(Math.max(...[lines[1], lines[5]].map((line = '') => line.length))).toBeLessThanOrEqual(80);
  });
});
