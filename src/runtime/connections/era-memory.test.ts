import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits, silentLog } from '../../base/index.ts';
import type { EraVerdict } from '../../session/index.ts';
import { openEraMemory } from './era-memory.ts';

const verdict: EraVerdict = { era: 'modern', link: 'streamable', fromSilence: false, atMs: 5 };

function open(file: string) {
  const clock = createManualClock();
  return { clock, memory: openEraMemory(file, { clock, log: silentLog }) };
}

describe('the memory of eras', () => {
  it('S2: what was learnt is there for the next process, in a private file', async () => {
    const file = join(tempFolder(), 'state', 'eras.json');
    const first = open(file);
    first.memory.set('a', verdict);
    await first.memory.close();
    expect(open(file).memory.get('a')).toEqual(verdict);
    const privateMode = process.platform === 'win32' ? 0o666 : 0o600;
    expect(statSync(file).mode & 0o777).toBe(privateMode);
  });

  it.each(['stdio', 'streamable', 'sse', 'events'] as const)('S2, H10: a verdict over %s is kept', async (link) => {
    const file = join(tempFolder(), 'eras.json');
    const first = open(file);
    first.memory.set('a', { ...verdict, era: 'legacy', link });
    await first.memory.close();
    expect(open(file).memory.get('a')).toMatchObject({ link });
  });

  it('S2: verdicts are written a moment after they were found, without being asked', async () => {
    const file = join(tempFolder(), 'eras.json');
    const { memory, clock } = open(file);
    memory.set('a', verdict);
    expect(existsSync(file)).toBe(false);
    await clock.advance(limits.memoryWriteDelayMs);
    await eventually(() => open(file).memory.get('a') !== undefined);
  });

  it('S2: what is forgotten stays forgotten, what another process learnt stays known', async () => {
    const file = join(tempFolder(), 'eras.json');
    const first = open(file);
    first.memory.set('a', verdict);
    await first.memory.close();
    const second = open(file);
    const third = open(file);
    second.memory.forget('a');
    third.memory.set('b', verdict);
    await second.memory.close();
    await third.memory.close();
    const { memory } = open(file);
    expect(memory.get('a')).toBeUndefined();
    expect(memory.get('b')).toEqual(verdict);
  });

  it('S2: a corrupt file, or a corrupt entry, is an empty memory', () => {
    const folder = tempFolder();
    const file = join(folder, 'eras.json');
    for (const text of ['{', '[]', '{"a":{"era":"stone","link":"stdio","fromSilence":false,"atMs":1}}']) {
      writeFileSync(file, text);
      expect(open(file).memory.get('a')).toBeUndefined();
    }
    mkdirSync(join(folder, 'folder.json'));
    expect(open(join(folder, 'folder.json')).memory.get('a')).toBeUndefined();
  });

  it('S2: the oldest verdicts go beyond the bound', async () => {
    const file = join(tempFolder(), 'eras.json');
    const { memory } = open(file);
    for (let index = 0; index <= limits.eraVerdicts; index += 1) memory.set(`h${index}`, { ...verdict, atMs: index });
    await memory.close();
    const later = open(file).memory;
    expect(later.get('h0')).toBeUndefined();
    expect(later.get('h1')).toBeDefined();
  });
});
