import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeSession } from '../../../test/support/fake-session.ts';
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts';
import { adHoc } from '../../../test/support/trestle-home.ts';
import { limits } from '../../base/index.ts';
import type { ChangedList } from '../../session/index.ts';
import { type ChangeSource, ListRefreshes } from './list-refreshes.ts';

const { least, mostIfNew, most } = limits.refreshRestMs;

interface Bench {
  readonly clock: ManualClock;
  readonly refreshes: ListRefreshes;
  /** What was read anew: the lists of each refresh. */
  readonly read: (readonly ChangedList[])[];
  /** The server tells of a change. */
  readonly changed: (list?: ChangedList) => void;
  /** Runs at the start of each refresh. */
  onRead: () => void;
  /** What each refresh finds. */
  isNew: boolean;
  /** Lets refreshes end; they end at once unless it was set to something else before. */
  slow: Promise<void>;
}

function bench(): Bench {
  const clock = createManualClock();
  let told: (list: ChangedList) => void = () => {};
  const session = createFakeSession();
  session.onListChanged = (listener) => {
    told = listener;
    return () => {};
  };
  const source: ChangeSource = {
    definition: adHoc({ command: 'fake', args: [] }),
    session,
    caller: { env: {}, cwd: '/' },
    scope: 'library',
  };
  const parts: Bench = {
    clock,
    read: [],
    onRead: () => {},
    isNew: true,
    slow: Promise.resolve(),
    changed: (list = 'tools') => told(list),
    refreshes: new ListRefreshes({
      clock,
      async refresh(_source, lists) {
        parts.read.push([...lists]);
        parts.onRead();
        await parts.slow;
        return parts.isNew;
      },
    }),
  };
  parts.refreshes.watch(source);
  return parts;
}

describe('notices of changed lists', () => {
  it('S11: a burst gives one refresh and one more, each of the lists that changed', async () => {
    const { clock, read, changed } = bench();
    for (let time = 0; time < 500; time += 1) changed(time % 2 === 0 ? 'tools' : 'prompts');
    await clock.advance(most);
    expect(read).toEqual([['tools'], ['prompts', 'tools']]);
  });

  it('S11: what changes during a refresh is read after it, once, and not before it had a rest', async () => {
    const parts = bench();
    const { clock, read, changed } = parts;
    let end = (): void => {};
    parts.slow = new Promise((resolve) => {
      end = resolve;
    });
    changed();
    for (let time = 0; time < 10; time += 1) changed();
    await clock.advance(1_000);
    expect(read).toHaveLength(1);
    end();
    await clock.advance(least - 1);
    expect(read).toHaveLength(1);
    await clock.advance(1);
    expect(read).toHaveLength(2);
    await clock.advance(most);
    expect(read).toHaveLength(2);
  });

  it('S11: a server that tells of a change whenever it is asked is asked less and less, and anew when it is quiet again', async () => {
    const parts = bench();
    const { clock, read, changed } = parts;
    parts.isNew = false;
    parts.onRead = () => setImmediate(() => changed());
    changed();
    await clock.advance(3_000);
    expect(read.length).toBeLessThanOrEqual(5);
    await clock.advance(3_600_000);
    expect(read.length).toBeLessThanOrEqual(3_600_000 / most + 10);
    parts.onRead = () => {};
    await clock.advance(2 * most);
    const before = read.length;
    changed();
    await clock.advance(0);
    expect(read.length).toBe(before + 1);
  });

  it('S11: one that always has something new is asked every few seconds', async () => {
    const parts = bench();
    const { clock, read, changed } = parts;
    parts.onRead = () => setImmediate(() => changed());
    changed();
    await clock.advance(600_000);
    expect(read.length).toBeLessThanOrEqual(600_000 / mostIfNew + 10);
    expect(read.length).toBeGreaterThan(100);
  });

  it('S11: one that tells of a change whenever its rest is over is asked less and less', async () => {
    const parts = bench();
    const { clock, read, changed } = parts;
    parts.isNew = false;
    const endMs = clock.monotonicMs() + 600_000;
    while (clock.monotonicMs() < endMs) {
      changed();
      await clock.advance(least + 50);
    }
    expect(read.length).toBeLessThanOrEqual(600_000 / most + 10);
    await clock.advance(3 * most);
    const before = read.length;
    for (const count of [1, 2]) {
      changed();
      await clock.advance(least);
      expect(read.length, 'quiet for long, it is found at once again').toBe(before + count);
    }
  });

  it('S11: a change told while the server is read as a whole is looked at afterwards', async () => {
    const { clock, read, changed, refreshes } = bench();
    let end = (): void => {};
    const whole = refreshes.during(
      'ad-hoc',
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    changed();
    await clock.advance(most);
    expect(read).toEqual([]);
    end();
    await whole;
    await clock.advance(0);
    expect(read).toEqual([['tools']]);
  });

  it('S11: a server that may have changed while it was gone is read anew, all of it', async () => {
    const { clock, read, refreshes } = bench();
    refreshes.suspect('nobody');
    refreshes.suspect('ad-hoc');
    await clock.advance(0);
    expect(read).toEqual([['tools', 'resources', 'prompts']]);
  });

  it('S11: who needs what was told waits for the reading of it, and not for the end of a rest', async () => {
    const parts = bench();
    const { clock, refreshes, read, changed } = parts;
    const caught: boolean[] = [];
    const catchUp = (): void => void refreshes.catchUp('ad-hoc').then((behind) => caught.push(behind));
    catchUp();
    await eventually(() => caught.length === 1);
    expect([read, caught]).toEqual([[], [false]]);
    let end = (): void => {};
    parts.slow = new Promise((resolve) => {
      end = resolve;
    });
    changed();
    catchUp();
    // The reading under way may be from before this change.
    changed();
    catchUp();
    for (let turn = 0; turn < 5; turn += 1) await clock.advance(0);
    expect([read.length, caught.length]).toEqual([1, 1]);
    end();
    await eventually(() => caught.length === 3);
    expect([read.length, caught.slice(1)]).toEqual([2, [true, true]]);
    changed();
    catchUp();
    await eventually(() => caught.length === 4);
    expect(read).toHaveLength(3);
  });

  it('S11: who waits for a reading is let go by the end', async () => {
    const { clock, refreshes, changed } = bench();
    await refreshes.during('ad-hoc', async () => {
      changed();
      let isLetGo = false;
      const caughtUp = refreshes.catchUp('ad-hoc').then(() => (isLetGo = true));
      for (let turn = 0; turn < 5; turn += 1) await clock.advance(0);
      await clock.advance(most);
      expect(isLetGo).toBe(false);
      void refreshes.close();
      await caughtUp;
      expect(isLetGo).toBe(true);
    });
  });

  it('S11: closing ends the rest, and nothing is read any more', async () => {
    const { clock, read, changed, refreshes } = bench();
    changed();
    changed('prompts');
    await clock.advance(0);
    await refreshes.close();
    changed();
    await clock.advance(most);
    expect(read).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});
