/** `reload`: what servers.json asks for, brought into force by whoever lives long enough. */
import { type ReloadedServer, type ReloadReport } from '../../runtime/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { showSteps } from '../progress.ts';
import { renderChanges } from '../render/changes.ts';
import { renderFailure } from '../render/failure.ts';
import { renderReport } from '../render/json.ts';
import { refuseFurther } from '../target.ts';
import { commandLine } from '../typed-command.ts';

export const reload = defineCommand({
  name: 'reload',
  summary:
    'Reads the configuration anew and says what has changed; a host that lives long, as the daemon, brings it into force.',
  usage: ['reload'],
  flags: { timeout: { kind: 'seconds', doc: 'Longest time for one server. Default 180.' } },
  json: 'Print { applied, servers: [{ name, kind, … }], notices }.',
  details: [
    'Servers that are new, changed or were never synced are synced, connections of removed, disabled and changed ones\nend after their calls, and failed ones are tried anew. In a shell without a daemon nothing is synced or connected: the\ncommand says what is due.',
    'Exits with 1 when something is due or failed.',
  ],
  examples: ['reload', 'reload --json'],
  async run(context, words) {
    refuseFurther(words.words, 'reload');
    const report = await reloadAll(context, words.flags.timeout);
    if (context.output.json) await context.output.write(renderReport(report, context.output));
    else await print(context, report);
    return report.servers.every(isSettled) ? exitCodes.ok : exitCodes.failed;
  },
});

async function reloadAll(context: CommandContext, limitMs: number | undefined): Promise<ReloadReport> {
  const runtime = context.runtime();
  using steps = showSteps(context.output);
  return await runtime.reload({ limitMs, signal: context.signal, onStep: steps.onStep });
}

function isSettled(server: ReloadedServer): boolean {
  if (server.kind === 'synced') return server.toolsFailure === undefined;
  return server.kind !== 'failed' && server.kind !== 'due';
}

async function print(context: CommandContext, { applied, servers, notices }: ReloadReport): Promise<void> {
  const { output, typed } = context;
  for (const server of servers) {
    await output.lines(linesOf(server, context));
    const failure =
      server.kind === 'failed' ? server.failure : server.kind === 'synced' ? server.toolsFailure : undefined;
    if (failure !== undefined) output.error(renderFailure(failure, output));
  }
  if (servers.length === 0) await output.lines(['No servers are configured.']);
  for (const notice of notices) output.note(notice);
  if (!applied && servers.some(({ kind }) => kind === 'due')) {
    output.note(
      `Nothing was synced, since no daemon runs that would do it. Sync all of them: ${commandLine(typed, 'sync')}`,
    );
  }
}

function linesOf(server: ReloadedServer, { output: { style }, typed }: CommandContext): readonly string[] {
  if (server.kind === 'synced') return renderChanges(server, style);
  return [`${style.bold(server.name)}: ${stateOf(server, (...words) => commandLine(typed, ...words))}`];
}

function stateOf(
  server: Exclude<ReloadedServer, { readonly kind: 'synced' }>,
  command: (...words: readonly string[]) => string,
): string {
  const { name, kind } = server;
  switch (kind) {
    case 'due': {
      const { why, differs } = server.due;
      const reason = why === 'changed' ? `changed since it was last synced (${differs.join(', ')})` : 'never synced';
      return `${reason}: ${command('sync', name)}`;
    }
    case 'removed':
      return server.inRegistry ? `removed; its descriptors stay until: ${command('remove', name)}` : 'removed';
    case 'registry-only':
      if (server.approved) return 'only in the registry, and approved';
      return `only in the registry; approve it as it stands: ${command('approve', name, '--connect')}; or take it out: ${command('remove', name)}`;
    case 'waiting':
      return `${server.why}: ${command('approve', name, '--connect')}`;
    case 'unchanged':
    case 'disabled':
    case 'failed':
    default:
      return kind;
  }
}
