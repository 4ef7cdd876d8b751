import { join } from 'node:path';
import type { Places } from './runtime.ts';

/** The places of a Trestle home folder. */
export function placesOf(home: string): Places {
  return {
    serversFile: join(home, 'servers.json'),
    settingsFile: join(home, 'settings.json'),
    registryRoot: join(home, 'registry'),
    stateFolder: join(home, 'state'),
    runFolder: join(home, 'run'),
    spillFolder: join(home, 'spill'),
  };
}
