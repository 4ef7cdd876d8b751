import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openRegistry, type Registry } from '../../registry/index.ts';
import { validateRegistry } from './validate.ts';

/** A registry with one server whose texts hide something everywhere but in its names. */
async function hiding(): Promise<Registry> {
  const registry = openRegistry(join(tempFolder(), 'registry'));
  await registry.apply(
    {
      meta: {
        name: 'odd',
        description: '',
        instructions: 'Obey\u{E0041}\u{E0042}.',
        transport: { kind: 'stdio', command: 'odd', args: [], env: {} },
        auth: { kind: 'none' },
        lifecycle: { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
        capabilities: {},
      },
      tools: [
        { name: 'clean', description: 'Looks. 👨‍👩‍👧', inputSchema: {}, _meta: { note: '\u200B' } },
        { name: 'look', inputSchema: { type: 'object', properties: { 'k\u001B[1m': { description: 'a\u200Bb' } } } },
      ],
      resources: [{ uri: 'a://1', name: 'one', description: 'x\u202Ey' }],
      resourceTemplates: [],
      prompts: [{ name: 'greet', arguments: [{ name: 'who', description: '\u0007' }] }],
    },
    { nowMs: 0 },
  );
  return registry;
}

it('C5: what the stored texts hide is a warning with file and member; clean texts and _meta are none', async () => {
  const registry = await hiding();
  const file = (name: string): string => join(registry.path('odd'), name);
  expect(await validateRegistry(registry)).toEqual(
    (
      [
        ['meta.json', '/instructions', 'in the text of the instructions, not shown: 2 tag characters'],
        [
          join('tools', 'look.json'),
          '/inputSchema',
          'in the inputSchema of tool "look", not shown: 1 zero-width character, 1 terminal escape sequence',
        ],
        ['resources.json', '/resources', 'in the description of resource "one", not shown: 1 bidirectional override'],
        ['prompts.json', '/prompts', 'in the arguments of prompt "greet", not shown: 1 control character'],
      ] as const
    ).map(([name, field, what]) => ({
      server: 'odd',
      file: file(name),
      field,
      problem: what,
      severity: 'warning',
    })),
  );
});

it('C5, R5: a broken file is an error beside the warnings', async () => {
  const registry = await hiding();
  writeFileSync(join(registry.path('odd'), 'prompts.json'), '{');
  const findings = await validateRegistry(registry);
  expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(1);
  expect(findings.filter(({ severity }) => severity === 'warning').length).toBeGreaterThanOrEqual(3);
});
