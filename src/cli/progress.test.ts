import { expect, it } from 'vitest';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createOutput, type TextStream } from './output.ts';
import { showProgress } from './progress.ts';

function recorded(terminal: boolean) {
  const texts: string[] = [];
  const stream: TextStream = {
    isTTY: terminal,
    columns: 60,
    write(chunk, done) {
      texts.push(String(chunk));
      done();
      return true;
    },
    on: () => {},
  };
  const clock = createManualClock();
  const output = createOutput({
    stdout: stream,
    stderr: stream,
    env: { NO_COLOR: '1' },
    json: false,
    program: { name: 'trestle' },
  });
  return { texts, clock, output };
}

it('L4: away from a terminal progress is plain lines, at most one a second a server', async () => {
  const { texts, clock, output } = recorded(false);
  using progress = showProgress(output, clock);
  const { onStep, onProgress } = progress.for('everything');
  onStep('starting');
  for (let step = 1; step <= 50; step += 1) onProgress({ progress: step, total: 50, message: 'work\u001B[2J' });
  await clock.advance(1_000);
  onProgress({ progress: 50, total: 50 });
  expect(texts).toEqual(['everything: starting\n', 'everything: work (1 of 50)\n', 'everything: progress 50 of 50\n']);
});

it('L4: on a terminal each server has one line that is rewritten and gone in the end', async () => {
  const { texts, clock, output } = recorded(true);
  const progress = showProgress(output, clock);
  progress.for('a').onStep('reading tools');
  const b = progress.for('b');
  await clock.advance(300);
  expect(texts).toEqual([]);
  await clock.advance(300);
  expect(texts.at(-1)).toContain('a: reading tools (0 s)\nb: working (0 s)\n');
  b.end();
  await clock.advance(120);
  expect(texts.at(-1)).toBe('\u001B[2F\u001B[Ja: reading tools (0 s)\n');
  output.note('something');
  expect(texts.slice(-2)).toEqual(['\u001B[1F\u001B[J', 'note: something\n']);
  await clock.advance(120);
  progress[Symbol.dispose]();
  expect(texts.at(-1)).toBe('\u001B[1F\u001B[J');
  expect(clock.pending).toBe(0);
});
