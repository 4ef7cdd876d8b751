/**
 * What becomes of calls when a server or the line to it fails: one row a cell, for every fault, link and load. The test holds
 * that every cell is here once.
 */

export const links = ['stdio', 'http legacy', 'http modern', 'sse'] as const;
export type FaultLink = (typeof links)[number];

export const faults = [
  /** Ends when the calls have come, before it executes them. */
  'dies before',
  /** Ends when it has executed them, before it answers. */
  'dies during',
  /** Ends when it has answered. */
  'dies after',
  /** Executes the calls, and then its process stands still. */
  'freezes',
  'closes stdout only',
  'closes stdin only',
  /** Executes the calls, and then sends bytes without an end instead of the answers. */
  'floods',
  /** Dies during the calls and is there again at once. */
  'restarts on the same port',
  'refuses connections for 5 s',
  /** Executes the calls; from then on nothing passes on the line, and nobody is told. */
  'half-open TCP',
  '503, then well',
  /** Forgets its sessions and says so with 404. */
  'session lost',
] as const;
export type Fault = (typeof faults)[number];

export const loads = { idle: 0, 'one call': 1, 'ten calls': 10 } as const;
export type Load = keyof typeof loads;

/** How a call ends: its outcome's kind and execution. */
export type End =
  | 'ok done'
  | 'timed-out unknown'
  | 'timed-out not-sent'
  | 'unavailable not-sent'
  | 'unavailable rejected'
  | 'unavailable unknown';

export interface Expectation {
  /** The end of every call the fault meets; undefined without calls. */
  readonly calls: End | undefined;
  /** Within which they end, milliseconds. */
  readonly withinMs: number;
  /** The end of the next call, once the fault has happened. */
  readonly next: End;
  /** The end of the call after that, once nothing stands against the server any more. */
  readonly then: End;
}

export type Row = { readonly fault: Fault; readonly link: FaultLink; readonly load: Load } & (
  | Expectation
  /** Why there is no such cell. */
  | { readonly never: string }
);

/** Well under any limit of a call, on a busy machine. */
const soon = 5_000;
/** Their own limit is all that ends them. */
const atTheirLimit = 7_000;
/** Ten streams of 64 MiB each are read until it is enough. */
const afterTheFlood = 60_000;

const noPort = 'A local process has no port.';
const noPipes = 'There are no standard streams between us.';
const nothingAsked = 'Nothing is asked of an idle server.';
const noStream = 'Nothing flows on an idle connection.';
const noCall = 'Without a call there is one way to die: see "dies during".';

type Cell = readonly [load: Load, calls: End | undefined, next: End, then?: End];

const rowsOf = (fault: Fault, link: FaultLink, withinMs: number, cells: readonly Cell[]): readonly Row[] =>
  cells.map(([load, calls, next, then = 'ok done']) => ({ fault, link, load, calls, withinMs, next, then }));
const never = (fault: Fault, link: FaultLink, why: string, of: readonly Load[] = ['idle', 'one call', 'ten calls']) =>
  of.map((load): Row => ({ fault, link, load, never: why }));

export const matrix: readonly Row[] = [
  ...links.flatMap((link) => never('dies before', link, noCall, ['idle'])),
  ...rowsOf('dies before', 'stdio', soon, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf('dies before', 'http legacy', soon, [
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf('dies before', 'http modern', soon, [
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf('dies before', 'sse', soon, [
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),

  ...rowsOf('dies during', 'stdio', soon, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf('dies during', 'http legacy', soon, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf('dies during', 'http modern', soon, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf('dies during', 'sse', soon, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),

  ...links.flatMap((link) => never('dies after', link, noCall, ['idle'])),
  ...rowsOf('dies after', 'stdio', soon, [
    ['one call', 'ok done', 'ok done'],
    ['ten calls', 'ok done', 'ok done'],
  ]),
  ...rowsOf('dies after', 'http legacy', soon, [
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),
  ...rowsOf('dies after', 'http modern', soon, [
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),
  ...rowsOf('dies after', 'sse', soon, [
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),

  ...rowsOf('freezes', 'stdio', atTheirLimit, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'ok done'],
    ['ten calls', 'timed-out unknown', 'ok done'],
  ]),
  // The server stands still for new connections too; over HTTP its process is not ours to end.
  ...rowsOf('freezes', 'http legacy', atTheirLimit, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', 'timed-out unknown', 'timed-out not-sent'],
  ]),
  // There is no sign of life to ask for, so the next call is sent.
  ...rowsOf('freezes', 'http modern', atTheirLimit, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out unknown'],
    ['ten calls', 'timed-out unknown', 'timed-out unknown'],
  ]),
  ...rowsOf('freezes', 'sse', atTheirLimit, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', 'timed-out unknown', 'timed-out not-sent'],
  ]),

  ...rowsOf('closes stdout only', 'stdio', soon, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  // Only the next write can notice it, and none of that write arrives.
  ...rowsOf('closes stdin only', 'stdio', soon, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),
  ...links
    .filter((link) => link !== 'stdio')
    .flatMap((link) => [...never('closes stdout only', link, noPipes), ...never('closes stdin only', link, noPipes)]),

  ...rowsOf('floods', 'stdio', afterTheFlood, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...never('floods', 'http legacy', noStream, ['idle']),
  ...rowsOf('floods', 'http legacy', afterTheFlood, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...never('floods', 'http modern', noStream, ['idle']),
  ...rowsOf('floods', 'http modern', afterTheFlood, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf('floods', 'sse', afterTheFlood, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),

  ...never('restarts on the same port', 'stdio', noPort),
  // The server refuses the lost session unexecuted; a restart in the middle of a call was noticed before.
  ...rowsOf('restarts on the same port', 'http legacy', soon, [
    ['idle', undefined, 'unavailable rejected'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf('restarts on the same port', 'http modern', soon, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf('restarts on the same port', 'sse', soon, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),

  ...never('refuses connections for 5 s', 'stdio', noPort),
  ...rowsOf('refuses connections for 5 s', 'http legacy', soon, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf('refuses connections for 5 s', 'http modern', soon, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf('refuses connections for 5 s', 'sse', soon, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),

  ...never('half-open TCP', 'stdio', noPort),
  ...rowsOf('half-open TCP', 'http legacy', atTheirLimit, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', 'timed-out unknown', 'timed-out not-sent'],
  ]),
  ...rowsOf('half-open TCP', 'http modern', atTheirLimit, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out unknown'],
    ['ten calls', 'timed-out unknown', 'timed-out unknown'],
  ]),
  ...rowsOf('half-open TCP', 'sse', atTheirLimit, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', 'timed-out unknown', 'timed-out not-sent'],
  ]),

  ...never('503, then well', 'stdio', 'A local process has no status codes.'),
  ...links.filter((link) => link !== 'stdio').flatMap((link) => never('503, then well', link, nothingAsked, ['idle'])),
  ...rowsOf('503, then well', 'http legacy', soon, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf('503, then well', 'http modern', soon, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf('503, then well', 'sse', soon, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),

  ...never('session lost', 'stdio', 'The session is the process.'),
  ...never('session lost', 'http modern', 'This revision has no sessions.'),
  ...rowsOf('session lost', 'http legacy', soon, [
    ['idle', undefined, 'unavailable rejected'],
    ['one call', 'unavailable rejected', 'ok done'],
    ['ten calls', 'unavailable rejected', 'ok done'],
  ]),
  ...rowsOf('session lost', 'sse', soon, [
    ['idle', undefined, 'unavailable rejected'],
    ['one call', 'unavailable rejected', 'ok done'],
    ['ten calls', 'unavailable rejected', 'ok done'],
  ]),
];
