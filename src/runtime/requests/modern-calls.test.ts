import { describe, expect, it } from 'vitest';
import { modernVices } from '../../../test/support/dial-real.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { trestleHome, valueOf } from '../../../test/support/trestle-home.ts';

describe('a call of revision 2026-07-28', () => {
  it('S14, S11: of a stored tool whose marks have changed runs once all the same, and the registry learns of them', async () => {
    const { endpoint, ran } = await modernVices('http');
    const url = 'url' in endpoint ? endpoint.url : '';
    const { runtime } = trestleHome({ vices: { url } }, { longLived: true });
    const call = (tool: string, args: object = {}) => runtime.call({ server: 'vices', tool, arguments: args });
    const markOf = (): unknown => JSON.stringify(runtime.registry.tool('vices', 'mirrored').value?.inputSchema);
    valueOf(await call('remark'));
    expect(markOf()).toContain('"x-mcp-header":"Region"');
    valueOf(await call('mirrored', { region: 'eu' }));
    const did = ran().filter((line) => line.endsWith('mirrored'));
    expect(did).toEqual(['refused mirrored', 'call mirrored']);
    await eventually(() => String(markOf()).includes('"x-mcp-header":"Zone"'));
  });

  it('S14: that becomes a task tells its progress and gives its result', async () => {
    const { endpoint } = await modernVices('http');
    const url = 'url' in endpoint ? endpoint.url : '';
    const { runtime } = trestleHome({ vices: { url } });
    const told: unknown[] = [];
    const onProgress = (progress: unknown): void => void told.push(progress);
    const outcome = await runtime.call({ server: 'vices', tool: 'job', onProgress });
    expect(valueOf(outcome).shown.blocks[0]).toEqual({ type: 'text', text: 'finished' });
    expect(told).toMatchObject([{ message: 'step 1' }, { message: 'step 2' }]);
    expect(await runtime.call({ server: 'vices', tool: 'job_cancelled' })).toMatchObject({
      kind: 'cancelled',
      execution: 'unknown',
      failure: { details: { taskId: 'job-2' } },
    });
  });
});
