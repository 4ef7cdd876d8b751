/** What the command is to a daemon. */
import { systemClock } from '../base/index.ts';
import type { ClientOptions } from '../daemon/index.ts';
import type { CommandContext } from './command.ts';

/** Of the daemon over the chosen home. */
export function daemonOptions(context: CommandContext): ClientOptions {
  const { env, userHome, platform, command } = context.surroundings;
  return {
    home: { places: context.runtime().places, userHome },
    command,
    env,
    platform,
    clock: systemClock,
    onNote: (text) => context.output.note(text),
  };
}
