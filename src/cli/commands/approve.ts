/** `approve`: a person's yes to a server, or to some of its tools, for good. */
import { plural, TrestleError } from '../../base/index.ts';
import { matchingGlob } from '../../policy/index.ts';
import type { ApprovalReport, ApproveRequest, Approved, Runtime } from '../../runtime/index.ts';
import { askYes } from '../ask-person.ts';
import { personSits } from '../at-terminal.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FlagValues, usage, type Word } from '../flags.ts';
import { approvalJson, describeApproval } from '../render/approval.ts';
import { cell } from '../render/cell.ts';
import { renderJson } from '../render/json.ts';
import { renderQuestion } from '../render/question.ts';
import { shortTime } from '../render/time.ts';
import { readSpan } from '../span.ts';
import { toolNames } from '../known-names.ts';
import { refuseFurther } from '../target.ts';
import { commandLine, correctedCommand } from '../typed-command.ts';

const flags = {
  tool: {
    kind: 'texts',
    value: 'GLOB',
    doc: 'Only tools of this name; * and ? stand for others. May be given several times.',
  },
  arg: {
    kind: 'texts',
    value: 'NAME=GLOB',
    doc: 'Only calls whose argument fits; with --tool. May be given several times.',
  },
  expires: { kind: 'text', value: 'SPAN', doc: 'For so long: 45m, 12h, 30d, 2w. Default: until it is revoked.' },
  connect: { kind: 'switch', doc: 'Only that it is started or connected to, not that it is used.' },
  yes: { kind: 'switch', doc: 'Do not ask. For scripts that a person wrote.' },
} as const;

export const approve = defineCommand({
  name: 'approve',
  summary: 'Approves a server, or some of its tools; without a server, lists what is approved and what waits for it.',
  usage: ['approve', 'approve <server> [--tool GLOB] [--arg NAME=GLOB] [--expires SPAN]', 'approve <server> --connect'],
  flags,
  words: ['server'],
  json: 'Print { approval, question }; without a server { approvals, session, waiting: [{ server, file, why }], problem }.',
  details: [
    'An approval is bound to how the server is reached and to how its tools are described now: when either changes, it\nis asked for again. It does not cover what the program loads by itself.',
  ],
  examples: ['approve everything', "approve everything --tool 'get-*' --expires 30d", 'approve'],
  async run(context, words) {
    const [server, ...others] = words.words;
    refuseFurther(others, 'the server');
    const runtime = context.runtime();
    return server === undefined
      ? list(context, await runtime.approvals(), waitingIn(runtime))
      : give(context, { runtime, request: requestOf(server, words.flags), isSure: words.flags.yes });
  },
});

function requestOf(server: Word, { tool, arg, expires, connect }: FlagValues<typeof flags>): ApproveRequest {
  const patterns = arg.map((text) => {
    const equals = text.indexOf('=');
    if (equals < 1) throw usage(`--arg needs a name and a pattern, such as path=/tmp/*, not "${text}".`);
    return [text.slice(0, equals), text.slice(equals + 1)] as const;
  });
  if (connect && tool.length > 0)
    throw usage('--connect and --tool do not go together.', 'Tools are approved for use: leave --connect out.');
  if (patterns.length > 0 && tool.length === 0) throw usage('--arg says of which calls: name their tools with --tool.');
  return {
    server: server.text,
    kind: connect ? 'connect' : 'use',
    tools: tool.length === 0 ? undefined : tool,
    arguments: patterns.length === 0 ? undefined : Object.fromEntries(patterns),
    expiresInMs: expires === undefined ? undefined : readSpan('expires', expires),
  };
}

interface Given {
  readonly runtime: Runtime;
  readonly request: ApproveRequest;
  /** Whether the command itself is the yes. */
  readonly isSure: boolean;
}

async function give(context: CommandContext, { runtime, request, isSure }: Given): Promise<number> {
  const { output } = context;
  const { question, approval: seen } = await runtime.approve({ ...request, dryRun: true });
  if (!(await isWanted(context, renderQuestion(question, output), isSure))) {
    throw new TrestleError({ code: 'denied', message: 'Nothing was approved.', server: request.server });
  }
  const approved = await runtime.approve({ ...request, seen });
  await print(context, approved);
  const names = toolNames(runtime, request.server);
  const idle = (request.tools ?? []).filter((glob) => !names.some((name) => matchingGlob([glob], name) !== undefined));
  if (idle.length > 0 && names.length > 0)
    output.note(`${request.server} has no tool now that fits ${idle.join(', ')}.`);
  return exitCodes.ok;
}

/** What is asked about is shown in any case. */
async function isWanted(context: CommandContext, about: readonly string[], isSure: boolean): Promise<boolean> {
  const { output, surroundings, dialogs, typed } = context;
  if (dialogs !== undefined && !isSure) {
    return (await dialogs.confirm([...about, '', 'Approve this?'], false, context.signal)) === true;
  }
  output.error(`${about.join('\n')}\n`);
  if (isSure) return true;
  if (!personSits({ surroundings, output })) {
    throw usage(
      'There is no terminal with a person at it, so nobody can be asked.',
      `Where a person wants it: ${correctedCommand(typed, [], ['--yes'])}`,
    );
  }
  return askYes('Approve this?', context.signal, { surroundings, output });
}

async function print({ output, typed }: CommandContext, approved: Approved): Promise<void> {
  const { approval } = approved;
  if (output.json) await output.write(renderJson({ ...approved, approval: approvalJson(approval) }));
  else
    await output.lines([
      `Approved: ${describeApproval(approval)}`,
      `Take it back: ${commandLine(typed, 'revoke', approval.server)}`,
    ]);
}

/** A server that a project asks for, and that nobody has approved. */
interface Waiting {
  readonly server: string;
  readonly file: string | null;
  readonly why: string;
}

function waitingIn(runtime: Runtime): readonly Waiting[] {
  return [...runtime.config().waiting].map(([server, { definition, why }]) => ({
    server,
    file: definition.source.file ?? null,
    why,
  }));
}

async function list(
  { output, typed }: CommandContext,
  { approvals, session, problem }: ApprovalReport,
  waiting: readonly Waiting[],
): Promise<number> {
  const waits = waiting.map(
    ({ server, file, why }) =>
      `${cell(server)}: ${why}${file === null ? '' : ` (${cell(file)})`}. See what it is: ${commandLine(typed, 'approve', server, '--connect')}`,
  );
  const ofSession = session.map((approval) => `${describeApproval(approval)}, for this session`);
  if (output.json) {
    const told = { approvals: approvals.map(approvalJson), session: session.map(approvalJson) };
    await output.write(renderJson({ ...told, waiting, problem: problem ?? null }));
  } else if (approvals.length === 0) await output.lines(['Nothing is approved for good.', ...waits, ...ofSession]);
  else
    await output.lines([
      ...waits,
      ...ofSession,
      ...approvals.map((approval) => `${describeApproval(approval)}, since ${shortTime(approval.approvedAt)}`),
      `${plural(approvals.length, 'approval')}. Take one back: ${commandLine(typed, 'revoke', 'SERVER')}`,
    ]);
  if (problem !== undefined) output.note(problem);
  return exitCodes.ok;
}
