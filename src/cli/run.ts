/** One command line from its words to its exit code. */
import { type Program, shellQuote, version } from '../base/index.ts';
import type { Runtime } from '../runtime/index.ts';
import type { Command, CommandContext } from './command.ts';
import { type CommandEntry, findCommand } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import type { Dialogs } from './dialogs.ts';
import { commandPlace, commonFlagsOf, homeWords, parseWords } from './flags.ts';
import { type OpenRuntime, openLocalRuntime } from './open-local-runtime.ts';
import { createOutput, type Output, type TextStream } from './output.ts';
import { printError, printLoss } from './report.ts';
import type { Interruption } from './interruption.ts';
import type { Surroundings } from './surroundings.ts';
import type { TypedCommand } from './typed-command.ts';

/** What the process gives. */
export interface ProcessParts {
  readonly surroundings: Surroundings;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Starts listening for Ctrl-C and its kin. */
  interruption(): Interruption;
  /** Makes the runtime; default: the real one. */
  readonly openRuntime?: OpenRuntime;
  /** A host's own runtime, used instead; it stays open. */
  readonly runtime?: Runtime;
  /** Default: `trestle`, or `npx trestle`. */
  readonly program?: Program;
  /** How a person is asked; default: by lines at the terminal. */
  readonly dialogs?: Dialogs;
  /** Shows what is under way in place of what it showed before; no lines: nothing is. Default: on standard error. */
  readonly showProgress?: (lines: readonly string[]) => void;
}

/** Runs `argv`; resolves with the exit code when everything is closed and written. Never rejects. */
export async function runCommandLine(argv: readonly string[], parts: ProcessParts): Promise<number> {
  const typed: TypedCommand = { program: parts.program ?? startedAs(parts.surroundings.env, argv), argv };
  const dashes = argv.indexOf('--');
  const json = (dashes === -1 ? argv : argv.slice(0, dashes)).includes('--json');
  const { stdout, stderr, surroundings, showProgress } = parts;
  const output = createOutput({
    stdout,
    stderr,
    env: surroundings.env,
    json,
    program: typed.program,
    ...(showProgress === undefined ? {} : { progressPlace: showProgress }),
  });
  let code: number;
  try {
    code = await dispatch(typed, parts, output);
  } catch (thrown) {
    code = await printError(thrown, output);
  }
  await output.drained();
  const loss = output.loss();
  if (loss === undefined) return code;
  // Nobody has the result, whatever became of the work.
  const lossCode = await printLoss(loss, output);
  return code === exitCodes.ok ? lossCode : code;
}

async function dispatch(typed: TypedCommand, parts: ProcessParts, output: Output): Promise<number> {
  const { argv, program } = typed;
  const at = commandPlace(argv);
  const name = argv[at];
  if (name === undefined) {
    if (argv.includes('--version') || argv.includes('-V') || argv.includes('-v')) await output.lines([version]);
    else {
      parseWords(commonFlagsOf(program), typed, { at: -1 });
      await output.lines((await import('./help.ts')).renderOverview(program, output));
    }
    return exitCodes.ok;
  }
  if (name === 'help') return help(typed, at, output);
  // Asked by shells, never by a person.
  if (name === '__complete') return answerShell(typed, at, { parts, output });
  const entry = await commandAt(typed, at);
  const command = await entry.load();
  const words = parseWords({ ...command.flags, ...commonFlagsOf(program) }, typed, {
    at,
    guessFlag: command.guessFlag,
  });
  if (words.flags.help) {
    await output.lines((await import('./help.ts')).renderHelp(command, program, output));
    return exitCodes.ok;
  }
  const open =
    parts.openRuntime ?? (entry.offline ? openLocalRuntime : (await import('./open-runtime.ts')).openRuntime);
  return runCommand(command, words, {
    typed,
    parts,
    output,
    open,
    homeFlag: words.flags.home,
    useDaemon: !words.flags['no-daemon'],
  });
}

async function answerShell(
  { argv, program }: TypedCommand,
  at: number,
  { parts, output }: { readonly parts: ProcessParts; readonly output: Output },
): Promise<number> {
  const { complete } = await import('./completion/complete.ts');
  await output.lines(await complete(argv.slice(at + 1), parts.surroundings, program));
  return exitCodes.ok;
}

async function help(typed: TypedCommand, helpAt: number, output: Output): Promise<number> {
  const { words } = parseWords(commonFlagsOf(typed.program), typed, { at: helpAt });
  const { renderHelp, renderOverview } = await import('./help.ts');
  const [topic] = words;
  const lines =
    topic === undefined || topic.text === 'help'
      ? renderOverview(typed.program, output)
      : renderHelp(await (await commandAt(typed, topic.at)).load(), typed.program, output);
  await output.lines(lines);
  return exitCodes.ok;
}

async function commandAt(typed: TypedCommand, at: number): Promise<CommandEntry> {
  const entry = findCommand(typed.argv[at] ?? '', typed.program);
  if (entry !== undefined) return entry;
  throw (await import('./unknown-command.ts')).unknownCommand(typed, at);
}

interface Run {
  readonly typed: TypedCommand;
  readonly parts: ProcessParts;
  readonly output: Output;
  readonly open: OpenRuntime;
  readonly homeFlag: string | undefined;
  readonly useDaemon: boolean;
}

// The runtime is closed whatever happened; an interruption decides the exit code. Signals are listened to from the moment
// somebody wants to know of them: until then there is nothing to end in order.
async function runCommand(command: Command, words: Parameters<Command['run']>[1], run: Run): Promise<number> {
  const { parts, output } = run;
  let interruption: Interruption | undefined;
  let opened: Runtime | undefined;
  const context: CommandContext = {
    typed: run.typed,
    surroundings: parts.surroundings,
    output,
    get signal() {
      return (interruption ??= parts.interruption()).signal;
    },
    ...(parts.dialogs === undefined ? {} : { dialogs: parts.dialogs }),
    runtime: () => parts.runtime ?? (opened ??= openFor(run)),
    hasCommand: (name) => findCommand(name, run.typed.program) !== undefined,
  };
  let code: number;
  try {
    code = await command.run(context, words);
  } catch (thrown) {
    code = await printError(thrown, output);
  }
  await opened?.close();
  const interruptedCode = interruption?.exitCode();
  interruption?.[Symbol.dispose]();
  return interruptedCode ?? code;
}

function openFor({ open, parts, homeFlag, useDaemon, output }: Run): Runtime {
  return open({ homeFlag, useDaemon, surroundings: parts.surroundings, output });
}

// npx tells its children so; a suggestion must run as it is pasted.
function startedAs(env: Surroundings['env'], argv: readonly string[]): Program {
  const isNpx = env['npm_command'] === 'exec' && env['npm_lifecycle_event'] === 'npx';
  const name = isNpx ? 'npx trestle' : 'trestle';
  const flags = homeWords(argv);
  return flags.length === 0 ? { name } : { name, flags: flags.map(shellQuote).join(' ') };
}
