/** What `doctor` found, for a person. */
import { plural } from '../../base/index.ts';
import type { EndedServer, Finding, LeftServer, ServerDiagnosis, Verdict } from '../../runtime/index.ts';
import { cell } from './cell.ts';
import type { Style } from './style.ts';
import { renderTable } from './table.ts';

const textCharacters = 1_000;

/** A house finding, or a fact of the command's own. */
export type ShownFinding = Finding<string>;

/** A line a server, what to do below it, and a count. */
export function renderDiagnoses(servers: readonly ServerDiagnosis[], style: Style): readonly string[] {
  if (servers.length === 0) return ['No servers are configured.'];
  const counts = new Map<Verdict, number>();
  for (const { verdict } of servers) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const told = [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
  return [
    ...aligned(
      servers.flatMap(({ name, ...diagnosis }) => [
        [name, diagnosis.verdict, detailOf(diagnosis)],
        ...remarksOf(diagnosis).map((remark) => ['', '', remark]),
      ]),
      style,
    ),
    `${plural(servers.length, 'server')}: ${told}.`,
  ];
}

/** A line a finding, and what to do about it. */
export function renderHouse(findings: readonly ShownFinding[], style: Style): readonly string[] {
  return aligned(
    findings.flatMap((finding) => [
      [finding.subject, finding.level, finding.text],
      ...(finding.level === 'ok' ? [] : [['', '', `hint: ${finding.hint}`]]),
    ]),
    style,
  );
}

/** A line for each server that an earlier run left. */
export function renderLeft(left: readonly (LeftServer | EndedServer)[], style: Style): readonly string[] {
  return aligned(
    left.map((found) => [found.server ?? '(unknown)', endOf(found), processesOf(found)]),
    style,
  );
}

function detailOf({ verdict, info, tools, durationMs, failure }: Omit<ServerDiagnosis, 'name'>): string {
  if (failure !== undefined) return verdict === 'disabled' ? '' : failure.message;
  const server = info?.serverInfo === undefined ? '' : `${info.serverInfo.name} ${info.serverInfo.version}`;
  const protocol = info === undefined ? '' : `${info.link}, ${info.era} ${info.protocolVersion}`;
  return [plural(tools ?? 0, 'tool'), server, protocol, `${(durationMs / 1000).toFixed(1)} s`]
    .filter((part) => part !== '')
    .join(', ');
}

function remarksOf({ verdict, failure, problems }: Omit<ServerDiagnosis, 'name'>): readonly string[] {
  const hint = verdict === 'disabled' ? undefined : failure?.hint;
  return [
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ...lastLineOf(failure),
    ...problems.map((problem) => `note: ${problem}`),
  ];
}

/** What the server wrote to stderr last, where the message does not say it. */
function lastLineOf(failure: ServerDiagnosis['failure']): readonly string[] {
  const stderr = failure?.details?.['stderr'];
  const line = typeof stderr === 'string' ? stderr.trimEnd().split('\n').at(-1)?.trim() : undefined;
  return line === undefined || line === '' || failure?.message.includes(line) === true ? [] : [`stderr: ${line}`];
}

function endOf(found: LeftServer | EndedServer): string {
  if (!('remaining' in found)) return 'left';
  return found.remaining.length === 0 ? 'ended' : 'failed';
}

function processesOf(found: LeftServer | EndedServer): string {
  const all = found.processes.map(({ pid, name }) => `${name} ${pid}`).join(', ');
  const minutes = Math.floor(Math.max(0, ...found.processes.map(({ ageMs }) => ageMs)) / 60_000);
  const alive =
    'remaining' in found && found.remaining.length > 0 ? `; still there: ${found.remaining.join(', ')}` : '';
  return `${all}; ${minutes} min old, started by process ${found.ownerPid}, which is gone${alive}`;
}

/** Nothing is cut: what is wrong is what the command is for. */
function aligned(rows: readonly (readonly string[])[], style: Style): readonly string[] {
  const cells = rows.map((row) => row.map((text) => cell(text, textCharacters)));
  return renderTable(cells, Number.MAX_SAFE_INTEGER, (text, column) => {
    if (column === 0) return style.bold(text);
    return column === 1 ? paintWord(text, style) : text;
  });
}

function paintWord(word: string, style: Style): string {
  if (word === 'ok' || word === 'ended') return style.green(word);
  if (word === 'note' || word === 'disabled') return style.yellow(word);
  return style.red(word);
}
