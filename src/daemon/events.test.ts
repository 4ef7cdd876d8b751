import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { daemonHome } from '../../test/support/daemon-home.ts';
import { hostOf, listening } from '../../test/support/daemon-host.ts';
import { eventually } from '../../test/support/eventually.ts';
import { countingStdio } from '../../test/support/trestle-home.ts';
import { limits, systemClock } from '../base/index.ts';
import { createRuntime, placesOf, type RuntimeEvent } from '../runtime/index.ts';
import { createDaemonClient } from './client.ts';
import { openEventsSent } from './events-sent.ts';
import type { DaemonFrame } from './protocol.ts';

const kindsOf = (events: readonly RuntimeEvent[]): readonly string[] => events.map(({ kind }) => kind);

describe('what a client hears of the daemon', () => {
  it('L7: sessions and syncs of its home, and calls of its own scope only', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    await home.start();
    const [host, other] = [hostOf(home, 'host'), hostOf(home, 'other')];
    await host.runtime.call({ server: 'counting', tool: 'count' });
    await other.runtime.call({ server: 'counting', tool: 'echo', arguments: { message: 'hi' } });
    for (const { heard, runtime } of [host, other]) {
      await heard({ kind: 'ready', server: 'counting' });
      await heard({ kind: 'synced', server: 'counting' });
      await runtime.reload();
      await heard({ kind: 'reloaded' });
    }
    expect(host.events.filter(({ kind }) => kind === 'call')).toMatchObject([{ tool: 'count' }]);
    expect(other.events.filter(({ kind }) => kind === 'call')).toMatchObject([{ tool: 'echo' }]);
  });

  it('L7: nothing of another home that the same daemon serves', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    await home.start();
    const folder = join(home.folder, 'elsewhere');
    mkdirSync(folder);
    const places = { ...placesOf(folder), runFolder: home.runFolder };
    const caller = { env: { PATH: process.env['PATH'] }, cwd: folder };
    const own = { places, userHome: folder, platform: process.platform, scope: 'library' as const, ...caller };
    const runtime = createDaemonClient({
      openLocal: () => createRuntime(own),
      caller,
      scope: own.scope,
      home: { places, userHome: folder },
      command: [process.execPath, 'none'],
      platform: process.platform,
      clock: systemClock,
      onNote() {},
    });
    onTestFinished(() => runtime.close());
    const [elsewhere, host] = [listening(runtime), hostOf(home, 'host')];
    await elsewhere.runtime.reload();
    await elsewhere.heard({ kind: 'reloaded' });
    await host.runtime.call({ server: 'counting', tool: 'count' });
    await host.heard({ kind: 'call' });
    await elsewhere.runtime.reload();
    await eventually(() => elsewhere.events.length === 2);
    expect(kindsOf(elsewhere.events)).toEqual(['reloaded', 'reloaded']);
  });

  it('L7, C4: after the daemon has ended, that of the next one, and what changed in between', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    const first = await home.start();
    const host = hostOf(home, 'host');
    await host.runtime.sync({ server: 'counting' });
    const { hash } = await host.runtime.context();
    expect(hash).not.toBe('');
    first.stop();
    await first.ended;
    // Nobody tells of this one.
    const alone = createRuntime({
      places: placesOf(home.folder),
      userHome: home.folder,
      cwd: home.folder,
      env: {},
      platform: process.platform,
    });
    await alone.forget('counting');
    await alone.close();
    await home.start();
    await host.heard({ kind: 'context', hash: '' });
    await home.client().runtime.sync({ server: 'counting' });
    await host.heard({ kind: 'context', hash });
  });

  it('L7: nothing once its last listener has left, and all again with the next one', async () => {
    const home = daemonHome();
    await home.start();
    const { runtime } = home.client();
    const told: string[] = [];
    const leave = runtime.subscribe(({ kind }) => told.push(kind));
    await runtime.reload();
    await eventually(() => told.includes('reloaded'));
    leave();
    await runtime.reload();
    const again = listening(runtime);
    await runtime.reload();
    await again.heard({ kind: 'reloaded' });
    expect(told).toEqual(['reloaded']);
  });

  it('L7: a listener that fails costs nobody else an event', async () => {
    const home = daemonHome();
    await home.start();
    const { runtime, notes } = home.client();
    runtime.subscribe(() => {
      throw new Error('not today');
    });
    const host = listening(runtime);
    await runtime.reload();
    await host.heard({ kind: 'reloaded' });
    expect(notes).toEqual(['A listener failed: not today']);
  });
});

describe('events to a client that does not read', () => {
  const ready = (server: string): RuntimeEvent => ({ kind: 'ready', server, reconnected: false });

  it('P6, L7: are kept up to a bound; beyond it the client is told that there were more', () => {
    const sent: DaemonFrame[] = [];
    let full = true;
    const events = openEventsSent('library', { isFull: () => full, send: (frame) => sent.push(frame) });
    expect(sent.splice(0)).toEqual([{ gap: true }]);
    for (let at = 0; at < limits.daemonKeptEvents; at += 1) events.tell(ready(`s${at}`));
    expect(sent).toEqual([]);
    full = false;
    events.release();
    expect(sent.splice(0)).toHaveLength(limits.daemonKeptEvents);
    full = true;
    for (let at = 0; at <= limits.daemonKeptEvents; at += 1) events.tell(ready(`s${at}`));
    full = false;
    events.tell(ready('last'));
    expect(sent).toEqual([{ gap: true }, { event: ready(`s${limits.daemonKeptEvents}`) }, { event: ready('last') }]);
  });

  it('L7: calls of other scopes and texts of other folders are not sent', () => {
    const sent: DaemonFrame[] = [];
    const events = openEventsSent('session:a', { isFull: () => false, send: (frame) => sent.push(frame) });
    const call = { kind: 'call', server: 's', tool: 't', outcome: 'ok', durationMs: 1 } as const;
    events.tell({ ...call, scope: 'session:b' });
    events.tell({
      kind: 'context',
      hash: '',
      tokens: 0,
      budgetTokens: 1,
      readsFiles: true,
      scope: 'session:a',
      changes: [],
    });
    events.tell({ ...call, scope: 'session:a' });
    expect(sent).toEqual([{ gap: true }, { event: { ...call, scope: 'session:a' } }]);
  });
});
