import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/index.ts';
import { openRegistry } from '../../registry/index.ts';
import { createDescriptors } from './descriptors.ts';

async function open() {
  const registry = openRegistry(tempFolder());
  const clock = createManualClock();
  const descriptors = createDescriptors(registry, clock);
  const describeAs = (description: string) =>
    registry.apply(
      {
        meta: {
          name: 'server',
          description: '',
          instructions: '',
          transport: { kind: 'stdio', command: 'x', args: [], env: {} },
          auth: { kind: 'none' },
          lifecycle: { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
          capabilities: {},
        },
        tools: [{ name: 'look', description, inputSchema: { type: 'object' } }],
        resources: [],
        resourceTemplates: [],
        prompts: [],
      },
      { nowMs: 0 },
    );
  await describeAs('Looks.');
  const found = () => descriptors.find('server', 'look').value?.description;
  return { clock, descriptors, describeAs, found };
}

describe('remembered descriptors', () => {
  it('R6: a descriptor that another process changed is read anew a moment later', async () => {
    const { clock, descriptors, describeAs, found } = await open();
    expect(found()).toBe('Looks.');
    await clock.advance(limits.callLookMs);
    expect(descriptors.find('server', 'look')).toBe(descriptors.find('server', 'look'));
    await describeAs('Looks closely.');
    await clock.advance(limits.callLookMs);
    expect(found()).toBe('Looks closely.');
  });

  it('R6: a descriptor that this runtime changed is read anew at once', async () => {
    const { descriptors, describeAs, found } = await open();
    expect(found()).toBe('Looks.');
    await describeAs('Looks closely.');
    descriptors.forget();
    expect(found()).toBe('Looks closely.');
  });

  it('R6: a tool that was not there is looked for every time', async () => {
    const { descriptors } = await open();
    expect(descriptors.find('other', 'look').value).toBeUndefined();
    expect(descriptors.find('other', 'look')).not.toBe(descriptors.find('other', 'look'));
  });
});
