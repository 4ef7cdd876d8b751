import { expect, it } from 'vitest';
import { daemonHome } from '../support/daemon-home.ts';
import { hostOf } from '../support/daemon-host.ts';
import { countingStdio } from '../support/trestle-home.ts';

it('L7, C4: that listens before there is a daemon hears what another client has it do, and that its text is another one', async () => {
  const home = daemonHome({ counting: countingStdio().entry });
  const host = hostOf(home, 'host');
  expect((await host.runtime.context()).text).toBe('');
  const other = home.client();
  await other.runtime.call({ server: 'counting', tool: 'count' });
  expect(other.locals(), 'the daemon did it').toBe(0);
  // It looks for a daemon once a second, so this one it may have found too late.
  await host.heard({ kind: 'context' });
  expect(host.events.find(({ kind }) => kind === 'context')).toMatchObject({ changes: ['new server: counting'] });
  await other.runtime.sync({ server: 'counting' });
  await host.heard({ kind: 'synced', server: 'counting', changed: false });
  await other.runtime.disconnect('counting');
  await host.heard({ kind: 'session', server: 'counting', state: 'closing' });
  await other.runtime.forget('counting');
  await host.heard({ kind: 'forgotten', server: 'counting' });
  await host.heard({ kind: 'context', hash: '' });
});
