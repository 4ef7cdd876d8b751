/** `doctor`: every server, the house, and what earlier runs left. */
import { plural, silentLog, systemClock } from '../../base/index.ts';
import { type DoctorReport, endLeftServers, type Runtime } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Word } from '../flags.ts';
import { houseFacts } from '../house-facts.ts';
import { showSteps } from '../progress.ts';
import { renderDiagnoses, renderHouse, renderLeft } from '../render/diagnosis.ts';
import { renderJson, renderReport } from '../render/json.ts';
import { knownServers } from '../known-names.ts';
import { unknownServer } from '../suggest.ts';
import { refuseFurther } from '../target.ts';
import { commandLine } from '../typed-command.ts';

const flags = {
  leaks: { kind: 'switch', doc: 'Only look for servers that earlier runs left running, and end them.' },
  timeout: { kind: 'seconds', doc: 'Longest time for one server. Default 30.' },
} as const;

export const doctor = defineCommand({
  name: 'doctor',
  summary:
    'Connects to every server, all at once with a limit each, and says what works, what does not, and what to do.',
  usage: ['doctor', 'doctor <server>', 'doctor --leaks', 'doctor <server> --leaks'],
  flags,
  words: ['server'],
  json: 'Print { servers, house, left, trouble }; with --leaks { left }, where `remaining` has the processes that could not be ended.',
  details: [
    'Looks too at the files of the home, and for servers that a Trestle left running which was killed together with its\nwatcher. Calls no tool. Exits with 1 when something needs to be done.',
  ],
  examples: ['doctor', 'doctor everything --timeout 120', 'doctor --leaks'],
  async run(context, words) {
    const [name, ...others] = words.words;
    refuseFurther(others, 'the server');
    // Also of servers that are configured no more.
    if (words.flags.leaks) return endLeft(context, name?.text);
    const runtime = context.runtime();
    refuseUnknown(context, runtime, name);
    const report = await examine(context, runtime, { server: name?.text, limitMs: words.flags.timeout });
    // Afterwards: what the look itself has started is there as well.
    const facts = await houseFacts(context);
    const house = [...facts, ...report.house];
    const trouble = report.trouble || facts.some(({ level }) => level === 'trouble');
    if (context.output.json) await context.output.write(renderReport({ ...report, house, trouble }, context.output));
    else await print(context, report, house);
    return trouble ? exitCodes.failed : exitCodes.ok;
  },
});

function refuseUnknown(context: CommandContext, runtime: Runtime, name: Word | undefined): void {
  if (name === undefined) return;
  // One that cannot be read is told as that, and not as a name that nobody knows.
  runtime.config();
  if (knownServers(runtime).includes(name.text)) return;
  throw unknownServer(runtime, context.typed, { name: name.text, at: name.at });
}

async function examine(
  context: CommandContext,
  runtime: Runtime,
  wanted: { readonly server: string | undefined; readonly limitMs: number | undefined },
): Promise<DoctorReport> {
  using steps = showSteps(context.output);
  return await runtime.doctor({
    ...wanted,
    signal: context.signal,
    onStep: steps.onStep,
    onDiagnosis: ({ name }) => steps.end(name),
  });
}

async function print(
  { output, typed }: CommandContext,
  { servers, left }: DoctorReport,
  house: Parameters<typeof renderHouse>[0],
): Promise<void> {
  const { style } = output;
  const unread = house.some(({ subject, level }) => subject === 'configuration' && level === 'trouble');
  const diagnoses = unread ? ['No server was looked at.'] : renderDiagnoses(servers, style);
  await output.lines([...diagnoses, '', ...renderHouse(house, style)].map(output.pasteable));
  if (left === undefined || left.length === 0) return;
  await output.lines([
    '',
    `${plural(left.length, 'server')} of earlier runs:`,
    ...renderLeft(left, style),
    `End them: ${commandLine(typed, 'doctor', '--leaks')}`,
  ]);
}

async function endLeft({ output }: CommandContext, server: string | undefined): Promise<number> {
  const left = await endLeftServers(server, { clock: systemClock, log: silentLog });
  if (output.json) await output.write(renderJson({ left: left ?? null }));
  else if (left === undefined) output.note('This system shows nobody what earlier runs left running.');
  else await output.lines(left.length === 0 ? ['Nothing is left of earlier runs.'] : renderLeft(left, output.style));
  return left?.some(({ remaining }) => remaining.length > 0) === true ? exitCodes.failed : exitCodes.ok;
}
