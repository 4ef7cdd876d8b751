import { expect, it } from 'vitest';
import { limits } from '../../base/index.ts';
import { readChunks } from './http-body.ts';

it('P5: a body without end lets all else have its turn', async () => {
  const piece = new Uint8Array(limits.bodyTurnBytes / 4);
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) });
  let hadTurns = 0;
  const takeTurn = (): void => {
    hadTurns += 1;
    if (hadTurns < 10) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  let chunks = 0;
  await readChunks(new Response(endless), () => (chunks += 1) < 1_000 && hadTurns < 10);
  expect(hadTurns).toBe(10);
  expect(chunks).toBeLessThanOrEqual(4 * 11);
});
