import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { nestsDeeper, stringifyJson } from '../../src/base/index.ts';
import { remoteMethods } from '../../src/daemon/protocol.ts';
import { readRecord, recordFile } from '../../src/daemon/record.ts';
import { type DaemonHome, daemonHome } from '../support/daemon-home.ts';
import { array, constantFrom, oneof, tuple } from '../support/properties.ts';
import { rawClient } from '../support/raw-client.ts';
import { holdsLater } from './holds.ts';
import { damaged, jsonText, jsonValue, odd, shaped, text } from './hostile.ts';

/** Says these bytes and leaves once the daemon has answered or hung up, or says nothing for a moment. */
function say(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const leave = (): void => {
      socket.destroy();
      resolve();
    };
    socket.on('error', leave);
    socket.on('close', () => resolve());
    socket.write(bytes, () => setTimeout(leave, 5));
  });
}

/** The daemon serves who speaks to it properly. */
async function expectServing(home: DaemonHome): Promise<void> {
  const { runtime, locals } = home.client();
  const status = await runtime.status();
  expect(status.servers.map(({ name }) => name)).toEqual(['one']);
  await runtime.disconnect('one');
  expect(locals()).toBe(0);
  await runtime.close();
}

const lines = array(oneof(jsonText, text), { maxLength: 4 }).map((all) => all.map((each) => `${each}\n`).join(''));

it('L7: whatever comes before the greeting ends that connection at most', async () => {
  const home = daemonHome({ one: { command: 'no-such-program' } });
  await home.start();
  const address = readRecord(recordFile(home.runFolder))?.address ?? '';
  await holdsLater(damaged(lines), 25, async (bytes) => {
    await say(connect(address), bytes);
    await expectServing(home);
  });
});

it('L7: whatever a client asks that has proven itself ends its own connection at most', async () => {
  const home = daemonHome({ one: { command: 'no-such-program' } });
  await home.start();
  // Those that act on the home as a whole are theirs to ask for, and would end the test.
  const methods = Object.keys(remoteMethods).filter((name) => name !== 'reload');
  const frame = shaped({
    id: constantFrom(1, 2),
    method: oneof(constantFrom(...methods), odd),
    params: array(
      oneof(jsonValue, shaped({ server: constantFrom('one', '__proto__'), tool: text, arguments: jsonValue })),
      {
        maxLength: 2,
      },
    ),
    caller: shaped({ env: shaped({ A: text }), cwd: constantFrom('/') }),
    supplied: array(text, { maxLength: 2 }),
    listeners: array(odd, { maxLength: 2 }),
    cancel: constantFrom(1, 'x'),
  });
  const asked = oneof(
    array(frame, { maxLength: 3 }).map((frames) =>
      frames.map((each) => `${nestsDeeper(each, 500) ? '{}' : stringifyJson(each)}\n`).join(''),
    ),
    lines,
  );
  await holdsLater(tuple(damaged(asked)), 25, async ([bytes]) => {
    const { met } = await rawClient(home);
    await say(met.socket, bytes);
    await expectServing(home);
  });
});
