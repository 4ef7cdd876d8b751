/** `sync`: servers' tools into the registry. */
import { forEachAtOnce, limits } from '../../base/index.ts';
import { hasValue, type Outcome, type SyncValue, waitingNotes } from '../../runtime/index.ts';
import { addServer } from '../add-server.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FlagValues, requestFlags, usage } from '../flags.ts';
import { describesServer, entryFlags, newEntry } from '../new-entry.ts';
import type { Output } from '../output.ts';
import { showProgress } from '../progress.ts';
import { renderChanges } from '../render/changes.ts';
import { failureJson, renderFailure } from '../render/failure.ts';
import { renderJson } from '../render/json.ts';
import { printFailed, syncExitCode } from '../report.ts';
import { withProgress } from '../request.ts';
import { withSuggestion } from '../suggest.ts';
import { refuseFurther } from '../target.ts';

const flags = {
  force: { kind: 'switch', doc: 'Overwrite a registry folder that was written by hand.' },
  ...entryFlags,
  'max-total': requestFlags['max-total'],
} as const;

type SyncFlags = FlagValues<typeof flags>;

export const sync = defineCommand({
  name: 'sync',
  summary:
    'Connects to a server and brings its tools, resources and prompts into the registry; without a name, to all of them.',
  usage: ['sync <server>', 'sync', 'sync <server> [flags] -- command args…', 'sync <server> [flags] --url URL'],
  flags,
  words: ['server'],
  json: 'Print { server, sync, notes }, or { servers: [ … ] } without a name; a failure as { error, kind, execution }.',
  details: ['With a command or a URL the server is created or replaced first, as by add --replace.'],
  examples: ['sync everything', 'sync', 'sync everything -- npx -y @modelcontextprotocol/server-everything'],
  async run(context, words) {
    const { flags } = words;
    const [name, ...others] = words.words;
    refuseFurther(others, 'the server');
    const creates = words.rest !== undefined || describesServer(flags);
    if (name === undefined) {
      if (creates)
        throw usage(
          "The server's name is missing.",
          'For example: trestle sync everything -- npx -y @modelcontextprotocol/server-everything',
        );
      return syncAll(context, flags);
    }
    if (!creates) return syncOne(context, { name: name.text, at: name.at }, flags);
    return addServer(context, {
      name: name.text,
      entry: newEntry(flags, words.rest, context.surroundings.cwd),
      replace: true,
      force: flags.force,
      limits: flags,
    });
  },
});

async function syncOne(
  context: CommandContext,
  named: { readonly name: string; readonly at: number },
  flags: SyncFlags,
): Promise<number> {
  const { output } = context;
  const runtime = context.runtime();
  const target = { kind: 'named', ...named } as const;
  const outcome = await withProgress(context, { target, limits: flags }, (request) =>
    runtime.sync({ ...request, force: flags.force }),
  );
  if (!hasValue(outcome))
    return printFailed(withSuggestion(outcome, { runtime, typed: context.typed, target }), output);
  if (output.json) await output.write(renderJson({ server: named.name, sync: outcome.value, notes: outcome.notes }));
  else {
    await output.lines(renderChanges(outcome.value, output.style));
    for (const note of outcome.notes) output.note(note);
  }
  return syncExitCode(outcome);
}

async function syncAll(context: CommandContext, flags: SyncFlags): Promise<number> {
  const { output } = context;
  const runtime = context.runtime();
  const { servers, waiting, broken, notices } = runtime.config();
  for (const notice of notices) output.note(notice);
  for (const note of waitingNotes(waiting)) output.note(note);
  const names = [
    ...[...servers.values()].filter(({ enabled }) => enabled).map(({ name }) => name),
    ...broken.keys(),
  ].sort();
  if (names.length === 0 && !output.json) await output.lines(['No servers are configured.']);

  const results = await eachWithProgress(context, names, async (name, onStep) => {
    const outcome = await runtime.sync({
      server: name,
      force: flags.force,
      timeoutMs: flags.timeout,
      maxTotalMs: flags['max-total'],
      signal: context.signal,
      onStep,
    });
    if (!output.json) await printOne(context, name, outcome);
    return { name, outcome };
  });
  if (output.json)
    await output.write(renderJson({ servers: results.map(({ name, outcome }) => toJson(name, outcome, output)) }));
  return results.map(({ outcome }) => syncExitCode(outcome)).find((code) => code !== exitCodes.ok) ?? exitCodes.ok;
}

async function printOne(context: CommandContext, name: string, outcome: Outcome<SyncValue>): Promise<void> {
  const { output } = context;
  if (hasValue(outcome)) await output.lines(renderChanges(outcome.value, output.style));
  else {
    await output.lines([`${output.style.bold(name)}: ${output.style.red('failed')}`]);
    output.error(renderFailure(outcome.failure, output));
  }
}

function toJson(name: string, outcome: Outcome<SyncValue>, output: Output): unknown {
  return hasValue(outcome)
    ? { server: name, sync: outcome.value, notes: outcome.notes }
    : { server: name, ...failureJson(outcome, output) };
}

/** Runs `work` for every name, several at once, each with a line of progress; results in the order of the names. */
async function eachWithProgress<T>(
  { output }: CommandContext,
  names: readonly string[],
  work: (name: string, onStep: (line: string) => void) => Promise<T>,
): Promise<readonly T[]> {
  using progress = showProgress(output);
  return await forEachAtOnce(names, limits.syncsAtOnce, async (name) => {
    const { onStep, end } = progress.for(name);
    const result = await work(name, onStep);
    end();
    return result;
  });
}
