import { describe, expect, it } from 'vitest';
import { forEachAtOnce } from './at-once.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work on many things', () => {
  it('is never on more of them at once than asked, and its results keep their order', async () => {
    let running = 0;
    let most = 0;
    const results = await forEachAtOnce([5, 1, 4, 2, 3], 2, async (turns) => {
      running += 1;
      most = Math.max(most, running);
      for (let left = turns; left > 0; left -= 1) await turn();
      running -= 1;
      return turns * 10;
    });
    expect(results).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(2);
    expect(await forEachAtOnce([], 2, async () => 1)).toEqual([]);
  });

  it('begins nothing after a failure, and waits for what was begun', async () => {
    const log: string[] = [];
    const done = forEachAtOnce(['slow', 'bad', 'never'], 2, async (item) => {
      log.push(`begin ${item}`);
      await turn();
      if (item === 'bad') throw new Error('bad');
      await turn();
      await turn();
      log.push(`end ${item}`);
    });
    await expect(done).rejects.toThrow('bad');
    expect(log).toEqual(['begin slow', 'begin bad', 'end slow']);
  });
});
