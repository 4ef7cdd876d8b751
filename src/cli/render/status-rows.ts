/** The table of `status`: one row a server, or one a connection where it has several. */
import { formatSpan, limits, plural } from '../../base/index.ts';
import type { ServerStatus } from '../../runtime/index.ts';
import { cell } from './cell.ts';
import { shortTime } from './time.ts';
import { toolCount } from './tool-count.ts';

type Connection = ServerStatus['entries'][number];

/** Rows with the columns name, state, transport, tools, sync, connections (only where some are told of), and what is wrong. */
export function statusRows(servers: readonly ServerStatus[]): readonly (readonly string[])[] {
  const rows = servers.flatMap((server) =>
    server.entries.length === 0
      ? [rowOf(server, undefined)]
      : server.entries.map((connection) => rowOf(server, connection)),
  );
  const areConnected = rows.some(({ connection }) => connection !== '');
  return rows.map(({ known, connection, problem }) => [...known, ...(areConnected ? [connection] : []), problem]);
}

interface Row {
  readonly known: readonly string[];
  readonly connection: string;
  readonly problem: string;
}

function rowOf(server: ServerStatus, connection: Connection | undefined): Row {
  return {
    known: [
      cell(server.name),
      connection?.state ?? stateOf(server),
      server.transport ?? '',
      server.tools === undefined ? '' : toolCount(server.tools, server.denied),
      server.syncedAt === undefined ? 'never synced' : `synced ${cell(shortTime(server.syncedAt))}`,
    ],
    connection: connection === undefined ? '' : connectionText(connection, server.entries.length > 1),
    problem: cell(
      [connection?.reason, server.problem, changedText(server)].filter((text) => text !== undefined).join(' '),
      1_000,
    ),
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
