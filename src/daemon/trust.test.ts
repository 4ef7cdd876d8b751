/** What a client does about whatever else may stand where a daemon should be; each has its defined end. */
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOfDaemon, type DaemonHome, daemonHome } from '../../test/support/daemon-home.ts';
import { cliPath } from '../../test/support/cli.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createFastClock } from '../../test/support/fast-clock.ts';
import { rawClient } from '../../test/support/raw-client.ts';
import { adHoc, countingStdio } from '../../test/support/trestle-home.ts';
import { limits, ownIdentity, systemClock } from '../base/index.ts';
import { placesOf } from '../runtime/index.ts';
import { lookAtDaemon } from './control.ts';
import { frameText } from './frames.ts';
import { greet } from './greet.ts';
import { proofOf } from './proof.ts';
import { protocolNumber } from './protocol.ts';
import { type DaemonRecord, readRecord, recordFile, writeRecord } from './record.ts';

function homeWithCounting(): DaemonHome {
  return daemonHome({ counting: countingStdio().entry });
}

async function callOf(client: ClientOfDaemon): Promise<string> {
  return (await client.runtime.call({ server: 'counting', tool: 'count' })).kind;
}

/** The record of a daemon that was at work, in a home where none is now. */
async function oldRecord(home: DaemonHome): Promise<DaemonRecord> {
  const daemon = await home.start();
  const record = readRecord(recordFile(home.runFolder));
  daemon.stop();
  await daemon.ended;
  if (record === undefined) throw new Error('no record');
  return record;
}

/** Something that listens where the record says, in a home that trusts it. */
async function listener(
  home: DaemonHome,
  onSocket: (socket: Socket, record: DaemonRecord) => void,
): Promise<DaemonRecord> {
  const record = { ...(await oldRecord(home)), address: join(home.runFolder, 'x.sock') };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onSocket(socket, record);
  });
  await new Promise<void>((resolve) => server.listen(record.address, resolve));
  chmodSync(record.address, 0o600);
  onTestFinished(() => void server.close());
  await writeRecord(home.runFolder, record);
  return record;
}

/** A newer daemon that knows the token and has one answer for each line after the hello, `left` for its end; gives those lines. */
async function spokenDaemon(home: DaemonHome, answers: readonly (object | 'left')[]): Promise<readonly string[]> {
  const heard: string[] = [];
  await listener(home, (socket, { token }) => {
    const left = [...answers];
    let greeted = false;
    createInterface({ input: socket }).on('line', (line) => {
      if (!greeted) {
        greeted = true;
        const { hello } = JSON.parse(line) as { readonly hello: { readonly nonce: string } };
        const proof = proofOf('daemon', token, { client: hello.nonce, daemon: '00' });
        socket.write(frameText({ hello: { protocol: protocolNumber, version: '99.0.0', nonce: '00', proof } }));
        return;
      }
      heard.push(line);
      const answer = left.shift() ?? 'left';
      if (answer === 'left') socket.destroy();
      else socket.write(frameText(answer));
    });
  });
  return heard;
}

describe('the daemon is not used, and one line says why', () => {
  type Spoiled = readonly [what: string, spoil: (home: DaemonHome, record: DaemonRecord) => void, why: RegExp];
  const spoiled: readonly Spoiled[] = [
    ['a run folder that others can write', ({ runFolder }) => chmodSync(runFolder, 0o777), /run can be used by others/],
    [
      'a run folder that is a link',
      ({ runFolder, folder }) => {
        rmSync(runFolder, { recursive: true });
        mkdirSync(join(folder, 'elsewhere'), { mode: 0o700 });
        symlinkSync(join(folder, 'elsewhere'), runFolder);
      },
      /run is a link/,
    ],
    [
      'a run folder that is a file',
      ({ runFolder }) => (rmSync(runFolder, { recursive: true }), writeFileSync(runFolder, '')),
      /run is no folder/,
    ],
    [
      'a record that others can read',
      ({ runFolder }) => chmodSync(recordFile(runFolder), 0o644),
      /daemon.json can be used by others/,
    ],
    // Whoever is root finds out; nobody else can give a file away.
    ...(process.getuid?.() === 0
      ? ([
          [
            'a run folder of another user',
            ({ runFolder }) => chownSync(runFolder, 12_345, 0),
            /run belongs to another user/,
          ],
          [
            'a record of another user',
            ({ runFolder }) => chownSync(recordFile(runFolder), 12_345, 0),
            /daemon.json belongs to another user/,
          ],
        ] as const satisfies readonly Spoiled[])
      : []),
    ['an address that is a file', (_, { address }) => writeFileSync(address, '', { mode: 0o600 }), /is no socket/],
  ];

  it.each(spoiled)('L7: %s', async (_, spoil, why) => {
    const home = homeWithCounting();
    const record = await oldRecord(home);
    await writeRecord(home.runFolder, record);
    spoil(home, record);
    const client = home.client();
    expect(await callOf(client)).toBe('ok');
    expect(client.notes).toEqual([expect.stringMatching(why)]);
    expect(await callOf(client), 'told once').toBe('ok');
    expect(client.notes).toHaveLength(1);
  });

  it('L7: a socket that others can use', async () => {
    const home = homeWithCounting();
    let connections = 0;
    const { address } = await listener(home, () => (connections += 1));
    chmodSync(address, 0o666);
    const client = home.client();
    expect(await callOf(client)).toBe('ok');
    expect(client.notes).toEqual([expect.stringMatching(/\.sock can be used by others \(mode 666\)/)]);
    expect(connections).toBe(0);
  });

  it('L7: a listener that does not know the token learns nothing of the request', async () => {
    const home = homeWithCounting();
    const heard: string[] = [];
    await listener(home, (socket) => {
      socket.on('data', (data: Buffer) => heard.push(data.toString()));
      const hello = { protocol: protocolNumber, version: '0.1.0', nonce: '00', proof: '0'.repeat(64) };
      socket.write(frameText({ hello }));
    });
    const client = home.client({ env: { SECRET: 'hunter2-hunter2' } });
    expect(await callOf(client)).toBe('ok');
    expect(client.notes).toEqual([expect.stringMatching(/what listens at .* is not the daemon/)]);
    expect(heard.join('')).not.toContain('counting');
    expect(heard.join('')).not.toContain('hunter2');
  });

  it('L7: a daemon is given no variable that the definitions do not name', async () => {
    const home = daemonHome({ it: { command: 'x', env: { A: '${NAMED}' } } });
    const heard = await spokenDaemon(home, [
      { note: 'the proof came' },
      { id: 1, needs: ['NAMED', 'GITHUB_TOKEN'] },
      { id: 1, done: true, value: { kind: 'ok', notes: [] } },
    ]);
    const client = home.client({ version: '0.1.0', env: { NAMED: 'yes', GITHUB_TOKEN: 'no', MCP_OUTPUT_GUARD: '0' } });
    await client.runtime.read({ server: 'it', uri: 'x://y' });
    const envs = heard
      .slice(1)
      .map((line) => (JSON.parse(line) as { readonly caller: { readonly env: object } }).caller.env);
    expect(envs).toEqual([
      { PATH: process.env['PATH'], MCP_OUTPUT_GUARD: '0' },
      { PATH: process.env['PATH'], MCP_OUTPUT_GUARD: '0', NAMED: 'yes' },
    ]);
    expect(client.notes).toEqual(['the proof came']);
  });

  it('L7: a daemon that takes connections and answers none', async () => {
    const home = homeWithCounting();
    await listener(home, () => {});
    const client = home.client();
    expect(await callOf(client)).toBe('ok');
    expect(client.notes).toEqual([expect.stringMatching(/pid \d+\) does not answer/)]);
  });

  it('L7, N2: whoever leaves waits for no daemon that answers nothing', async () => {
    const home = homeWithCounting();
    const come = Promise.withResolvers<Socket>();
    await listener(home, (socket) => come.resolve(socket));
    const client = home.client();
    client.runtime.subscribe(() => {});
    const socket = await come.promise;
    const left = new Promise((resolve) => socket.resume().once('close', resolve));
    const startedMs = performance.now();
    await client.runtime.close();
    await left;
    expect(performance.now() - startedMs).toBeLessThan(limits.daemonHelloMs / 2);
    expect(client.notes).toEqual([]);
  });

  it('L7: the daemon of another machine, as long as it lives', async () => {
    const home = homeWithCounting();
    const record = await oldRecord(home);
    const foreign = { ...record, process: { ...record.process, machine: `not ${hostname()}` } };
    await writeRecord(home.runFolder, foreign);
    const client = home.client();
    expect(await callOf(client)).toBe('ok');
    expect(client.notes).toEqual([expect.stringMatching(/another machine or in another container/)]);
  });

  it('L7: one that cannot be started', async () => {
    const home = homeWithCounting();
    const program = join(home.folder, 'no-program.js');
    writeFileSync(program, 'process.exit(3)');
    const client = home.client({ program });
    expect(await callOf(client)).toBe('ok');
    expect(client.notes).toEqual([expect.stringMatching(/The daemon ended as soon as it was started/)]);
  });

  it('L7: one of a newer version and another protocol', async () => {
    const home = homeWithCounting();
    await listener(home, (socket, { token }) => {
      socket.once('data', (data: Buffer) => {
        const { hello } = JSON.parse(data.toString()) as { readonly hello: { readonly nonce: string } };
        const proof = proofOf('daemon', token, { client: hello.nonce, daemon: '00' });
        socket.write(frameText({ hello: { protocol: protocolNumber + 1, version: '99.0.0', nonce: '00', proof } }));
      });
    });
    const client = home.client({ version: '0.1.0' });
    expect(await callOf(client)).toBe('ok');
    expect(client.notes).toEqual(['The daemon is not used: the running daemon is of version 99.0.0, this is 0.1.0.']);
  });
});

describe('what stands in the way of a look', () => {
  const look = (home: DaemonHome, clock = systemClock) =>
    lookAtDaemon({
      home: { places: placesOf(home.folder), userHome: home.folder },
      command: [process.execPath, cliPath],
      env: {},
      platform: process.platform,
      clock,
      onNote() {},
    });

  it('L6, L7: is told with the command that takes it out of the way', async () => {
    const home = homeWithCounting();
    const { address } = await listener(home, () => {});
    // Nothing but the limit ends this look.
    const silent = await look(home, createFastClock(20));
    expect(silent).toMatchObject({ kind: 'unusable', mend: 'trestle daemon stop' });
    chmodSync(address, 0o666);
    expect(await look(home)).toMatchObject({ kind: 'unusable', mend: `chmod 600 ${address}` });
    const other = homeWithCounting();
    await listener(other, (socket) => socket.end('hello\n'));
    const forget = `rm ${recordFile(other.runFolder)}`;
    expect(await look(other)).toMatchObject({ kind: 'unusable', mend: forget });
    const blocked = homeWithCounting();
    writeFileSync(blocked.runFolder, '');
    const away = `mv ${blocked.runFolder} ${blocked.runFolder}.old`;
    expect(await look(blocked)).toMatchObject({ kind: 'unusable', mend: away });
    const third = homeWithCounting();
    const record = await oldRecord(third);
    writeFileSync(record.address, '', { mode: 0o600 });
    await writeRecord(third.runFolder, record);
    expect(await look(third)).toMatchObject({ kind: 'unusable', mend: `mv ${record.address} ${record.address}.old` });
  });
});

describe('a daemon that goes in the middle', () => {
  it('L7: a call that was sent is not done again; what only looks is done here', async () => {
    const home = homeWithCounting();
    const heard = await spokenDaemon(home, [{ note: 'the proof came' }, 'left']);
    const client = home.client({ version: '0.1.0' });
    expect(await client.runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({
      kind: 'unavailable',
      execution: 'unknown',
      failure: { code: 'daemon_lost' },
    });
    expect(heard).toHaveLength(2);
    expect(client.locals()).toBe(0);
    expect((await client.runtime.status()).servers).toHaveLength(1);
  });
});

describe('whose daemon is whose', () => {
  it('L7: a newer client ends an older daemon, which finishes what it does', async () => {
    const home = homeWithCounting();
    const older = await home.start({ version: '0.0.1' });
    const program = join(home.folder, 'no-program.js');
    writeFileSync(program, 'process.exit(3)');
    const client = home.client({ version: '0.0.2', program });
    expect(await callOf(client)).toBe('ok');
    expect(await older.ended).toBe(true);
  });

  it('L7: an older daemon that speaks another protocol is told to end in the words that all versions know', async () => {
    const home = homeWithCounting();
    const wishes: unknown[] = [];
    await listener(home, (socket, { token }) => {
      createInterface({ input: socket }).on('line', (line) => {
        const { hello, wants } = JSON.parse(line) as {
          readonly hello?: { readonly nonce: string };
          readonly wants?: string;
        };
        if (hello === undefined) {
          wishes.push(wants);
          return;
        }
        const proof = proofOf('daemon', token, { client: hello.nonce, daemon: '00' });
        socket.write(frameText({ hello: { protocol: protocolNumber - 1, version: '0.0.1', nonce: '00', proof } }));
      });
    });
    const program = join(home.folder, 'no-program.js');
    writeFileSync(program, 'process.exit(3)');
    expect(await callOf(home.client({ version: '0.0.2', program }))).toBe('ok');
    await eventually(() => wishes.length > 0);
    expect(wishes).toEqual(['drain']);
  });

  it('L7: an older client uses a newer daemon of equal protocol', async () => {
    const home = homeWithCounting();
    await home.start({ version: '9.0.0' });
    const client = home.client({ version: '0.0.1' });
    expect(await callOf(client)).toBe('ok');
    expect(client.locals()).toBe(0);
  });

  it('L7: neither a look at an older daemon nor a call that is refused ends it', async () => {
    const home = homeWithCounting();
    await home.start({ version: '0.0.1' });
    expect(await callOf(home.client({ version: '0.0.1' }))).toBe('ok');
    const newer = home.client({ version: '0.0.2' });
    expect((await newer.runtime.status()).servers[0]?.entries).toHaveLength(1);
    expect((await newer.runtime.call({ server: 'nobody', tool: 'x' })).kind).toBe('not-found');
    expect(existsSync(recordFile(home.runFolder))).toBe(true);
  });
});

describe('the daemon trusts nobody without the token', () => {
  it('L7: a wrong proof ends the connection, and a frame that is none ends its own only', async () => {
    const home = homeWithCounting();
    await home.start();
    const record = readRecord(recordFile(home.runFolder));
    if (record === undefined) throw new Error('no record');
    const good = home.client();
    expect(await callOf(good)).toBe('ok');

    const met = await greet(record, { clock: systemClock, version: '0.1.0' });
    if (met.kind !== 'met') throw new Error(met.kind);
    const closed = new Promise<void>((resolve) => met.daemon.socket.on('close', () => resolve()));
    met.daemon.socket.write(frameText({ proof: '0'.repeat(64), wants: 'drain' }));
    await closed;
    expect(existsSync(recordFile(home.runFolder)), 'it was not told to end').toBe(true);

    const stranger = await greet({ ...record, token: 'guessed' }, { clock: systemClock, version: '0.1.0' });
    expect(stranger.kind).toBe('stranger');

    for (const nonsense of [
      '{"id":1,"method":"close","params":[]}\n',
      '[]\n',
      'no json\n',
      '{"id":1,"method":"call"}\n',
    ]) {
      const other = await greet(record, { clock: systemClock, version: '0.1.0' });
      if (other.kind !== 'met') throw new Error(other.kind);
      const ended = new Promise<void>((resolve) => {
        const { places } = good.runtime;
        other.daemon.enter(
          { wants: 'serve', home: { places, userHome: home.folder } },
          { onFrame() {}, onEnd: resolve },
        );
      });
      other.daemon.socket.write(nonsense);
      await ended;
    }
    expect(await callOf(good)).toBe('ok');
    expect(good.locals()).toBe(0);
  });

  it('L7: a server that a request describes is started by no daemon', async () => {
    const home = homeWithCounting();
    await home.start();
    const started = join(home.folder, 'started');
    const described = adHoc({
      command: process.execPath,
      args: ['-e', `fs.writeFileSync(${JSON.stringify(started)}, '')`],
    });
    const caller = { env: { PATH: process.env['PATH'] ?? '' }, cwd: home.folder };
    for (const method of ['call', 'inspect', 'listTools', 'sync', 'doctor', 'status']) {
      const { met, ended } = await rawClient(home);
      met.socket.write(frameText({ id: 1, method, params: [{ server: described, tool: 'x' }], caller }));
      await ended;
    }
    expect(existsSync(started)).toBe(false);
    const client = home.client();
    expect(await callOf(client)).toBe('ok');
    expect(client.locals()).toBe(0);
  });

  it('L7: a client that does not read is cut off, and others are served meanwhile', async () => {
    const home = homeWithCounting();
    await home.start();
    const good = home.client();
    expect(await callOf(good)).toBe('ok');
    const record = readRecord(recordFile(home.runFolder));
    if (record === undefined) throw new Error('no record');
    const met = await greet(record, { clock: systemClock, version: '0.1.0' });
    if (met.kind !== 'met') throw new Error(met.kind);
    const { socket } = met.daemon;
    const { places } = good.runtime;
    met.daemon.enter({ wants: 'serve', home: { places, userHome: home.folder } }, { onFrame() {}, onEnd() {} });
    socket.pause();
    const caller = { env: { PATH: process.env['PATH'] ?? '' }, cwd: home.folder };
    const bytes = 12 * 1024 * 1024;
    const most = Math.ceil(limits.daemonUnsentBytes / bytes) + 3;
    for (let id = 1; id <= most; id += 1) {
      const request = { server: 'counting', tool: 'large', arguments: { bytes }, present: false };
      socket.write(frameText({ id, method: 'call', params: [request], caller }));
    }
    // Its end is noticed by writing: nothing is read.
    await eventually(() => {
      socket.write(frameText({ ping: 1 }));
      return socket.destroyed || socket.errored !== null;
    });
    expect(await callOf(good)).toBe('ok');
    expect(good.locals()).toBe(0);
  });
});

it('L7: the record of a daemon is for its user alone, and its token goes nowhere', async () => {
  const home = homeWithCounting();
  await home.start();
  const record = readRecord(recordFile(home.runFolder));
  expect(record?.process).toEqual(ownIdentity());
  const client = home.client();
  expect(await callOf(client)).toBe('ok');
  expect(JSON.stringify(await client.runtime.status())).not.toContain(record?.token);
  expect(readFileSync(join(home.runFolder, 'daemon.log'), 'utf8')).not.toContain(record?.token);
});
