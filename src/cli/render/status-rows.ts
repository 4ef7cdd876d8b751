/** What `status` shows: one row a server, or one a connection where it has several, and below it what is wrong. */
import { formatSpan, limits, plural } from '../../base/index.ts';
import type { ServerStatus } from '../../runtime/index.ts';
import { cell } from './cell.ts';
import { renderTable } from './table.ts';
import { shortTime } from './time.ts';
import { toolCount } from './tool-count.ts';

type Connection = ServerStatus['entries'][number];

export interface StatusRow {
  /** Name, state, transport, tools, sync, and the connection (only where some are told of). */
  readonly cells: readonly string[];
  /** Sentences of what is wrong. */
  readonly problems: readonly string[];
}

/** Lines for a person. What is wrong is what the command is for: it is never cut, and stands on lines of its own. */
export function statusLines(servers: readonly ServerStatus[], bold: (text: string) => string): readonly string[] {
  const rows = statusRows(servers);
  const table = renderTable(
    rows.map(({ cells }) => cells),
    Number.MAX_SAFE_INTEGER,
    (text, column) => (column === 0 ? bold(text) : text),
  );
  return rows.flatMap(({ problems }, index) => [table[index] ?? '', ...problems.map((problem) => `  ${problem}`)]);
}

export function statusRows(servers: readonly ServerStatus[]): readonly StatusRow[] {
  const rows = servers.flatMap((server) =>
    server.entries.length === 0
      ? [rowOf(server, undefined)]
      : server.entries.map((connection) => rowOf(server, connection)),
  );
  const areConnected = rows.some(({ connection }) => connection !== '');
  return rows.map(({ known, connection, problems }) => ({
    cells: [...known, ...(areConnected ? [connection] : [])],
    problems,
  }));
}

interface Row {
  readonly known: readonly string[];
  readonly connection: string;
  readonly problems: readonly string[];
}

function rowOf(server: ServerStatus, connection: Connection | undefined): Row {
  // What is wrong with the server itself is told once, below the last of its connections.
  const ofServer = connection === server.entries.at(-1) ? [server.problem, changedText(server)] : [];
  return {
    known: [
      cell(server.name),
      connection?.state ?? stateOf(server),
      server.transport ?? '',
      server.tools === undefined ? '' : toolCount(server.tools, server.denied),
      server.syncedAt === undefined ? 'never synced' : `synced ${cell(shortTime(server.syncedAt))}`,
    ],
    connection: connection === undefined ? '' : connectionText(connection, server.entries.length > 1),
    problems: [connection?.reason, ...ofServer].flatMap((text) => (text === undefined ? [] : [cell(text, 1_000)])),
  };
}

function changedText({ changedSinceApproval: changed }: ServerStatus): string | undefined {
  if (changed.length === 0) return undefined;
  const told = changed.slice(0, limits.namesInHint).join(', ');
  const more = changed.length > limits.namesInHint ? ` and ${changed.length - limits.namesInHint} more` : '';
  return `Changed since approved, so asked for again: ${told}${more}.`;
}

/** `last sign 12 s ago, 2 misses, try 3 of 10 in 4 s`: what there is of it, and whose connection it is when there are several. */
function connectionText({ scope, lastSignAgoMs, misses, nextTry }: Connection, areSeveral: boolean): string {
  const parts = [
    ...(lastSignAgoMs === undefined ? [] : [`last sign ${formatSpan(lastSignAgoMs)} ago`]),
    ...(misses === 0 ? [] : [plural(misses, 'miss', 'misses')]),
    ...(nextTry === undefined ? [] : [`try ${nextTry.attempt} of ${nextTry.of} in ${formatSpan(nextTry.inMs)}`]),
    ...(areSeveral ? [cell(scope)] : []),
  ];
  return parts.join(', ');
}

function stateOf({ known, enabled }: ServerStatus): string {
  if (known === 'broken') return 'broken';
  if (known === 'registry-only') return 'registry only';
  if (known === 'waiting') return 'not approved';
  return enabled ? 'idle' : 'disabled';
}
