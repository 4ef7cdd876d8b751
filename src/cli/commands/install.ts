/** `install`: the one entry by which another host starts Trestle. */
import { TrestleError } from '../../base/index.ts';
import { applyInstall, hostIds, hosts, type InstallPlan, planInstall, planRemoval } from '../../config/index.ts';
import { renderEdit } from '../add-server.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../flags.ts';
import { askYesOrNo } from '../questions.ts';
import { renderJson } from '../render/json.ts';
import { refuseFurther } from '../target.ts';
import { correctedCommand } from '../typed-command.ts';

export const install = defineCommand({
  name: 'install',
  summary: 'Writes the one entry into the file of another host by which it starts Trestle, or takes it out again.',
  usage: ['install --host HOST [--remove] [--dry-run] [--yes]'],
  flags: {
    host: { kind: 'text', value: 'HOST', choices: hostIds, doc: `One of ${hostIds.join(', ')}.` },
    remove: { kind: 'switch', doc: 'Take the entry out: an unchanged file is again what it was, to the last byte.' },
    'dry-run': { kind: 'switch', doc: 'Show the change, and write nothing.' },
    yes: { kind: 'switch', doc: 'Ask nothing.' },
  },
  json: 'Print { host, file, kind, diff, written, backup? }.',
  details: [
    'The change is shown first. Comments, order and everything else in the file stay as they are, and a copy of the file\nis kept.',
  ],
  examples: ['install --host cursor --dry-run', 'install --host claude-code', 'install --host cursor --remove'],
  async run(context, words) {
    const { output, surroundings } = context;
    const { flags } = words;
    refuseFurther(words.words, '--host');
    const host = hostIds.find((id) => id === flags.host);
    if (host === undefined) throw usage('Say for which host.', `With --host, one of ${hostIds.join(', ')}.`);
    const { platform, userHome, env } = surroundings;
    const place = { machine: { platform, userHome, env }, stateFolder: context.runtime().places.stateFolder };
    const planned = flags.remove
      ? await planRemoval(host, place)
      : await planInstall(host, place, startCommand(context));
    if (!output.json) await output.lines(renderEdit(planned, output.style));
    const isWritten = planned.kind !== 'unchanged' && !flags['dry-run'];
    if (isWritten && !flags.remove) refuseWithoutServe(context, planned);
    if (isWritten && !flags.yes && !(await askYesOrNo(context, `Change ${planned.file}?`, false))) {
      output.note(`Nothing was written. To write it: ${correctedCommand(context.typed, [], ['--yes'])}`);
      return exitCodes.denied;
    }
    const backup = isWritten ? await applyInstall(planned, place) : undefined;
    if (output.json) await output.write(renderJson(installJson(planned, isWritten, backup)));
    else if (backup !== undefined)
      output.note(`The file as it was is kept in ${backup}. ${hosts[host].title} reads it when it starts.`);
    return exitCodes.ok;
  },
});

function installJson({ host, file, kind, diff }: InstallPlan, written: boolean, backup: string | undefined): object {
  return { host, file, kind, diff, written, ...(backup === undefined ? {} : { backup }) };
}

/** How a host starts Trestle: as it was started now, unless that will not be there for long. */
function startCommand({ surroundings }: CommandContext): readonly [string, ...string[]] {
  const [interpreter, program] = surroundings.command;
  return /[/\\]_npx[/\\]/.test(program) ? ['npx', '-y', 'trestle', 'serve'] : [interpreter, program, 'serve'];
}

/** An entry that cannot start is not written. */
function refuseWithoutServe(context: CommandContext, { file }: InstallPlan): void {
  if (context.hasCommand('serve')) return;
  throw new TrestleError({
    code: 'unsupported_setting',
    message: `${file} was not changed: the entry starts "trestle serve", which this version does not have yet.`,
    hint: 'See what it would be: add --dry-run',
    details: { file },
  });
}
