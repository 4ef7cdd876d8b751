/** `import`: servers that other tools have. */
import { canonicalPathSync, plural } from '../../base/index.ts';
import {
  applyImport,
  findSources,
  type FormatId,
  formatIds,
  formats,
  importFolders,
  type ImportedServer,
  type ImportPlan,
  planImport,
  type PlannedServer,
  readSource,
  type SourceFile,
  type SourceReading,
} from '../../config/index.ts';
import type { SecretStore } from '../../secrets/index.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FlagTable, type FlagValues, usage, type Word } from '../flags.ts';
import { schemaFor } from '../home-schemas.ts';
import { conflictChoices, decide, type Decided } from '../import-decisions.ts';
import { keepAnswers, noteChangedSecrets } from '../import-answers.ts';
import { openSecrets } from '../open-secrets.ts';
import { importJson, renderImported, renderPlan } from '../render/import-plan.ts';
import { renderJson } from '../render/json.ts';
import { refuseFurther } from '../target.ts';
import { commandLine, correctedCommand } from '../typed-command.ts';
import { basename, dirname, resolve } from 'node:path';

export const importFlags = {
  from: {
    kind: 'text',
    value: 'TOOL',
    choices: formatIds,
    doc: `Look only at the files of this tool: ${formatIds.join(', ')}. Default: all.`,
  },
  'dry-run': { kind: 'switch', doc: 'Show what would be done, and write nothing.' },
  yes: { kind: 'switch', doc: 'Ask nothing: write what the plan shows.' },
  conflicts: {
    kind: 'text',
    value: 'CHOICE',
    choices: conflictChoices,
    doc: 'What becomes of a server whose name another one has. Default: you are asked; with --yes, keep.',
  },
  secrets: {
    kind: 'text',
    value: 'CHOICE',
    choices: ['move', 'leave'],
    doc: 'Whether secrets written out in entries are kept in the secret store instead. Default: you are asked; with --yes, move.',
  },
} as const satisfies FlagTable;

export const importCommand = defineCommand({
  name: 'import',
  summary: "Takes over servers from other tools' configurations. Their files are only read.",
  usage: ['import [--from TOOL] [--dry-run] [--yes]', 'import --from TOOL FILE'],
  flags: importFlags,
  words: ['file'],
  json: 'Print { files, servers, problems, elsewhere, written }; without --yes nothing is written.',
  details: [
    "It looks where each tool keeps its files: for you, and for the project you are in. What a project's file asks\nfor stays in that project, in its .trestle/servers.json.",
    'First it shows the plan: what is new, what is there already, what has the name of another server, and every\nmember that has no equal here. Entries that cannot be used are named and left out.',
  ],
  examples: ['import --dry-run', 'import --from claude-code', 'import --yes --conflicts rename'],
  async run(context, words) {
    const { flags } = words;
    refuseFurther(words.words.slice(1), 'the file');
    const readings = await readAll(context, flags.from, words.words[0]);
    const plan = planImport(readings, context.runtime().places);
    const { output } = context;
    const isAsked = !flags['dry-run'];
    if (!output.json) await output.lines(renderPlan(plan, readings, { style: output.style, dryRun: flags['dry-run'] }));
    const decided = isAsked ? await decide(context, plan, flags) : undefined;
    const written = decided === undefined ? [] : await write(context, decided, plan);
    if (output.json) await output.write(renderJson(importJson(plan, readings, written)));
    else if (isAsked && decided !== undefined) await output.lines(renderImported(written, output.style));
    return decided === undefined ? refusal(context, flags, plan) : exitCodes.ok;
  },
});

type ImportFlags = FlagValues<typeof importFlags>;

/** Nobody said yes: that is no failure where nothing was to be done. */
function refusal(context: CommandContext, flags: ImportFlags, plan: ImportPlan): number {
  if (flags['dry-run'] || plan.servers.every(({ state }) => state === 'equal')) return exitCodes.ok;
  const isKept = flags.conflicts === undefined && plan.servers.every(({ state }) => state !== 'new');
  context.output.note(
    isKept
      ? `Nothing was written, yours are kept. To have both: ${correctedCommand(context.typed, [], ['--yes', '--conflicts', 'rename'])}`
      : `Nothing was written. To write it: ${correctedCommand(context.typed, [], ['--yes'])}`,
  );
  return exitCodes.denied;
}

async function readAll(
  context: CommandContext,
  from: string | undefined,
  named: Word | undefined,
): Promise<readonly SourceReading[]> {
  const { surroundings } = context;
  const { platform, userHome, env } = surroundings;
  const cwd = canonicalPathSync(surroundings.cwd);
  const wanted = formatIds.filter((id) => from === undefined || id === from);
  const sources =
    named === undefined
      ? findSources({ platform, userHome, env, cwd }, wanted)
      : [namedSource(resolve(surroundings.cwd, named.text), from)];
  const folders = new Set(importFolders({ cwd, userHome }));
  const readings: SourceReading[] = [];
  for (const source of sources) {
    const reading = await readSource(source, {
      platform,
      isProject: (folder) => folders.has(canonicalPathSync(folder)),
    });
    if (reading !== undefined) readings.push(reading);
    else if (named !== undefined) throw usage(`There is no file ${source.file}.`);
  }
  return readings;
}

/** A file that the person names is theirs, wherever it lies. */
function namedSource(file: string, from: string | undefined): SourceFile {
  if (from === undefined) throw usage('Say whose file it is.', `With --from, one of ${formatIds.join(', ')}.`);
  return { format: formats[from as FormatId], file, root: dirname(canonicalPathSync(file)), folder: undefined };
}

async function write(context: CommandContext, decided: Decided, plan: ImportPlan): Promise<readonly ImportedServer[]> {
  let store: SecretStore | undefined;
  let isKept = false;
  const opened = async (): Promise<SecretStore> => (store ??= await openSecrets(context));
  const keepSecret = async (name: string, value: string): Promise<void> => {
    await (await opened()).set(name, value);
    isKept = true;
  };
  const written: ImportedServer[] = [];
  const { places } = context.runtime();
  for (const decision of decided.decisions) {
    const imported = await applyImport(decision, {
      keepSecret,
      schemaFor: (file) => schemaFor(file, places),
    });
    if (imported !== undefined) written.push(imported);
  }
  await keepAnswers(context, written, { openStore: opened, keepSecret });
  await noteChangedSecrets(context, plan.servers, opened);
  if (isKept && store !== undefined) context.output.note(`Secrets are kept in ${store.place}.`);
  noteWritten(context, written);
  return written;
}

function noteWritten(context: CommandContext, written: readonly ImportedServer[]): void {
  const { output, typed } = context;
  const own = written.filter(({ server }) => server.found.folder === undefined);
  const [first, second] = own;
  if (first !== undefined) {
    const sync = second === undefined ? `Read its tools: ${commandLine(typed, 'sync', first.name)}` : syncAll(typed);
    output.note(`${plural(own.length, 'server')} written. ${sync}`);
  }
  noteWaiting(
    context,
    written.filter(({ server }) => server.found.folder !== undefined),
  );
  const [of, ...others] = written.map(({ server }) => server).filter(isBesidePis);
  if (of === undefined) return;
  const { name, file } = of.found;
  const names = [name, ...others.map(({ found }) => found.name)].join(', ');
  const command = `pi mcp remove ${others.length === 0 ? name : 'NAME'}`;
  output.note(`Pi itself starts ${names}, too, while ${file} has ${others.length === 0 ? 'it' : 'them'}: ${command}`);
}

const syncAll = (typed: CommandContext['typed']): string => `Read their tools: ${commandLine(typed, 'sync')}`;

/** A project's servers are not started before a person approved them, whoever wrote them there. */
function noteWaiting({ output, typed }: CommandContext, written: readonly ImportedServer[]): void {
  const [first, second] = written;
  if (first === undefined) return;
  output.note(
    second === undefined
      ? `${first.name} is the project's, and waits for your approval: ${commandLine(typed, 'approve', first.name, '--connect')}`
      : `${plural(written.length, 'server')} are the project's, and wait for your approval; see them: ${commandLine(typed, 'approve')}`,
  );
}

/** Pi has a file of its own beside the one that is ours there, and starts what stands in it. */
function isBesidePis({ found, target }: PlannedServer): boolean {
  const { format, file } = found;
  return format === 'pi' && basename(file) === 'mcp.json' && dirname(file) === canonicalPathSync(dirname(target));
}
