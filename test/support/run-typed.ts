/** A command line, as it is typed, with a person at its terminal who answers. */
import { type CommandPlace, type CommandRun, runCommand } from './run-command.ts';

/** Without lines there is no terminal. */
export function runTyped(words: string, { env, ...place }: CommandPlace): Promise<CommandRun> {
  return runCommand(words.split(' '), { ...place, env: { NO_COLOR: '1', PATH: process.env['PATH'], ...env } });
}
