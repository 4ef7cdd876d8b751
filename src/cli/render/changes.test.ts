import { describe, expect, it } from 'vitest';
import type { ChangedPart } from '../../registry/index.ts';
import type { SyncedChanges } from '../../runtime/index.ts';
import { renderChanges } from './changes.ts';
import { createStyle } from './style.ts';

const nothing = { added: [], changed: [], removed: [], unchanged: 0 };
const plain = createStyle(false, { NO_COLOR: '1' });

function render(parts: readonly ChangedPart[]): readonly string[] {
  return renderTools({ ...nothing, changed: [{ name: 'read', fields: ['description'], parts, drift: true }] }).slice(2);
}

function renderTools(tools: SyncedChanges['tools'], denied = 0): readonly string[] {
  const changes: SyncedChanges = {
    server: 'files',
    tools,
    resources: nothing,
    resourceTemplates: nothing,
    prompts: nothing,
    meta: [],
    overwritten: [],
    instructionsKept: false,
    repaired: false,
    findings: [],
    denied,
  };
  return renderChanges({ changes, problems: [] }, plain);
}

it('K3: a sync counts what may be called, and says how many tools are denied', () => {
  expect(renderTools({ ...nothing, unchanged: 6 }, 8)).toEqual(['files: 6 tools (8 denied), unchanged']);
  expect(renderTools({ ...nothing, unchanged: 1 })).toEqual(['files: 1 tool, unchanged']);
});

describe('what a sync shows of a changed tool', () => {
  it('R8: each part with its text before and after', () => {
    expect(
      render([
        { part: 'description', before: 'Reads.', after: 'Sends.' },
        { part: 'parameter to', after: '{"type":"string"}' },
        { part: 'annotations', before: '{"destructiveHint":true}' },
      ]),
    ).toEqual([
      '      description: Reads. -> Sends.',
      '      parameter to: added {"type":"string"}',
      '      annotations: removed {"destructiveHint":true}',
    ]);
  });

  it('R8: of long texts what is around the first difference', () => {
    const same = 'x'.repeat(500);
    const [line = ''] = render([{ part: 'description', before: `${same} before`, after: `${same} after` }]);
    expect(line).toContain(' before -> …');
    expect(line).toMatch(/ after$/);
    expect(line.length).toBeLessThan(300);
  });

  it('R8, C5: clean, on one line, and no more than a person reads', () => {
    const parts = Array.from({ length: 50 }, (_, at) => ({ part: `p${at}\u001B[31m`, after: 'a\nb\u202E' }));
    const lines = render(parts);
    expect(lines.at(-1)).toBe('      and 38 parts more');
    expect(lines[0]).toBe('      p0: added a b');
  });
});

it('of a long list the first ten names that are new are told, and how many more there are', () => {
  const names = Array.from({ length: 12 }, (_, at) => `t${at}`);
  expect(renderTools({ ...nothing, added: names }).slice(10)).toEqual(['  + tool t9', '  + 2 more tools']);
  expect(renderTools({ ...nothing, added: names.slice(0, 10) }).at(-1)).toBe('  + tool t9');
});
