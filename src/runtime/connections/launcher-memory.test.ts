import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits, silentLog } from '../../base/index.ts';
import { openLauncherMemory, type StoredLauncherMemory } from './launcher-memory.ts';

const open = (file: string): StoredLauncherMemory =>
  openLauncherMemory(file, { clock: createManualClock(), log: silentLog });

it("T9: when a launcher ran is known to the next process, by a file in Trestle's own folder", async () => {
  const file = join(tempFolder(), 'state', 'launchers.json');
  const memory = open(file);
  memory.ran('/cache/a', 5);
  expect(memory.ranAtMs('/cache/a')).toBe(5);
  await memory.close();
  expect(open(file).ranAtMs('/cache/a')).toBe(5);
  expect(open(file).ranAtMs('/cache/b')).toBeUndefined();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ '/cache/a': { atMs: 5 } });
});

it('T9: the oldest runs go beyond the bound, and what is no run is forgotten', async () => {
  const file = join(tempFolder(), 'launchers.json');
  writeFileSync(file, '{"odd":{"atMs":"1"},"other":7}');
  const memory = open(file);
  expect([memory.ranAtMs('odd'), memory.ranAtMs('other')]).toEqual([undefined, undefined]);
  for (let index = 0; index <= limits.launcherRuns; index += 1) memory.ran(`f${index}`, index);
  await memory.close();
  expect([open(file).ranAtMs('f0'), open(file).ranAtMs('f1')]).toEqual([undefined, 1]);
});
