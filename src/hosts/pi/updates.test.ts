import { expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { limits } from '../../base/index.ts';
import type { PiToolResult } from './pi.ts';
import { showUpdates, type Updates } from './updates.ts';

function shown(): {
  readonly updates: Updates;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly texts: () => readonly string[];
} {
  const clock = createManualClock();
  const partials: PiToolResult[] = [];
  const redact = (text: string): string => text.replaceAll('secret', '[redacted]');
  const updates = showUpdates((partial) => partials.push(partial), { clock, redact });
  return {
    updates,
    clock,
    texts: () =>
      partials.flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : []))),
  };
}

it('N2: progress reaches onUpdate: the first at once, then the newest, a few times a second', async () => {
  const { updates, clock, texts } = shown();
  for (let progress = 1; progress <= 50; progress += 1) updates.onProgress?.({ progress, total: 50 });
  expect(texts()).toEqual(['progress 1 of 50']);
  await clock.advance(limits.updateEveryMs);
  expect(texts()).toEqual(['progress 1 of 50', 'progress 50 of 50']);
  await clock.advance(10 * limits.updateEveryMs);
  expect(texts()).toHaveLength(2);
});

it('N2: steps of a start are shown as they are; words of a server cleaned, redacted and cut', async () => {
  const { updates, clock, texts } = shown();
  updates.onStep?.('installing');
  await clock.advance(limits.updateEveryMs);
  updates.onProgress?.({ progress: 3, message: `\u001B[31mthe secret\n${'x'.repeat(1_000)}` });
  expect(texts()[0]).toBe('installing');
  expect(texts()[1]).toMatch(/^the \[redacted\] x+…$/);
  expect(texts()[1]?.length).toBeLessThanOrEqual(limits.updateCharacters);
});

it('N2: nothing is shown once the call is over', async () => {
  const { updates, clock, texts } = shown();
  updates.onStep?.('one');
  updates.onStep?.('two');
  updates.end();
  updates.onStep?.('three');
  await clock.advance(10 * limits.updateEveryMs);
  expect(texts()).toEqual(['one']);
  const quiet = shown();
  quiet.updates.end();
  quiet.updates.onStep?.('late');
  expect(quiet.texts()).toEqual([]);
});
