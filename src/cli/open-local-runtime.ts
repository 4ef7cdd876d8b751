/** The runtime of a command in its own process: over the chosen home, with the working folder as scope. */
import { canonicalPathSync, type Log, projectScope } from '../base/index.ts';
import { createRuntime, type HostPorts, type Runtime } from '../runtime/index.ts';
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

export type OpenRuntime = (wish: RuntimeWish, ports?: HostPorts) => Runtime;

/** Opens it, with what a person at this command is needed for; what it wants a person to know goes to standard error. */
export const openLocalRuntime: OpenRuntime = ({ homeFlag, surroundings, output }, ports = {}) => {
  const { env, userHome, platform } = surroundings;
  const cwd = canonicalPathSync(surroundings.cwd);
  const tell = (text: string, server?: string): void => output.note(server === undefined ? text : `${server}: ${text}`);
  const log: Log = { debug() {}, info: tell, warn: tell };
  const places = chooseHome(homeFlag, surroundings);
  const local = createRuntime({
    places,
    cwd,
    userHome,
    env,
    platform,
    log,
    scope: projectScope(cwd),
    ports,
  });
  local.subscribe((event) => {
    // Its text is a whole sentence, which names the server.
    if (event.kind === 'notice') output.note(event.text);
  });
  return local;
};
