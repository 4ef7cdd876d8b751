/** Which home a command works on (files by DESIGN's names, Pi's names in Pi's agent folder). */
import { join, resolve } from 'node:path';
import { type Places, placesOf } from '../runtime/index.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * The places of `--home` (`pi` or a path), else of `$TRESTLE_HOME`, else of `~/.trestle`. With `pi` the servers, settings and
 * registry are those of Pi's agent folder; state and spilled outputs stay in Trestle's own home.
 */
export function chooseHome(flag: string | undefined, surroundings: Surroundings): Places {
  const { env, userHome } = surroundings;
  const absolute = (path: string): string => resolve(surroundings.cwd, expandTilde(path, userHome));
  const own = setTo(env['TRESTLE_HOME']) ?? join(userHome, '.trestle');
  if (flag !== 'pi') return placesOf(absolute(flag ?? own));

  const agent = absolute(setTo(env['PI_CODING_AGENT_DIR']) ?? join(userHome, '.pi', 'agent'));
  const registry = setTo(env['PI_MCP_BRIDGE_REGISTRY']);
  return {
    ...placesOf(absolute(own)),
    serversFile: join(agent, 'mcp-servers.json'),
    settingsFile: join(agent, 'mcp-bridge.json'),
    registryRoot: registry === undefined ? join(agent, 'mcp-registry') : absolute(registry),
  };
}

function setTo(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function expandTilde(path: string, userHome: string): string {
  return path === '~' || path.startsWith('~/') ? join(userHome, path.slice(1)) : path;
}
