import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { placesOf } from '../runtime/index.ts';
import { chooseHome } from './home.ts';
import type { Surroundings } from './surroundings.ts';

function surroundings(env: Record<string, string>): Surroundings & { readonly folder: string } {
  const folder = tempFolder();
  return {
    folder,
    env,
    cwd: join(folder, 'work'),
    userHome: join(folder, 'user'),
    platform: 'linux',
    command: ['node', 'trestle'],
    temporaryFolder: '/tmp',
    readInput: () => Promise.resolve(new Uint8Array()),
    inputTerminal: false,
    readLine: () => Promise.resolve(undefined),
  };
}

it('L1: the home is --home, else $TRESTLE_HOME, else ~/.trestle', () => {
  const plain = surroundings({});
  expect(chooseHome(undefined, plain).serversFile).toBe(join(plain.userHome, '.trestle', 'servers.json'));
  const set = surroundings({ TRESTLE_HOME: '/else/where' });
  expect(chooseHome(undefined, set).registryRoot).toBe(join('/else/where', 'registry'));
  expect(chooseHome('here', set).serversFile).toBe(join(set.cwd, 'here', 'servers.json'));
  expect(chooseHome('~/t', set).serversFile).toBe(join(set.userHome, 't', 'servers.json'));
  expect(chooseHome(undefined, surroundings({ TRESTLE_HOME: '' })).serversFile).toContain('.trestle');
});

it("L1: --home pi takes servers, settings and registry from Pi's folder, state and spill from Trestle's", () => {
  const pi = surroundings({});
  const agent = join(pi.userHome, '.pi', 'agent');
  expect(chooseHome('pi', pi)).toMatchObject({
    serversFile: join(agent, 'mcp-servers.json'),
    settingsFile: join(agent, 'mcp-bridge.json'),
    registryRoot: join(agent, 'mcp-registry'),
    stateFolder: join(pi.userHome, '.trestle', 'state'),
    runFolder: join(pi.userHome, '.trestle', 'run'),
    spillFolder: join(pi.userHome, '.trestle', 'spill'),
  });
});

it("L1: Pi's variables move its folder and registry, with `pi` only", () => {
  const moved = surroundings({ PI_CODING_AGENT_DIR: '~/agent', PI_MCP_BRIDGE_REGISTRY: '/reg' });
  expect(chooseHome('pi', moved)).toMatchObject({
    serversFile: join(moved.userHome, 'agent', 'mcp-servers.json'),
    registryRoot: '/reg',
  });
  expect(chooseHome(undefined, moved).registryRoot).toBe(join(moved.userHome, '.trestle', 'registry'));
});

it('K2: a home that a variable puts into the project gives its servers to the project, and decides nothing', () => {
  const at = surroundings({ TRESTLE_HOME: 'evil', PI_CODING_AGENT_DIR: 'pi' });
  mkdirSync(join(at.cwd, '.git'), { recursive: true });
  const own = join(at.userHome, '.trestle');
  expect(chooseHome(undefined, at)).toEqual({
    serversFile: join(at.cwd, 'evil', 'servers.json'),
    registryRoot: join(at.cwd, 'evil', 'registry'),
    settingsFile: join(own, 'settings.json'),
    stateFolder: join(own, 'state'),
    runFolder: join(own, 'run'),
    spillFolder: join(own, 'spill'),
    isOfProject: true,
  });
  expect(chooseHome('pi', at)).toMatchObject({
    serversFile: join(at.cwd, 'pi', 'mcp-servers.json'),
    settingsFile: join(at.userHome, '.pi', 'agent', 'mcp-bridge.json'),
    stateFolder: join(own, 'state'),
    isOfProject: true,
  });
  const known = surroundings({ PI_MCP_BRIDGE_REGISTRY: 'registry' });
  mkdirSync(join(known.cwd, '.git'), { recursive: true });
  // A registry says what a model is told of the person's own servers.
  expect(chooseHome('pi', known).registryRoot).toBe(join(known.userHome, '.pi', 'agent', 'mcp-registry'));
  // What a person types is theirs.
  expect(chooseHome('evil', at)).toEqual(placesOf(join(at.cwd, 'evil')));
});
