import { expect, it } from 'vitest';
import { limits } from '../../base/index.ts';
import { renderServer } from './descriptor.ts';
import { createStyle } from './style.ts';

it('L1: instructions of any length are cut where they are shown, marked, and no character is split', () => {
  const facts = { name: 's', description: '', facts: [], tools: [], resources: 0, resourceTemplates: 0, prompts: 0 };
  const instructions = `x${'🦊'.repeat(limits.instructionsCharacters)}`;
  const text = renderServer({ ...facts, instructions }, createStyle(false, {}), 100).join('\n');
  expect(text).toContain('🦊…\n');
  expect(text.length).toBeLessThan(limits.instructionsCharacters + 100);
  expect(text.isWellFormed()).toBe(true);
});
