/** The runtime of a command that asks servers: those of the daemon, unless that is unwanted. */
import { canonicalPathSync, projectScope, systemClock } from '../base/index.ts';
import { createDaemonClient } from '../daemon/index.ts';
import type { HostPorts } from '../runtime/index.ts';
import { personSits } from './at-terminal.ts';
import { isDaemonUnwanted } from './daemon-unwanted.ts';
import { chooseHome } from './home.ts';
import { type OpenRuntime, openLocalRuntime, type RuntimeWish } from './open-local-runtime.ts';
import { signInPerson } from './sign-in-person.ts';

/** Opens it; what it wants a person to know goes to standard error. */
export const openRuntime: OpenRuntime = (wish) => {
  const { surroundings, output } = wish;
  const { env, userHome, platform, command } = surroundings;
  const ports = portsOf(wish);
  const openLocal = (): ReturnType<OpenRuntime> => openLocalRuntime(wish, ports);
  if (!wish.useDaemon || isDaemonUnwanted(env)) return openLocal();
  const cwd = canonicalPathSync(surroundings.cwd);
  return createDaemonClient({
    openLocal,
    caller: { env, cwd },
    scope: projectScope(cwd),
    home: { places: chooseHome(wish.homeFlag, surroundings), userHome },
    command,
    platform,
    clock: systemClock,
    onNote: (text) => output.note(text),
    ...ports,
  });
};

/** Only at a terminal is somebody who can answer. */
function portsOf({ surroundings, output }: RuntimeWish): HostPorts {
  if (!personSits({ surroundings, output })) return {};
  return {
    ask: async (question, signal) =>
      (await import('./ask-person.ts')).askPerson(question, signal, { surroundings, output }),
    person: signInPerson({ surroundings, output }),
  };
}
