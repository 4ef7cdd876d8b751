import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { adHoc, type TestHome, trestleHome, valueOf } from '../../../test/support/trestle-home.ts';
import type { RuntimeOptions } from '../index.ts';

const changingLists = join(import.meta.dirname, '../../../test/servers/changing-lists.mjs');

interface Changing {
  readonly home: TestHome;
  /** Sets what the server lists from now on. */
  readonly has: (lists: Readonly<Record<string, unknown>>) => void;
  /** Lets the server send notices about a list. */
  readonly notify: (list: string, times?: number) => Promise<void>;
  /** How often a list was asked for. */
  readonly asked: (method: string) => number;
  /** Names of the tools in the registry, but for the server's own. */
  readonly tools: () => readonly string[];
}

function changing(options: Partial<RuntimeOptions> = {}, more: Readonly<Record<string, unknown>> = {}): Changing {
  const file = join(tempFolder(), 'lists.json');
  const has = (lists: Readonly<Record<string, unknown>>): void => writeFileSync(file, JSON.stringify(lists));
  has({ tools: ['one'] });
  const entry = { command: process.execPath, args: [changingLists, file], ...more };
  const home = trestleHome({ changing: entry }, { longLived: true, ...options });
  return {
    home,
    has,
    async notify(list, times = 1) {
      valueOf(await home.runtime.call({ server: 'changing', tool: 'notify', arguments: { list, times } }));
    },
    asked: (method) =>
      existsSync(`${file}.asked`)
        ? readFileSync(`${file}.asked`, 'utf8')
            .split('\n')
            .filter((line) => line === method).length
        : 0,
    tools: () =>
      home.runtime.registry
        .tools('changing')
        .value.map(({ name }) => name)
        .filter((name) => name !== 'notify'),
  };
}

/** What was told of syncs and trouble. */
function told({ events }: TestHome): readonly string[] {
  return events.flatMap((event) =>
    event.kind === 'synced'
      ? [`synced ${event.server} ${event.changed}`]
      : event.kind === 'notice'
        ? [`notice ${event.text}`]
        : [],
  );
}

/** Bytes and times of what a refresh may write. */
function stamps(home: TestHome): unknown {
  const { registry } = home.runtime;
  return ['meta.json', 'prompts.json', 'resources.json', 'tools', 'tools/one.json'].map((name) => {
    const { mtimeMs, size } = statSync(join(registry.path('changing'), name));
    return { name, mtimeMs, size };
  });
}

describe('a list that a server says has changed', () => {
  it('S11: is read anew and stored, and only that list', async () => {
    const { home, has, notify, asked, tools } = changing();
    await home.runtime.sync({ server: 'changing' });
    has({ tools: ['two'], prompts: ['greet'] });
    await notify('tools');
    await eventually(() => told(home).length === 2);
    expect(tools()).toEqual(['two']);
    expect(asked('tools/list')).toBe(2);
    expect([asked('prompts/list'), asked('resources/list')]).toEqual([1, 1]);
    expect(home.runtime.registry.prompts('changing').value).toEqual([]);
    expect(told(home)).toEqual(['synced changing true', 'synced changing true']);
    // What was removed is refused without asking the server, what was added is known.
    expect(await home.runtime.call({ server: 'changing', tool: 'one' })).toMatchObject({ kind: 'not-found' });
    expect(await home.runtime.call({ server: 'changing', tool: 'two' })).toMatchObject({ kind: 'ok' });
    await notify('prompts');
    await eventually(() => home.runtime.registry.prompts('changing').value.length === 1);
    expect(asked('tools/list')).toBe(2);
    expect((await home.runtime.registry.validate()).map(({ problem }) => problem)).toEqual([]);
  });

  it('S11: a storm of notices gives one refresh and at most one more, and holds up no call', async () => {
    const { home, has, notify, asked, tools } = changing();
    await home.runtime.sync({ server: 'changing' });
    has({ tools: ['one', 'two'] });
    await notify('tools', 500);
    await notify('prompts', 500);
    await eventually(() => tools().length === 2);
    await notify('resources');
    await eventually(() => asked('resources/list') === 2);
    expect(asked('tools/list')).toBeLessThanOrEqual(3);
    expect(asked('prompts/list')).toBeLessThanOrEqual(3);
  });

  it('S11: what the registry says against a call is believed once what the server has told of was read', async () => {
    const { home, has, notify, asked } = changing();
    await home.runtime.sync({ server: 'changing' });
    const call = (tool: string) => home.runtime.call({ server: 'changing', tool });
    for (const tool of ['two', 'three', 'four']) {
      has({ tools: ['one', tool] });
      await notify('tools');
      expect((await call(tool)).kind).toBe('ok');
    }
    const before = asked('tools/list');
    expect((await call('five')).kind).toBe('not-found');
    expect(asked('tools/list'), 'nothing was told').toBe(before);
  });

  it('S11: an unchanged list is recognised: nothing is written, nothing told', async () => {
    const { home, notify, asked } = changing();
    await home.runtime.sync({ server: 'changing' });
    const before = { stamps: stamps(home), told: told(home) };
    await notify('tools');
    await notify('resources');
    await eventually(() => asked('tools/list') === 2 && asked('resources/list') === 2);
    // The next refresh begins after the rest: by then whatever the last one did is done.
    await notify('prompts');
    await eventually(() => asked('prompts/list') === 2);
    expect({ stamps: stamps(home), told: told(home) }).toEqual(before);
  });

  it('S11: a server that tells of a change at every list does not go round for ever', async () => {
    const { home, has, notify, asked } = changing();
    await home.runtime.sync({ server: 'changing' });
    has({ tools: ['one'], restless: true });
    await notify('tools');
    await eventually(() => asked('tools/list') >= 4);
    await notify('tools');
    expect(asked('tools/list')).toBeLessThanOrEqual(6);
  });

  it('S11: nothing is stored of a server that was never synced, was removed, or stands in no file', async () => {
    const { home, has, notify, asked, tools } = changing();
    const { runtime } = home;
    const entry = runtime.config().servers.get('changing');
    if (entry === undefined) throw new Error('the entry is there');
    const given = { ...adHoc({ command: 'unused', args: [] }), name: 'given', transport: entry.transport };
    has({ tools: ['two'] });
    const request = { server: given, tool: 'notify', arguments: { list: 'tools', times: 1 } };
    expect(await runtime.call(request)).toMatchObject({ kind: 'ok' });
    expect(asked('tools/list')).toBe(1);
    valueOf(await runtime.listPrompts({ server: 'changing' }));
    await runtime.sync({ server: 'changing' });
    await notify('tools');
    await runtime.forget('changing');
    await eventually(async () => (await runtime.status()).servers.every(({ entries }) => entries.length <= 1));
    expect(runtime.registry.servers().value).toEqual([]);
    expect(tools()).toEqual([]);
    expect(told(home)).toEqual(['synced changing true']);
  });

  it('S11: descriptors written by hand stay as they are', async () => {
    const { home, has, notify, asked, tools } = changing();
    const { registry } = home.runtime;
    await home.runtime.sync({ server: 'changing' });
    const file = join(registry.path('changing'), 'meta.json');
    const manual = { ...registry.meta('changing').value, syncedFrom: 'manual' };
    writeFileSync(file, JSON.stringify(manual));
    has({ tools: ['two'] });
    await notify('tools');
    await eventually(() => asked('tools/list') === 2);
    await notify('prompts');
    await eventually(() => asked('prompts/list') === 2);
    expect(tools()).toEqual(['one']);
  });

  it('S11: a list that cannot be read any more is a notice, and calls go on', async () => {
    const { home, has, notify, tools } = changing();
    await home.runtime.sync({ server: 'changing' });
    has({ tools: ['two'], broken: 'tools/list' });
    await notify('tools');
    await eventually(() => told(home).length === 2);
    expect(told(home)[1]).toMatch(/^notice changing: .*list of tools.*out of order/);
    expect(tools()).toEqual(['one']);
    await notify('prompts');
  });

  it('S11: a host that lives for one command does not listen', async () => {
    const { home, has, notify, asked } = changing({ longLived: false });
    await home.runtime.sync({ server: 'changing' });
    has({ tools: ['two'] });
    await notify('tools');
    await notify('tools');
    await home.runtime.close();
    expect(asked('tools/list')).toBe(1);
  });

  it('P5: what a kept server lists is read anew once it is connected again', async () => {
    const { home, has, tools } = changing({}, { lifecycle: 'keep-alive' });
    const { runtime } = home;
    await runtime.sync({ server: 'changing' });
    has({ tools: ['two'], prompts: ['greet'] });
    const pid = (await runtime.status()).servers[0]?.entries[0]?.info?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await eventually(() => told(home).length === 2);
    expect(home.events).toContainEqual({ kind: 'ready', server: 'changing', reconnected: true });
    expect(tools()).toEqual(['two']);
    expect(runtime.registry.prompts('changing').value).toMatchObject([{ name: 'greet' }]);
  });

  it('S11: a modern server is listened to as well', async () => {
    const script = join(import.meta.dirname, '../../../test/servers/growing.mjs');
    const home = trestleHome({ growing: { command: process.execPath, args: [script] } }, { longLived: true });
    const { runtime } = home;
    expect(valueOf(await runtime.sync({ server: 'growing' })).info.era).toBe('modern');
    await runtime.call({ server: 'growing', tool: 'grow' });
    await eventually(() => runtime.registry.tools('growing').value.length === 2);
    expect(runtime.registry.tools('growing').value.map(({ name }) => name)).toEqual(['grow', 'grown']);
  });
});
