/** The plan of an import, and what came of it. */
import { plural } from '../../base/index.ts';
import {
  formats,
  type ImportedServer,
  type ImportPlan,
  type PlannedServer,
  type SourceReading,
} from '../../config/index.ts';
import { cell } from './cell.ts';
import type { Style } from './style.ts';

/** The plan, a paragraph for each file. */
export function renderPlan(
  { servers }: ImportPlan,
  readings: readonly SourceReading[],
  options: { readonly style: Style; readonly dryRun: boolean },
): readonly string[] {
  if (readings.length === 0) return ['No configuration of another tool was found.'];
  const { style } = options;
  const lines = readings.flatMap((reading) => [
    `${style.bold(formats[reading.format].title)}  ${cell(reading.file, 1_000)}`,
    ...servers.filter(({ found }) => isOf(found, reading)).flatMap((server) => serverLines(server, style)),
    ...reading.problems.map((problem) => `  ${style.red('unusable')}  ${problemText(problem)}`),
    ...elsewhereLines(reading, style),
  ]);
  return [...lines, '', summary(servers, readings, options.dryRun)];
}

const isOf = (found: PlannedServer['found'], reading: SourceReading): boolean =>
  found.file === reading.file && found.format === reading.format;

function serverLines(server: PlannedServer, style: Style): readonly string[] {
  const { found, state } = server;
  const paint = (text: string): string => paintState(text, state, style);
  const project = found.folder === undefined ? '' : '  (this project)';
  return [
    `  ${paint(state.padEnd(8))}  ${style.bold(cell(found.name))}  ${cell(reaches(server), 120)}${project}`,
    ...details(server).map((line) => `            ${cell(line, 400)}`),
  ];
}

function paintState(text: string, state: PlannedServer['state'], style: Style): string {
  if (state === 'new') return style.green(text);
  return state === 'conflict' ? style.yellow(text) : style.dim(text);
}

function details({ found, state, differs, renamed, secrets }: PlannedServer): readonly string[] {
  if (state === 'equal') return [];
  return [
    ...(state === 'conflict'
      ? [`another server has the name; differs in ${differs.join(', ')}; renamed it would be ${renamed}`]
      : []),
    ...found.remarks.map(({ field, why }) => `${field}: ${why}`),
    ...secrets.map(({ member, secret }) => `${member} is a secret; moved, it is kept as ${secret}`),
    ...found.inputs.map(({ id, secret }) => `asks for ${id}, kept as the secret ${secret}`),
  ];
}

/** The program with its arguments, or the address, without secrets. */
function reaches({ withoutSecrets: entry }: PlannedServer): string {
  if (typeof entry['url'] === 'string') return entry['url'].replace(/\?.*$/s, '?…');
  const args: readonly unknown[] = Array.isArray(entry['args']) ? entry['args'] : [];
  return [entry['command'], ...args].join(' ');
}

function problemText({ server, field, reason }: SourceReading['problems'][number]): string {
  const place = [server, field].filter((part) => part !== undefined).join(': ');
  return cell(place === '' ? reason : `${place} ${reason}`, 400);
}

function elsewhereLines({ elsewhere }: SourceReading, style: Style): readonly string[] {
  if (elsewhere.length === 0) return [];
  const shown = elsewhere.slice(0, 3).map((folder) => cell(folder));
  const rest = elsewhere.length > shown.length ? ', …' : '';
  return [
    `  ${style.dim(`has servers for ${plural(elsewhere.length, 'other project')}; import them there: ${shown.join(', ')}${rest}`)}`,
  ];
}

function summary(servers: readonly PlannedServer[], readings: readonly SourceReading[], dryRun: boolean): string {
  const count = (state: PlannedServer['state']): number => servers.filter((server) => server.state === state).length;
  const unusable = readings.flatMap(({ problems }) => problems).length;
  const text = `${count('new')} new, ${count('equal')} there already, ${count('conflict')} in conflict, ${unusable} unusable.`;
  return dryRun ? `${text} Nothing is written.` : text;
}

/** What was written, by file. */
export function renderImported(written: readonly ImportedServer[], style: Style): readonly string[] {
  return written.map(({ name, edit }) => `${style.bold(cell(edit.file, 1_000))}: ${edit.kind} ${cell(name)}`);
}

/** The plan and what came of it; secrets are left out. */
export function importJson(
  plan: ImportPlan,
  readings: readonly SourceReading[],
  written: readonly ImportedServer[],
): Readonly<Record<string, unknown>> {
  return {
    files: readings.map(({ format, file, servers }) => ({ format, file, servers: servers.length })),
    servers: plan.servers.map(serverJson),
    problems: readings.flatMap(({ problems }) => problems),
    elsewhere: readings.flatMap(({ elsewhere }) => elsewhere),
    written: written.map(({ name, edit }) => ({ name, file: edit.file, kind: edit.kind })),
  };
}

function serverJson(server: PlannedServer): Readonly<Record<string, unknown>> {
  const { found, state, target, differs, renamed, secrets } = server;
  return {
    name: found.name,
    state,
    format: found.format,
    file: found.file,
    at: found.at,
    scope: found.folder === undefined ? 'user' : 'project',
    target,
    entry: server.withoutSecrets,
    ...(state === 'conflict' ? { differs, renamed } : {}),
    remarks: found.remarks,
    secrets: secrets.map(({ member, secret }) => ({ member, secret })),
    inputs: found.inputs.map(({ id, secret, description }) => ({ id, secret, description })),
  };
}
