/** `revoke`: takes approvals back. */
import { plural } from '../../base/index.ts';
import type { ApprovalReport, Runtime } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage, type Word } from '../flags.ts';
import { approvalJson, describeApproval } from '../render/approval.ts';
import { renderJson } from '../render/json.ts';
import { knownServers } from '../known-names.ts';
import { unknownServer } from '../suggest.ts';
import { refuseFurther } from '../target.ts';
import { commandLine } from '../typed-command.ts';

export const revoke = defineCommand({
  name: 'revoke',
  summary: 'Takes back what was approved of a server; its connections end after their calls.',
  usage: ['revoke <server> [--tool GLOB]', 'revoke --all'],
  flags: {
    tool: { kind: 'texts', value: 'GLOB', doc: 'Only approvals that name exactly this. May be given several times.' },
    all: { kind: 'switch', doc: 'Of every server.' },
  },
  words: ['server'],
  json: 'Print { revoked: [approval, …] }.',
  examples: ['revoke everything', "revoke everything --tool 'get-*'", 'revoke --all'],
  async run(context, words) {
    const [server, ...others] = words.words;
    refuseFurther(others, 'the server');
    const { tool } = words.flags;
    if ((server === undefined) !== words.flags.all)
      throw usage(
        'revoke needs the name of a server, or --all.',
        `See what is approved: ${commandLine(context.typed, 'approve')}`,
      );
    const runtime = context.runtime();
    const { approvals } = await runtime.approvals();
    const approved = new Set(approvals.map((approval) => approval.server));
    if (server !== undefined) refuseUnknown(context, { runtime, server, approved });
    const tools = tool.length === 0 ? undefined : tool;
    const revoked: ApprovalReport['approvals'][number][] = [];
    // A yes for a session stands in no file.
    const all = new Set([...approved, ...knownServers(runtime)]);
    for (const name of server === undefined ? [...all].sort() : [server.text]) {
      revoked.push(...(await runtime.revoke({ server: name, tools })));
    }
    const { output } = context;
    if (output.json) await output.write(renderJson({ revoked: revoked.map(approvalJson) }));
    else await output.lines([...revoked.map(describeApproval), `${plural(revoked.length, 'approval')} revoked.`]);
    return exitCodes.ok;
  },
});

interface Named {
  readonly runtime: Runtime;
  readonly server: Word;
  readonly approved: ReadonlySet<string>;
}

/** What was approved once may be configured no more. */
function refuseUnknown({ typed }: CommandContext, { runtime, server, approved }: Named): void {
  if (approved.has(server.text) || knownServers(runtime).includes(server.text)) return;
  throw unknownServer(runtime, typed, { name: server.text, at: server.at });
}
