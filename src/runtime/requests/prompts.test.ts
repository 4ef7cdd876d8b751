import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf, type TestHome, trestleHome, valueOf } from '../../../test/support/trestle-home.ts';

const modern = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../../test/servers/modern.mjs'), 'stdio'],
};

/** A home whose server has one prompt, `greet`, with one required argument, `name`. */
async function withPrompts(): Promise<TestHome> {
  const home = trestleHome({ modern });
  valueOf(await home.runtime.sync({ server: 'modern' }));
  return home;
}

/** Whether anything is connected. */
async function isConnected({ runtime }: TestHome): Promise<boolean> {
  return (await runtime.status()).servers.some(({ entries }) => entries.length > 0);
}

describe('a prompt', () => {
  it('L1: comes as the server sent it, and in a guarded form under its roles', async () => {
    const { runtime } = await withPrompts();
    const wanted = { server: 'modern', prompt: 'greet', arguments: { name: 'Ada\u001B[31m' } };
    const got = valueOf(await runtime.getPrompt(wanted));
    expect(got.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet Ada\u001B[31m.' } }]);
    expect(got.shown.blocks).toEqual([
      { type: 'text', text: 'user:' },
      { type: 'text', text: 'Greet Ada.' },
    ]);
    expect(valueOf(await runtime.getPrompt({ ...wanted, present: false })).shown.blocks).toEqual([]);
  });

  it('L8: what the registry knows to be missing is refused before anything starts', async () => {
    const { runtime } = await withPrompts();
    const home = trestleHome({ modern }, { places: runtime.places });
    const refused = failureOf(await home.runtime.getPrompt({ server: 'modern', prompt: 'greet' }));
    expect(refused).toMatchObject({
      kind: 'invalid-arguments',
      execution: 'not-sent',
      failure: { code: 'invalid_arguments', details: { missing: ['name'], example: { name: 'example_value' } } },
    });
    const slip = { server: 'modern', prompt: 'greet', arguments: { nane: 'Ada', other: 'kept' } };
    expect(failureOf(await home.runtime.getPrompt(slip)).failure.details).toMatchObject({
      missing: [],
      misspelt: { nane: 'name' },
      example: { name: 'Ada', other: 'kept' },
    });
    const unknown = failureOf(await home.runtime.getPrompt({ server: 'modern', prompt: 'gret' }));
    expect(unknown).toMatchObject({
      kind: 'not-found',
      failure: { code: 'unknown_prompt', details: { nearest: ['greet'] } },
    });
    expect(await isConnected(home)).toBe(false);
  });

  it('L1: where the registry knows nothing of the prompts, the server decides', async () => {
    const { runtime } = trestleHome({ modern });
    const greeting = { server: 'modern', prompt: 'greet', arguments: { name: 'Ada' } };
    expect(await runtime.getPrompt(greeting)).toMatchObject({ kind: 'ok' });
    expect(failureOf(await runtime.getPrompt({ ...greeting, arguments: {} })).failure.code).toBe('protocol_error');
    valueOf(await runtime.sync({ server: 'modern' }));
    writeFileSync(join(runtime.registry.path('modern'), 'prompts.json'), '{');
    expect(await runtime.getPrompt(greeting)).toMatchObject({ kind: 'ok' });
  });

  it('L1: prompts are listed from the live server', async () => {
    const { runtime } = await withPrompts();
    expect(valueOf(await runtime.listPrompts({ server: 'modern' })).prompts).toMatchObject([
      { name: 'greet', arguments: [{ name: 'name', required: true }] },
    ]);
  });
});
