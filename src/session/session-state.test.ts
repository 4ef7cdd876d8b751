import { describe, expect, it } from 'vitest';
import { TrestleError } from '../base/index.ts';
import { createStateCell } from './session-state.ts';

const reason = new TrestleError({ code: 'server_exited', message: 'Gone.' });

describe('createStateCell', () => {
  it('S15: goes from new over dialling, ready and closing to closed, and tells the reason once', async () => {
    const cell = createStateCell('x');
    expect(cell.state).toBe('new');
    expect((['dialling', 'ready', 'closing', 'closed'] as const).map((to) => cell.move(to))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await cell.over).toMatchObject({ code: 'session_closed' });
  });

  it('S15: nothing leaves an end, and no step is skipped', async () => {
    const cell = createStateCell('x');
    expect(cell.move('ready')).toBe(false);
    expect(cell.move('closed')).toBe(false);
    cell.move('dialling');
    expect(cell.move('failed', reason)).toBe(true);
    expect((['dialling', 'ready', 'closing', 'closed', 'failed'] as const).map((to) => cell.move(to))).not.toContain(
      true,
    );
    expect(cell.state).toBe('failed');
    expect(cell.reason).toBe(reason);
    expect(await cell.over).toBe(reason);
  });
});
