/** Creating an entry and syncing it in one step: `add`, and `sync` with a description. */
import { asTrestleError, type JsonObject } from '../base/index.ts';
import { addEntry, type FileEdit, type NewEntry } from '../config/index.ts';
import { hasValue, type Runtime, type SyncValue } from '../runtime/index.ts';
import { sampleArguments, writableName } from '../policy/index.ts';
import { pairText } from './pair-text.ts';
import type { CommandContext } from './command.ts';
import { exitCodeOf } from './exit-codes.ts';
import { schemaFor } from './home-schemas.ts';
import { literalSecretHint } from './new-entry.ts';
import { renderChanges } from './render/changes.ts';
import { cell } from './render/cell.ts';
import { failureJson, renderFailure } from './render/failure.ts';
import { renderJson } from './render/json.ts';
import { folderOf } from './known-names.ts';
import { syncExitCode } from './report.ts';
import type { RequestLimits } from './request.ts';
import { withProgress } from './request.ts';
import { commandLine, correctedCommand } from './typed-command.ts';

export interface NewServer {
  readonly name: string;
  readonly entry: NewEntry | JsonObject;
  readonly replace: boolean;
  /** Overwrites a manually written registry folder. */
  readonly force: boolean;
  readonly limits: RequestLimits;
}

/** Adds the entry, shows the change, syncs, and says how to call. A failed sync leaves the entry. Resolves with the exit code. */
export async function addServer(context: CommandContext, server: NewServer): Promise<number> {
  const { output } = context;
  const runtime = context.runtime();
  const edit = await writeEntry(context, runtime, server);
  if (!output.json) await output.lines(renderEdit(edit, output.style));
  const hint = literalSecretHint(server.entry);
  if (hint !== undefined) output.note(hint);

  // Whoever adds a server wants it connected, also in a home that is the project's.
  if (runtime.config().waiting.has(server.name)) await runtime.approve({ server: server.name, kind: 'connect' });
  const target = { kind: 'named', name: server.name, at: -1 } as const;
  const outcome = await withProgress(context, { target, limits: server.limits }, (request) =>
    runtime.sync({ ...request, force: server.force }),
  );
  if (!hasValue(outcome)) {
    if (output.json) await output.write(renderJson({ edit, ...failureJson(outcome, output) }));
    else {
      output.error(renderFailure(outcome.failure, output));
      output.note(
        `The entry stays in ${edit.file}. Try again: ${commandLine(context.typed, 'sync', server.name)}; or take it out: ${commandLine(context.typed, 'remove', server.name)}`,
      );
    }
    return exitCodeOf(outcome.failure.code);
  }
  if (output.json) await output.write(renderJson({ edit, sync: outcome.value, notes: outcome.notes }));
  else {
    await output.lines(renderChanges(outcome.value, output.style));
    await output.lines(howToCall(context, runtime, outcome.value));
    for (const note of outcome.notes) output.note(note);
  }
  return syncExitCode(outcome);
}

async function writeEntry(context: CommandContext, runtime: Runtime, server: NewServer): Promise<FileEdit> {
  const { name, entry, replace } = server;
  try {
    const { places } = runtime;
    const schema = await schemaFor(places.serversFile, places);
    return await addEntry(places.serversFile, name, { entry, replace, schema });
  } catch (thrown) {
    const error = asTrestleError(thrown);
    // A name that differs from another in case only is not one that can be replaced.
    if (error.code !== 'exists' || error.details?.['alike'] !== undefined) throw error;
    throw error.with({ hint: `To replace it: ${correctedCommand(context.typed, [], ['--replace'])}` });
  }
}

/** The change of a file: its path, then the lines that went and came. */
export function renderEdit(
  edit: FileEdit,
  style: { red(text: string): string; green(text: string): string; bold(text: string): string },
): readonly string[] {
  if (edit.kind === 'unchanged') return [`${style.bold(edit.file)}: unchanged`];
  const paint = (line: string): string => {
    if (line.startsWith('+')) return style.green(line);
    return line.startsWith('-') ? style.red(line) : line;
  };
  return [
    `${style.bold(edit.file)}: ${edit.kind}`,
    ...edit.diff.map((line) => paint(`${cell(line.slice(0, 1))}${cleanIndented(line.slice(1))}`)),
  ];
}

// Indentation is what makes a diff readable.
function cleanIndented(line: string): string {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return indent + cell(line.slice(indent.length), 1_000);
}

function howToCall(context: CommandContext, runtime: Runtime, value: SyncValue): readonly string[] {
  const { server } = value.changes;
  const tools = runtime.registry.tools(folderOf(runtime, server)).value;
  // What is pasted to try a server should change nothing.
  const first = tools.find(({ annotations }) => annotations?.['readOnlyHint'] === true) ?? tools[0];
  if (first === undefined || !context.hasCommand('call')) return [];
  const pairs = Object.entries(sampleArguments(first.inputSchema, 'required')).map(([key, sample]) =>
    pairText(first.inputSchema, key, sample),
  );
  return ['', `Call it: ${cell(commandLine(context.typed, 'call', server, writableName(first), ...pairs), 1_000)}`];
}
