import { expect, it } from 'vitest';
import { configureServers } from '../../../test/support/home.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createRuntime, placesOf } from '../../runtime/index.ts';
import { reconcileShared } from './reconcile-shared.ts';

const { signal } = new AbortController();

/** What is done about these servers where the daemon is found so. */
async function doneAbout(
  servers: Readonly<Record<string, object>>,
  found: 'started' | 'running' | 'none',
): Promise<readonly string[]> {
  const home = tempFolder();
  configureServers(home, servers);
  const own = createRuntime({
    places: placesOf(home),
    cwd: home,
    userHome: home,
    env: {},
    platform: process.platform,
  });
  const done: string[] = [];
  const runtime = {
    config: () => own.config(),
    registry: own.registry,
    reload: async () => (done.push('reload'), { applied: true, servers: [], notices: [] }),
  };
  const ensureDaemon = async (): Promise<'started' | 'running'> => {
    done.push('daemon');
    if (found === 'none') throw new Error('there can be none');
    return found;
  };
  await reconcileShared({ runtime, ensureDaemon }, signal);
  await own.close();
  return done;
}

it('R6, N3: a new server is left to a daemon that is new to the home, and asked of one that is not, or done here without one', async () => {
  const servers = { fresh: { command: 'none' } };
  expect(await doneAbout(servers, 'started')).toEqual(['daemon']);
  expect(await doneAbout(servers, 'running')).toEqual(['daemon', 'reload']);
  expect(await doneAbout(servers, 'none')).toEqual(['daemon', 'reload']);
});

it('R6, N3: no daemon is started where nothing is to be done', async () => {
  expect(await doneAbout({}, 'started')).toEqual([]);
  expect(await doneAbout({ off: { command: 'none', enabled: false } }, 'started')).toEqual([]);
});

it('P3, N3: the daemon is there for a server that is to run before somebody calls it', async () => {
  expect(await doneAbout({ kept: { command: 'none', lifecycle: 'keep-alive' } }, 'started')).toEqual(['daemon']);
});
