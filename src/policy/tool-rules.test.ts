import { describe, expect, it } from 'vitest';
import { judgeTool, saysDestructive, type ToolRules } from './tool-rules.ts';

const rules = (lists: Partial<ToolRules>): ToolRules => ({ allow: undefined, deny: [], ask: [], ...lists });

describe('the rules of tools', () => {
  it('K3: without rules every tool may be called', () => {
    expect(judgeTool(undefined, 'any')).toEqual({ kind: 'allowed' });
    expect(judgeTool(rules({}), 'any')).toEqual({ kind: 'allowed' });
  });

  it('K3: deny wins over allow, allow over all that it does not have, and ask is last', () => {
    const all = rules({ allow: ['file_*'], deny: ['*_delete'], ask: ['file_w*', '*_delete', 'other'] });
    expect(judgeTool(all, 'file_read')).toEqual({ kind: 'allowed' });
    expect(judgeTool(all, 'file_write')).toEqual({ kind: 'ask', rule: 'tools.ask has "file_w*"' });
    expect(judgeTool(all, 'file_delete')).toEqual({ kind: 'denied', rule: 'tools.deny has "*_delete"' });
    expect(judgeTool(all, 'other')).toEqual({ kind: 'denied', rule: 'tools.allow does not have it' });
    expect(judgeTool(all, 'File_read')).toMatchObject({ kind: 'denied' });
  });

  it('K3: an empty list of allowed tools allows none', () => {
    expect(judgeTool(rules({ allow: [] }), 'any')).toMatchObject({ kind: 'denied' });
  });

  it.each([
    [{ destructiveHint: true }, true],
    [{ readOnlyHint: false }, true],
    [{ readOnlyHint: false, destructiveHint: false }, false],
    [{ readOnlyHint: true, destructiveHint: true }, false],
    [{ destructiveHint: 'true' }, false],
    [{}, false],
    [undefined, false],
    [[], false],
  ])('K3: %j: destructive %s', (annotations, expected) => {
    expect(saysDestructive(annotations)).toBe(expected);
  });
});
