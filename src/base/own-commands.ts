/** Our own commands in texts: what lies below a host does not know how its person runs them, and writes `trestle COMMAND`. */

import type { Failure } from './errors.ts';

/** How a person runs our commands where they are. */
export interface Program {
  /** As it can be typed there: `trestle`, `npx trestle`, `/mcp-bridge`. */
  readonly name: string;
  /** What was typed beside it that every other command needs as well, quoted for a shell: `--home pi`. */
  readonly flags?: string;
  /** Of a program inside of a host, which has some of the commands, over that host's own home. */
  readonly inside?: {
    /** The commands it has, by name. */
    readonly commands: ReadonlySet<string>;
    /** What runs the others over the same home, in a shell. */
    readonly elsewhere: string;
  };
}

/** Whether `command` can be run as a command of `program`; help can be everywhere. */
export function hasCommand({ inside }: Program, command: string): boolean {
  return inside === undefined || command === 'help' || inside.commands.has(command);
}

/** What runs `command`: the program, or what has the commands that the program has not. */
export function runnerOf(program: Program, command: string): string {
  const { name, flags, inside } = program;
  if (inside !== undefined && !hasCommand(program, command)) return inside.elsewhere;
  return flags === undefined ? name : `${name} ${flags}`;
}

/** Our own text with the commands in it as a person can run them. What it holds of the person's own words stays as it is. */
export function pasteable(text: string, program: Program): string {
  // A command that was made with the program at hand is right already, and so is all that it was given.
  const { name, flags = '' } = program;
  if (text.includes(`${name} `) && text.includes(flags)) return text;
  return text.replaceAll(
    /(?<![\w@./-])trestle (?=([a-z]+))/g,
    (_, command: string) => `${runnerOf(program, command)} `,
  );
}

/** A failure whose hint and command are as a person can run them; `pasteable` as above, with the program at hand. */
export function pasteableFailure(failure: Failure, pasteableText: (text: string) => string): Failure {
  const { hint, details } = failure;
  const command = details?.['command'];
  return {
    ...failure,
    ...(hint === undefined ? {} : { hint: pasteableText(hint) }),
    ...(typeof command === 'string' ? { details: { ...details, command: pasteableText(command) } } : {}),
  };
}
