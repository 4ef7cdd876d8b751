import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { daemonHome } from '../../test/support/daemon-home.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { type RawClient, rawClient } from '../../test/support/raw-client.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { countingStdio, failureOf } from '../../test/support/trestle-home.ts';
import { limits, systemClock } from '../base/index.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../runtime/index.ts';
import { readDaemonLog } from './log.ts';
import { readRecord, recordFile } from './record.ts';

const sockets = (runFolder: string): readonly string[] =>
  readdirSync(runFolder).filter((name) => name.endsWith('.sock'));

describe('how a daemon ends', () => {
  it('L7: a quarter of an hour after its last client, and leaves nothing', async () => {
    const clock = createManualClock();
    const home = daemonHome({ counting: countingStdio().entry });
    const daemon = await home.start({ clock });
    const { runtime } = home.client();
    await runtime.call({ server: 'counting', tool: 'count' });
    await clock.advance(limits.daemonIdleMs * 2);
    expect(existsSync(recordFile(home.runFolder)), 'a client is there').toBe(true);
    await runtime.close();
    await eventually(async () => {
      await clock.advance(limits.daemonIdleMs);
      return !existsSync(recordFile(home.runFolder));
    });
    expect(await daemon.ended).toBe(true);
    expect(sockets(home.runFolder)).toEqual([]);
    expect(readDaemonLog(home.runFolder).join('\n')).toContain('nobody has needed it');
  });

  it('L7, P3: not while a server is kept alive', async () => {
    const clock = createManualClock();
    const counting = countingStdio();
    const home = daemonHome({ counting: { ...counting.entry, lifecycle: 'keep-alive' } });
    // Signs of life are asked in real time.
    await home.start({ clock, openRuntime: (options) => createRuntime({ ...options, clock: systemClock }) });
    const { runtime } = home.client();
    expect((await runtime.call({ server: 'counting', tool: 'count' })).kind).toBe('ok');
    await runtime.close();
    for (let round = 0; round < 3; round += 1) await clock.advance(limits.daemonIdleMs + 1);
    expect(existsSync(recordFile(home.runFolder))).toBe(true);
  });

  it('L7: when its record was removed or is another daemon’s', async () => {
    for (const spoil of [
      (file: string) => rmSync(file),
      (file: string) => writeFileSync(file, JSON.stringify({ ...readRecord(file), token: 'another' })),
      (file: string) => rmSync(dirname(file), { recursive: true }),
    ]) {
      const clock = createManualClock();
      const home = daemonHome();
      const daemon = await home.start({ clock });
      const file = recordFile(home.runFolder);
      spoil(file);
      const left = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
      await clock.advance(limits.daemonLookMs);
      expect(await daemon.ended).toBe(true);
      expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined, 'what is not its own stays').toBe(left);
    }
  });

  it('L7: when its program was replaced', async () => {
    const clock = createManualClock();
    const home = daemonHome();
    const program = join(tempFolder(), 'cli.js');
    writeFileSync(program, '1');
    const daemon = await home.start({ clock, program });
    await clock.advance(limits.daemonLookMs);
    rmSync(program);
    await clock.advance(limits.daemonLookMs);
    expect(await daemon.ended).toBe(true);
  });

  it('L7: its last words to each client say that nothing was done of what it has not answered', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    const daemon = await home.start();
    const [entered, greeted] = [await rawClient(home), await rawClient(home, { enters: false })];
    entered.call(1, 'count');
    await eventually(() => entered.frames.length === 1);
    daemon.stop();
    await Promise.all([entered.ended, greeted.ended]);
    expect(entered.frames.at(-1)).toEqual({ refused: 'draining' });
    expect(await daemon.ended).toBe(true);
    // Whoever was between the daemon's greeting and its own is told so too.
    let told = false;
    greeted.met.enter({ wants: 'drain' }, { onFrame() {}, onEnd: () => (told = true) });
    expect(told).toBe(true);
  });

  it('L7: the last of a long answer arrives, however slowly it is read', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    let [closed, ended] = [false, false];
    const openRuntime = (options: RuntimeOptions): Runtime => {
      const runtime = createRuntime(options);
      return { ...runtime, close: () => runtime.close().then(() => void (closed = true)) };
    };
    const daemon = await home.start({ openRuntime });
    void daemon.ended.then(() => (ended = true));
    const slow: RawClient = await rawClient(home);
    const bytes = 12 * 1024 * 1024;
    slow.call(1, 'large', { bytes });
    await eventually(() => slow.met.socket.bytesRead > 1024);
    slow.met.socket.pause();
    daemon.stop();
    await eventually(() => closed);
    // Nothing is left but the reading.
    await setImmediate();
    expect(ended).toBe(false);
    slow.met.socket.resume();
    await slow.ended;
    const [first, answer, last] = slow.frames;
    expect([first, last]).toEqual([{ unreconciled: true }, { refused: 'draining' }]);
    expect(answer).toMatchObject({ id: 1, done: true });
    expect(JSON.stringify(answer).length).toBeGreaterThan(bytes);
    expect(await daemon.ended).toBe(true);
  });

  it('L7: what nobody waits for does not keep it', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    let began = false;
    const openRuntime = (options: RuntimeOptions): Runtime => ({
      ...createRuntime(options),
      reload: () => ((began = true), new Promise(() => {})),
    });
    const daemon = await home.start({ openRuntime, clock: createManualClock() });
    expect((await home.client().runtime.call({ server: 'counting', tool: 'count' })).kind).toBe('ok');
    await eventually(() => began);
    daemon.stop();
    // Its clock stands still, so no limit ends it.
    expect(await daemon.ended).toBe(true);
  });

  it('L7: what does not finish in time ends with its outcome', async () => {
    const clock = createManualClock();
    const counting = countingStdio();
    const home = daemonHome({ counting: counting.entry });
    const daemon = await home.start({ clock });
    const called = home.client().runtime.call({ server: 'counting', tool: 'hang' });
    await eventually(() => counting.ran().includes('call hang'));
    daemon.stop();
    await clock.advance(limits.daemonDrainMs - 1);
    let ended = false;
    void daemon.ended.then(() => (ended = true));
    expect(ended).toBe(false);
    const advancing = eventually(async () => {
      await clock.advance(1_000);
      return ended;
    });
    expect(failureOf(await called)).toMatchObject({ kind: 'unavailable', execution: 'unknown' });
    await advancing;
  });
});

it('L7: what a daemon dies of stands in its log', async () => {
  const home = daemonHome();
  let crash: (error: unknown) => void = () => {};
  await home.start({ onCrash: (listener) => (crash = listener) });
  crash(new Error('out of luck'));
  expect(readDaemonLog(home.runFolder).join('\n')).toContain('crashed: Error: out of luck');
});

describe('how a daemon begins', () => {
  it('L7: none does while another one has more connections than it takes', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    await home.start();
    const { address } = readRecord(recordFile(home.runFolder)) ?? { address: '' };
    const idle = Array.from({ length: limits.daemonConnections }, () => connect(address));
    onTestFinished(() => idle.forEach((socket) => socket.destroy()));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect(await (await home.start()).ended).toBe(false);
    const { runtime, notes } = home.client();
    expect((await runtime.call({ server: 'counting', tool: 'count' })).kind).toBe('ok');
    expect(notes).toEqual(['The daemon is not used: the daemon has too much to do.']);
  });

  it('L7: a second one of the same home ends at once', async () => {
    const home = daemonHome();
    await home.start();
    const record = readFileSync(recordFile(home.runFolder), 'utf8');
    expect(await (await home.start()).ended).toBe(false);
    expect(readFileSync(recordFile(home.runFolder), 'utf8')).toBe(record);
  });

  it('L7: one takes the place of a dead one, whatever lies at its address', async () => {
    const home = daemonHome();
    const dead = await home.start();
    const record = readRecord(recordFile(home.runFolder));
    dead.stop();
    await dead.ended;
    if (record === undefined) throw new Error('no record');
    writeFileSync(record.address, '');
    writeFileSync(
      recordFile(home.runFolder),
      JSON.stringify({ ...record, process: { ...record.process, pid: 1, started: 'x' } }),
      {
        mode: 0o600,
      },
    );
    await home.start();
    expect(readRecord(recordFile(home.runFolder))?.token).not.toBe(record.token);
  });

  it('L7: the socket of a deep home lies in a private folder of its own, which goes with the daemon', async () => {
    const home = daemonHome();
    const runFolder = join(home.folder, 'deep'.repeat(20), 'run');
    mkdirSync(dirname(runFolder), { recursive: true });
    const temporaryFolder = tempFolder();
    const daemon = await home.start({ runFolder, temporaryFolder });
    await eventually(() => existsSync(recordFile(runFolder)));
    const { address } = readRecord(recordFile(runFolder)) ?? { address: '' };
    expect(dirname(dirname(address))).toBe(temporaryFolder);
    daemon.stop();
    await daemon.ended;
    expect(readdirSync(temporaryFolder)).toEqual([]);
  });
});
