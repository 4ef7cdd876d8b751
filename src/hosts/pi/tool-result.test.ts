import { describe, expect, it } from 'vitest';
import { calledWith, crashed, createFakeRuntime } from '../../../test/support/fake-runtime.ts';
import { type JsonObject, limits } from '../../base/index.ts';
import { type CallRequest, failedOutcome, type Outcome, type CallValue } from '../../runtime/index.ts';
import { createBridge, type ToolOutput } from '../../toolsets/index.ts';
import { toPiResult } from './tool-result.ts';

async function called(outcome: Outcome<CallValue>): Promise<ToolOutput> {
  const runtime = createFakeRuntime({
    call: async (_request: CallRequest) => outcome,
    keep: async () => '/spill/whole',
    redact: (text) => text.replaceAll('secret', '[redacted]'),
  });
  const [tool] = createBridge(runtime, { downloadRoot: undefined });
  if (tool === undefined) throw new Error('no tool');
  return tool.execute({ server: 's', toolName: 't' });
}

const options = { forScripts: true, durationMs: 12.4 };

function withResult(result: JsonObject): Outcome<CallValue> {
  const outcome = calledWith('shown');
  return 'value' in outcome ? { ...outcome, value: { ...outcome.value, result: result as never } } : outcome;
}

describe('what a script of code mode gets', () => {
  it('N1: the whole result, far beyond what the model is shown, without secrets', async () => {
    const long = 'x'.repeat(limits.detailsBytes * 20);
    const result = { content: [{ type: 'text', text: `secret ${long}` }], structuredContent: { n: 1 } };
    const pi = toPiResult(await called(withResult(result)), options);
    expect(pi.structuredContent).toEqual({
      content: [{ type: 'text', text: `[redacted] ${long}` }],
      structuredContent: { n: 1 },
    });
    expect(pi.content).toEqual([{ type: 'text', text: 'shown' }]);
    expect(JSON.stringify(pi.details).length).toBeLessThan(1_000);
    expect(pi.details).toMatchObject({ kind: 'ok', durationMs: 12, summary: { path: '/spill/whole' } });
  });

  it('N1: beyond the limit, what the model is shown', async () => {
    const result = { content: [{ type: 'text', text: 'x'.repeat(limits.scriptResultBytes) }] };
    const pi = toPiResult(await called(withResult(result)), options);
    expect(pi.structuredContent).toEqual({ content: [{ type: 'text', text: 'shown' }], isError: false });
  });

  it('N1: nothing where the call failed before there was a result: the script is told by a rejection', async () => {
    const pi = toPiResult(await called(failedOutcome(crashed)), options);
    expect(pi).not.toHaveProperty('structuredContent');
    expect(pi).toMatchObject({ isError: true, details: { kind: 'unavailable', execution: 'unknown' } });
  });
});

it('N1: an integer that a number cannot keep is a text in what Pi keeps as JSON', async () => {
  const result = { content: [], structuredContent: { id: 12345678901234567890n } };
  const pi = toPiResult(await called(withResult(result)), options);
  expect(JSON.parse(JSON.stringify(pi))).toMatchObject({
    structuredContent: { structuredContent: { id: '12345678901234567890' } },
  });
});
