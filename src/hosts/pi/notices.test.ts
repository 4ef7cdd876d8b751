import { expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { limits } from '../../base/index.ts';
import { gatherNotices, type Notices } from './notices.ts';

function gathered(): {
  readonly notices: Notices;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly told: readonly string[];
} {
  const clock = createManualClock();
  const told: string[] = [];
  return { notices: gatherNotices((text) => told.push(text), clock), clock, told };
}

it('N1: what comes within a moment is told as one, each thing once, with commands as they are typed in Pi', async () => {
  const { notices, clock, told } = gathered();
  notices.add('a was never synced: trestle sync a');
  notices.add('b is gone.');
  notices.add('b is gone.');
  expect(told).toEqual([]);
  await clock.advance(limits.noticesGatherMs);
  expect(told).toEqual(['a was never synced: /mcp-bridge sync a\nb is gone.']);
  notices.add('b is gone.');
  await clock.advance(limits.noticesGatherMs);
  expect(told).toHaveLength(2);
});

it('N1: of very many the first are told, and where to see the others', async () => {
  const { notices, clock, told } = gathered();
  for (let number = 0; number < 36; number += 1) notices.add(`server ${number} was not synced.`);
  await clock.advance(limits.noticesGatherMs);
  expect(told[0]?.split('\n')).toHaveLength(limits.noticesAtOnce + 1);
  expect(told[0]).toMatch(/\n31 more notices; see \/mcp-bridge doctor$/);
});

it('N2: a session that is over is told of nothing, since its Pi is gone', async () => {
  const { notices, clock, told } = gathered();
  notices.add('a');
  notices.close();
  notices.add('b');
  await clock.advance(10 * limits.noticesGatherMs);
  expect(told).toEqual([]);
  expect(clock.pending).toBe(0);
});
