/** Which home a command works on (files by DESIGN's names, Pi's names in Pi's agent folder). */
import { join, resolve } from 'node:path';
import { isInProject } from '../config/index.ts';
import { type Places, placesFromEnvironment, placesOf } from '../runtime/index.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * The places of `--home` (`pi` or a path), else of `$TRESTLE_HOME`, else of `~/.trestle`. With `pi` the servers, settings and
 * registry are those of Pi's agent folder; state and spilled outputs stay in Trestle's own home. What a variable names inside the
 * project is the project's (K2); what is typed is the person's own.
 */
export function chooseHome(flag: string | undefined, surroundings: Surroundings): Places {
  const { env, userHome } = surroundings;
  const absolute = (path: string): string => resolve(surroundings.cwd, expandTilde(path, userHome));
  if (flag !== undefined && flag !== 'pi') return placesOf(absolute(flag));
  const named = setTo(env['TRESTLE_HOME']);
  const own = placesFromEnvironment(named === undefined ? undefined : absolute(named), surroundings);
  return flag === 'pi' ? piPlaces(own, { surroundings, absolute }) : own;
}

interface PiFacts {
  readonly surroundings: Surroundings;
  readonly absolute: (path: string) => string;
}

function piPlaces(own: Places, { surroundings, absolute }: PiFacts): Places {
  const { env, userHome } = surroundings;
  const usual = join(userHome, '.pi', 'agent');
  const agent = absolute(setTo(env['PI_CODING_AGENT_DIR']) ?? usual);
  const isOfProject = agent !== usual && isInProject(agent, surroundings);
  const named = setTo(env['PI_MCP_BRIDGE_REGISTRY']);
  // What is known of the person's own servers is what a model is told of them: no project writes that.
  const registry = named === undefined || isInProject(absolute(named), surroundings) ? undefined : absolute(named);
  const { stateFolder, runFolder, spillFolder } = own;
  return {
    serversFile: join(agent, 'mcp-servers.json'),
    // Settings say what asks for consent: no project decides that.
    settingsFile: join(isOfProject ? usual : agent, 'mcp-bridge.json'),
    registryRoot: registry ?? join(agent, 'mcp-registry'),
    stateFolder,
    runFolder,
    spillFolder,
    ...(isOfProject ? { isOfProject } : {}),
  };
}

function setTo(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function expandTilde(path: string, userHome: string): string {
  return path === '~' || path.startsWith('~/') ? join(userHome, path.slice(1)) : path;
}
