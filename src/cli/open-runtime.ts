/** The runtime of a command: over the chosen home, with the working folder as scope, its servers in the daemon. */
import { canonicalPathSync, type Log, projectScope, systemClock } from '../base/index.ts';
import { createDaemonClient } from '../daemon/index.ts';
import { createRuntime, type Runtime } from '../runtime/index.ts';
import { chooseHome } from './home.ts';
import type { Output } from './output.ts';
import type { Surroundings } from './surroundings.ts';

/** What a runtime is opened for. */
export interface RuntimeWish {
  readonly homeFlag: string | undefined;
  /** False with `--no-daemon`. */
  readonly useDaemon: boolean;
  readonly surroundings: Surroundings;
  readonly output: Output;
}

export type OpenRuntime = (wish: RuntimeWish) => Runtime;

/** Opens it; what it wants a person to know goes to standard error. */
export const openRuntime: OpenRuntime = ({ homeFlag, useDaemon, surroundings, output }) => {
  const { env, userHome, platform, command } = surroundings;
  const cwd = canonicalPathSync(surroundings.cwd);
  const places = chooseHome(homeFlag, surroundings);
  const scope = projectScope(cwd);
  const openLocal = (): Runtime => {
    const tell = (text: string, server?: string): void =>
      output.note(server === undefined ? text : `${server}: ${text}`);
    const log: Log = { debug() {}, info: tell, warn: tell };
    const local = createRuntime({ places, cwd, userHome, env, platform, log, scope });
    local.subscribe((event) => {
      // Its text is a whole sentence, which names the server.
      if (event.kind === 'notice') output.note(event.text);
    });
    return local;
  };
  if (!useDaemon || isSet(env['TRESTLE_NO_DAEMON'])) return openLocal();
  return createDaemonClient({
    openLocal,
    caller: { env, cwd },
    scope,
    home: { places, userHome },
    command,
    platform,
    clock: systemClock,
    onNote: (text) => output.note(text),
  });
};

// As with other variables of this kind, 0 means no.
function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '' && variable !== '0';
}
