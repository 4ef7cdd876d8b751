/** A command that there is not, and what may have been meant by it. */
import { nearest, type TrestleError } from '../base/index.ts';
import { commandNames, commandTable, findCommand } from './commands.ts';
import { usage } from './flags.ts';
import { commandLine, correctedCommand, shellLine, type TypedCommand } from './typed-command.ts';

/** What other tools call it. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['ls', 'list'],
  ['tools', 'list'],
  ['servers', 'list'],
  ['get', 'show'],
  ['info', 'show'],
  ['describe', 'show'],
  ['inspect', 'probe'],
  ['run', 'call'],
  ['exec', 'call'],
  ['invoke', 'call'],
  ['find', 'search'],
  ['refresh', 'sync'],
  ['update', 'sync'],
  ['uninstall', 'remove'],
  ['auth', 'login'],
  ['check', 'doctor'],
  ['secrets', 'secret'],
]);

/** The error of a command that is none, at `at` among the words typed. */
export function unknownCommand(typed: TypedCommand, at: number): TrestleError {
  const name = typed.argv[at] ?? '';
  const { program } = typed;
  const known = otherNames.get(name) ?? name;
  if (name === 'version')
    return usage(
      'There is no command "version".',
      `Did you mean: ${correctedCommand(typed, [{ at, words: ['--version'] }])}`,
    );
  if (
    program.inside !== undefined &&
    commandTable.some((command) => command.name === known) &&
    findCommand(known, program) === undefined
  ) {
    const words = typed.argv.with(at, known);
    return usage(
      `"${name}" is not a command of ${program.name}.`,
      `In a shell: ${shellLine(program.inside.elsewhere, words)}`,
    );
  }
  const guess = known === name ? nearest(name, commandNames(program), 1)[0] : known;
  return usage(
    `There is no command "${name}".`,
    guess === undefined
      ? `See them: ${commandLine(typed, 'help')}`
      : `Did you mean: ${correctedCommand(typed, [{ at, words: [guess] }])}`,
  );
}
