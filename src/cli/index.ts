/**
 * cli, floor 7: command lines. Parses words, runs one command over the runtime's door, prints to the two streams that it is given.
 * Promises: standard output carries results only and all of them; everything from servers is cleaned where it is shown; the exit
 * code tells what happened; no process is left. May import everything below. Whoever has a person who types (the program, a host)
 * hands in words, environment and streams.
 */
export { completeLine } from './complete-line.ts';
export type { LineCompletion } from './completion/line-completions.ts';
export { isCommand } from './commands.ts';
export { isDaemonUnwanted } from './daemon-unwanted.ts';
export type { Dialogs } from './dialogs.ts';
export { chooseHome } from './home.ts';
export type { Interruption } from './interruption.ts';
export type { TextStream } from './output.ts';
export { questionText } from './render/question.ts';
export { type ProcessParts, runCommandLine } from './run.ts';
export { personAtDialogs } from './sign-in-person.ts';
export type { Surroundings } from './surroundings.ts';
