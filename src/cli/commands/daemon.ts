/** `daemon`: the process that keeps servers warm between commands. */
import { canonicalPathSync, nearest, projectScope } from '../../base/index.ts';
import { ensureDaemon, lookAtDaemon, readDaemonLog, runDaemon, stopDaemon } from '../../daemon/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { daemonOptions } from '../daemon-options.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage, type Word } from '../flags.ts';
import { cell } from '../render/cell.ts';
import { renderJson } from '../render/json.ts';
import { renderSight, sightJson } from '../render/daemon.ts';
import { refuseFurther } from '../target.ts';
import { correctedCommand } from '../typed-command.ts';

/** `run` is for the process that is started; a person has no use for it. */
const actions = { start, stop, restart, status, logs, run } as const;
const told = ['start', 'stop', 'restart', 'status', 'logs'] as const;

export const daemon = defineCommand({
  name: 'daemon',
  summary: 'Starts, stops or shows the process that keeps servers warm between commands.',
  usage: ['daemon status', 'daemon start', 'daemon stop', 'daemon restart', 'daemon logs'],
  flags: {},
  words: [told],
  json: 'Print { running, … } with pid, version and uptime; of start, stop and restart { daemon: started | running | stopped | killed | none | restarted }; of logs { lines }.',
  details: [
    'Commands that ask a server start it by themselves. It ends a quarter of an hour after its last use. --no-daemon, or\nTRESTLE_NO_DAEMON=1 in the environment, does without it.',
  ],
  examples: ['daemon status', 'daemon stop', 'daemon logs'],
  async run(context, words) {
    const [action, ...others] = words.words;
    if (action === undefined) throw usage(`Say what: ${told.join(', ')}.`, `For example: trestle daemon status`);
    if (!Object.hasOwn(actions, action.text)) throw unknownAction(context, action);
    refuseFurther(others, `daemon ${action.text}`);
    return actions[action.text as keyof typeof actions](context);
  },
});

function unknownAction({ typed }: CommandContext, { text, at }: Word): Error {
  const [guess] = nearest(text, told, 1);
  return usage(
    `There is no "daemon ${text}"; there are ${told.join(', ')}.`,
    guess === undefined ? undefined : `Did you mean: ${correctedCommand(typed, [{ at, words: [guess] }])}`,
  );
}

async function start(context: CommandContext): Promise<number> {
  const became = await begin(context);
  return tell(
    context,
    { daemon: became },
    became === 'started' ? 'The daemon is started.' : 'The daemon runs already.',
  );
}

async function begin(context: CommandContext): Promise<'started' | 'running'> {
  const options = daemonOptions(context);
  const cwd = canonicalPathSync(context.surroundings.cwd);
  const asker = { caller: { env: options.env, cwd }, scope: projectScope(cwd), local: context.runtime() };
  return ensureDaemon({ ...options, ...asker }, context.signal);
}

async function stop(context: CommandContext): Promise<number> {
  const became = await stopDaemon(daemonOptions(context));
  const texts = { stopped: 'The daemon has ended.', none: 'No daemon runs.', killed: wasKilled };
  return tell(context, { daemon: became }, texts[became]);
}

const wasKilled = 'The daemon did not answer and was killed; its servers end with it.';

/** Where none runs, one is started: who restarts wants one that runs. */
async function restart(context: CommandContext): Promise<number> {
  const ended = await stopDaemon(daemonOptions(context));
  if (ended === 'killed') context.output.note(wasKilled);
  await begin(context);
  return ended === 'none'
    ? tell(context, { daemon: 'started' }, 'No daemon ran; one is started.')
    : tell(context, { daemon: 'restarted' }, 'The daemon is started anew.');
}

async function status(context: CommandContext): Promise<number> {
  const sight = await lookAtDaemon(daemonOptions(context));
  const { output } = context;
  if (output.json) await output.write(renderJson(sightJson(sight)));
  else await output.lines(renderSight(sight));
  return exitCodes.ok;
}

async function logs(context: CommandContext): Promise<number> {
  const lines = readDaemonLog(context.runtime().places.runFolder);
  const { output } = context;
  if (output.json) await output.write(renderJson({ lines }));
  else await output.lines(lines.map((line) => cell(line, Number.MAX_SAFE_INTEGER)));
  return exitCodes.ok;
}

async function run(context: CommandContext): Promise<number> {
  const { surroundings, signal } = context;
  const served = await runDaemon({
    runFolder: context.runtime().places.runFolder,
    temporaryFolder: surroundings.temporaryFolder,
    platform: surroundings.platform,
    program: surroundings.command[1],
    signal,
    onCrash: (listener) => process.on('uncaughtExceptionMonitor', listener),
  });
  if (!served) context.output.note('Another daemon is at work.');
  return exitCodes.ok;
}

async function tell({ output }: CommandContext, json: object, text: string): Promise<number> {
  if (output.json) await output.write(renderJson(json));
  else await output.lines([text]);
  return exitCodes.ok;
}
