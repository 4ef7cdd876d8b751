import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { someCatalogue, someTool } from '../../../test/support/catalogue.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { countingStdio, type TestHome, trestleHome } from '../../../test/support/trestle-home.ts';
import { silentLog, systemClock } from '../../base/index.ts';
import type { Choice } from '../../context/index.ts';
import type { ToolDescriptor } from '../../registry/index.ts';
import { createRuntime } from '../create.ts';
import { placesOf } from '../places.ts';
import { openChoiceMemory } from './choice-memory.ts';
import { openTokenMemory } from './token-memory.ts';

const entry = { command: 'node', args: ['server.mjs'] };

const manyTools = Array.from({ length: 12 }, (_, index) => someTool(`tool_${index}`));

async function sync(home: TestHome, name: string, tools: readonly ToolDescriptor[]): Promise<void> {
  await home.runtime.registry.apply(someCatalogue(name, { tools }), { nowMs: 0, force: false });
}

describe('runtime.context', () => {
  it('C1, C2: tells of every configured server that was synced, and why not of the others', async () => {
    const home = trestleHome({ notes: entry, fresh: entry, off: { ...entry, enabled: false }, odd: { command: '' } });
    await sync(home, 'notes', manyTools);
    await sync(home, 'off', manyTools);
    await sync(home, 'stray', manyTools);
    const { text, servers, tools, receipt } = await home.runtime.context();
    expect({ servers, tools }).toEqual({ servers: 1, tools: 12 });
    expect(text).toContain(
      `## notes\nThe server notes\n> Be kind.\nfolder: ${join(home.folder, 'registry', 'notes')}\n`,
    );
    expect(text.match(/^## .*/gm)).toEqual(['## notes']);
    expect(receipt.notOffered).toEqual([
      { server: 'fresh', why: 'it was never synced: trestle sync fresh' },
      { server: 'odd', why: 'its entry is broken: trestle status' },
      { server: 'off', why: 'it is disabled' },
      { server: 'stray', why: 'it stands in no configuration' },
    ]);
  });

  it('C1: inlines schemas of few tools, and obeys the settings at once', async () => {
    const home = trestleHome({ notes: entry });
    await sync(home, 'notes', manyTools.slice(0, 3));
    expect((await home.runtime.context()).text).toContain('"properties":{"text":{"type":"string"}}');
    home.settings({ schemaInjectionToolLimit: 2 });
    expect((await home.runtime.context()).text).not.toContain('"properties"');
    home.settings({ schemaInjectionToolLimit: 0, contextBudgetTokens: 90 });
    const small = await home.runtime.context();
    expect(small.tokens).toBeLessThanOrEqual(90);
    expect(small.receipt.budgetTokens).toBe(90);
    expect((await home.runtime.context({ budgetTokens: 4_000 })).tokens).toBeGreaterThan(90);
    home.settings({ contextBudgetTokens: 0 });
    expect(await home.runtime.context()).toMatchObject({ text: '', tokens: 0 });
  });

  it('C1: a corrupt descriptor beside good ones costs itself alone, and is told', async () => {
    const home = trestleHome({ notes: entry });
    await sync(home, 'notes', manyTools.slice(0, 3));
    writeFileSync(join(home.folder, 'registry/notes/tools/tool_1.json'), '{"name": "tool_1", ');
    const { text, problems } = await home.runtime.context();
    expect(text).toContain('- tool_0');
    expect(text).toContain('- tool_2');
    expect(problems.join('\n')).toContain('tool_1.json');
  });

  it('C1: an empty home has an empty block', async () => {
    const { runtime } = trestleHome();
    expect(await runtime.context()).toMatchObject({ text: '', hash: '', tokens: 0, servers: 0, problems: [] });
    expect(await runtime.inlinedTokens()).toBe(0);
  });

  it('C4: the same object while nothing changed; an edit in place is seen where schemas are inlined', async () => {
    const home = trestleHome({ notes: entry });
    await sync(home, 'notes', manyTools);
    const first = await home.runtime.context();
    expect(await home.runtime.context()).toBe(first);
    await sync(home, 'notes', manyTools.slice(0, 1));
    const file = join(home.folder, 'registry/notes/tools/tool_0.json');
    await home.runtime.context();
    writeFileSync(file, readFileSync(file, 'utf8').replace('"text"', '"words"'));
    expect((await home.runtime.context()).text).toContain('"words"');
  });

  it('C4: an event tells the new hash and what changed, once, and only to who asked for the block', async () => {
    const home = trestleHome({ notes: entry, more: entry });
    await sync(home, 'notes', manyTools);
    await home.runtime.forget('more');
    const told = () => home.events.filter(({ kind }) => kind === 'context');
    expect(told()).toEqual([]);
    const before = await home.runtime.context();
    await sync(home, 'notes', [...manyTools, someTool('zoom')]);
    await sync(home, 'more', [someTool('extra')]);
    const after = await home.runtime.context();
    expect(after.hash).not.toBe(before.hash);
    expect(told()).toEqual([
      {
        kind: 'context',
        hash: after.hash,
        tokens: after.tokens,
        budgetTokens: 4_000,
        readsFiles: true,
        scope: 'library',
        changes: ['new server: more', 'notes: new zoom'],
      },
    ]);
    await home.runtime.context();
    expect(told()).toHaveLength(1);
  });

  it('C4: a server that is forgotten is told of without anybody asking again', async () => {
    const home = trestleHome({ notes: entry });
    await sync(home, 'notes', manyTools);
    await home.runtime.context();
    await home.runtime.forget('notes');
    await home.runtime.close();
    expect(home.events.at(-1)).toMatchObject({ kind: 'context', hash: '', tokens: 0, changes: ['gone server: notes'] });
  });

  it('C2, C4: a model that cannot read files has a block of its own beside the other, and each is told of', async () => {
    const home = trestleHome({ notes: entry });
    await sync(home, 'notes', manyTools);
    const withFiles = await home.runtime.context();
    const without = await home.runtime.context({ readsFiles: false });
    expect(withFiles.text).toContain(home.folder);
    expect(without.text).not.toContain(home.folder);
    expect(without.text).toContain('FetchMcpResource {server: "registry"');
    expect(await home.runtime.context()).toBe(withFiles);
    expect(await home.runtime.context({ readsFiles: false })).toBe(without);
    await home.runtime.forget('notes');
    await home.runtime.close();
    expect(home.events.filter(({ kind }) => kind === 'context')).toMatchObject([
      { readsFiles: true, hash: '' },
      { readsFiles: false, hash: '' },
    ]);
  });

  it('C4: a sync that changed something is told of, one that changed nothing is not', async () => {
    const home = trestleHome({ counting: countingStdio().entry });
    await home.runtime.context();
    await home.runtime.sync({ server: 'counting' });
    await home.runtime.sync({ server: 'counting' });
    await home.runtime.close();
    const told = home.events.filter(({ kind }) => kind === 'context');
    expect(told).toMatchObject([{ changes: ['new server: counting'] }]);
  });

  it('C6: what full inlining would cost grows with the descriptors of servers that can be called', async () => {
    const home = trestleHome({ notes: entry });
    await sync(home, 'notes', manyTools);
    const one = await home.runtime.inlinedTokens();
    expect(one).toBeGreaterThan(12 * 15);
    await sync(home, 'stray', manyTools);
    expect(await home.runtime.inlinedTokens()).toBe(one);
  });
});

describe('the memory of counts', () => {
  it('C3: a text is counted once: another process finds the count by the hash', async () => {
    const file = join(tempFolder(), 'state', 'token-counts.json');
    mkdirSync(join(file, '..'));
    const options = { clock: systemClock, log: silentLog };
    const first = openTokenMemory(file, options);
    const tokens = await first.count('some words');
    await first.close();
    expect(tokens).toBe(2);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"tokens": 2', '"tokens": 77'));
    expect(await openTokenMemory(file, options).count('some words')).toBe(77);
  });

  it('C3: whatever is wrong with the file is counted anew', async () => {
    const file = join(tempFolder(), 'token-counts.json');
    const options = { clock: systemClock, log: silentLog };
    for (const contents of ['{', '[]', '{"x": 1}']) {
      writeFileSync(file, contents);
      expect(await openTokenMemory(file, options).count('some words')).toBe(2);
    }
    const good = openTokenMemory(file, options);
    await good.count('some words');
    await good.close();
    for (const bad of ['-1', '1.5', '"2"', 'null']) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"tokens": [^,]+/, `"tokens": ${bad}`));
      expect(await openTokenMemory(file, options).count('some words')).toBe(2);
    }
  });
});

describe('the memory of choices', () => {
  const options = { clock: systemClock, log: silentLog };
  const choice: Choice = {
    shape: 'sections',
    places: new Map([
      ['notes', { rung: '80', names: 0 }],
      ['__proto__', { rung: 'counts', names: 2 }],
    ]),
  };

  it('C3: what was chosen is found by another process', async () => {
    const file = join(tempFolder(), 'state', 'block-choices.json');
    const first = openChoiceMemory(file, options);
    first.set('key', choice);
    await first.close();
    expect(openChoiceMemory(file, options).get('key')).toEqual(choice);
    expect(openChoiceMemory(file, options).get('other')).toBeUndefined();
  });

  it.each([
    ['"sections"', '"sphere"'],
    ['"80"', '"81"'],
    ['"names": 2', '"names": -2'],
    ['"names": 2', '"names": "2"'],
    ['"atMs": ', '"atMs": null, "x": '],
  ])('C3: one with %s read as %s counts as none', async (good, bad) => {
    const file = join(tempFolder(), 'block-choices.json');
    const first = openChoiceMemory(file, options);
    first.set('key', choice);
    await first.close();
    writeFileSync(file, readFileSync(file, 'utf8').replace(good, bad));
    expect(openChoiceMemory(file, options).get('key')).toBeUndefined();
  });

  it('C3, C4: a runtime takes it where nothing changed, and only there', async () => {
    const home = trestleHome({ notes: entry });
    await sync(home, 'notes', manyTools);
    home.settings({ schemaInjectionToolLimit: 0 });
    const { text } = await home.runtime.context();
    await home.runtime.close();
    const file = join(home.folder, 'state', 'block-choices.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"80"', '"names"'));
    const another = createRuntime({
      places: placesOf(home.folder),
      cwd: join(home.folder, 'work'),
      userHome: home.folder,
      env: process.env,
      platform: process.platform,
    });
    onTestFinished(() => another.close());
    expect((await another.context()).text).toContain('12 tools: tool_0, tool_1,');
    await sync({ ...home, runtime: another }, 'notes', manyTools.slice(1));
    expect((await another.context()).text).toContain('\n- tool_1: ');
    expect(text).toContain('\n- tool_0: ');
  });
});
