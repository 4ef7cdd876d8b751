/**
 * What becomes of calls when a server or the line to it fails: one row a cell, for every fault, link and load. The test holds
 * that every cell is here once.
 */

export const links = ['stdio', 'http legacy', 'http modern', 'sse', 'events'] as const;
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

export type Tally = { readonly [Of in End]?: number };

export interface Expectation {
  /** How many calls of those the fault meets end how; empty without calls. */
  readonly calls: Tally;
  /** Within which they end, milliseconds. */
  readonly withinMs: number;
  /** Within which each of the two calls below ends. */
  readonly eachWithinMs: number;
  /** The end of the next call, once the fault has happened. */
  readonly next: End;
  /** The end of the call after that, once nothing stands against the server any more. */
  readonly later: End;
}

export type Row = { readonly fault: Fault; readonly link: FaultLink; readonly load: Load } & (
  | Expectation
  /** Why there is no such cell. */
  | { readonly never: string }
);

/** Under any limit of a call, on a busy machine. */
const soon = 15_000;
/** Their own limit is all that ends them. */
const atTheirLimit = 15_000;
/** Ten streams of 64 MiB each are read until it is enough. */
const afterTheFlood = 60_000;

/** A look for a sign of life and a new start, or a limit of 4 s: whoever waits for more hangs. */
const eachWithinMs = 15_000;

const noPort = 'A local process has no port.';
const noPipes = 'There are no standard streams between us.';
const nothingAsked = 'Nothing is asked of an idle server.';
const noStream = 'Nothing flows while no call runs.';
const noCall = 'Without a call there is one way to die: see "dies during".';

/** `calls`: the end of all of them, or of the one that was sent and of those that waited behind it. */
type Cell = readonly [load: Load, calls: End | readonly [sent: End, waited: End] | undefined, next: End, later?: End];
type Place = Pick<Row, 'fault' | 'link'>;

const rowsOf = (place: Place & { readonly withinMs: number }, cells: readonly Cell[]): readonly Row[] =>
  cells.map(([load, calls, next, later = 'ok done']) => ({
    ...place,
    eachWithinMs,
    load,
    calls: tally(loads[load], calls),
    next,
    later,
  }));

function tally(number: number, calls: Cell[1]): Tally {
  if (calls === undefined) return {};
  return typeof calls === 'string' ? { [calls]: number } : { [calls[0]]: 1, [calls[1]]: number - 1 };
}

const never = (place: Place, why: string, of = Object.keys(loads) as readonly Load[]): readonly Row[] =>
  of.map((load) => ({ ...place, load, never: why }));

export const matrix: readonly Row[] = [
  ...links.flatMap((link) => never({ fault: 'dies before', link }, noCall, ['idle'])),
  ...rowsOf({ fault: 'dies before', link: 'stdio', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: 'dies before', link: 'http legacy', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies before', link: 'http modern', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies before', link: 'sse', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies before', link: 'events', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', ['unavailable unknown', 'unavailable not-sent'], 'unavailable not-sent'],
  ]),

  ...rowsOf({ fault: 'dies during', link: 'stdio', withinMs: soon }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: 'dies during', link: 'http legacy', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies during', link: 'http modern', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies during', link: 'sse', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies during', link: 'events', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', ['unavailable unknown', 'unavailable not-sent'], 'unavailable not-sent'],
  ]),

  ...links.flatMap((link) => never({ fault: 'dies after', link }, noCall, ['idle'])),
  ...rowsOf({ fault: 'dies after', link: 'stdio', withinMs: soon }, [
    ['one call', 'ok done', 'ok done'],
    ['ten calls', 'ok done', 'ok done'],
  ]),
  ...rowsOf({ fault: 'dies after', link: 'http legacy', withinMs: soon }, [
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies after', link: 'http modern', withinMs: soon }, [
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies after', link: 'sse', withinMs: soon }, [
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'dies after', link: 'events', withinMs: soon }, [
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),

  ...rowsOf({ fault: 'freezes', link: 'stdio', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'ok done'],
    ['ten calls', 'timed-out unknown', 'ok done'],
  ]),
  // The server stands still for new connections too; over HTTP its process is not ours to end.
  ...rowsOf({ fault: 'freezes', link: 'http legacy', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', 'timed-out unknown', 'timed-out not-sent'],
  ]),
  // There is no sign of life to ask for, so the next call is sent.
  ...rowsOf({ fault: 'freezes', link: 'http modern', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out unknown'],
    ['ten calls', 'timed-out unknown', 'timed-out unknown'],
  ]),
  ...rowsOf({ fault: 'freezes', link: 'sse', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', 'timed-out unknown', 'timed-out not-sent'],
  ]),
  ...rowsOf({ fault: 'freezes', link: 'events', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', ['timed-out unknown', 'timed-out not-sent'], 'timed-out not-sent'],
  ]),

  ...rowsOf({ fault: 'closes stdout only', link: 'stdio', withinMs: soon }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  // Only the next write can notice it, and none of that write arrives.
  ...rowsOf({ fault: 'closes stdin only', link: 'stdio', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'ok done', 'unavailable not-sent'],
    ['ten calls', 'ok done', 'unavailable not-sent'],
  ]),
  ...links
    .filter((link) => link !== 'stdio')
    .flatMap((link) => [
      ...never({ fault: 'closes stdout only', link }, noPipes),
      ...never({ fault: 'closes stdin only', link }, noPipes),
    ]),

  ...rowsOf({ fault: 'floods', link: 'stdio', withinMs: afterTheFlood }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  // Idle, on the stream for messages of the server's own, whose end is nobody's loss.
  ...rowsOf({ fault: 'floods', link: 'http legacy', withinMs: afterTheFlood }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...never({ fault: 'floods', link: 'http modern' }, noStream, ['idle']),
  ...rowsOf({ fault: 'floods', link: 'http modern', withinMs: afterTheFlood }, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: 'floods', link: 'sse', withinMs: afterTheFlood }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: 'floods', link: 'events', withinMs: afterTheFlood }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', ['unavailable unknown', 'unavailable not-sent'], 'ok done'],
  ]),

  ...never({ fault: 'restarts on the same port', link: 'stdio' }, noPort),
  // The server refuses the lost session unexecuted; a restart in the middle of a call was noticed before.
  ...rowsOf({ fault: 'restarts on the same port', link: 'http legacy', withinMs: soon }, [
    ['idle', undefined, 'unavailable rejected'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: 'restarts on the same port', link: 'http modern', withinMs: soon }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: 'restarts on the same port', link: 'sse', withinMs: soon }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: 'restarts on the same port', link: 'events', withinMs: soon }, [
    ['idle', undefined, 'ok done'],
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', ['unavailable unknown', 'unavailable not-sent'], 'ok done'],
  ]),

  ...never({ fault: 'refuses connections for 5 s', link: 'stdio' }, noPort),
  ...rowsOf({ fault: 'refuses connections for 5 s', link: 'http legacy', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'refuses connections for 5 s', link: 'http modern', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'refuses connections for 5 s', link: 'sse', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', 'unavailable unknown', 'unavailable not-sent'],
  ]),
  ...rowsOf({ fault: 'refuses connections for 5 s', link: 'events', withinMs: soon }, [
    ['idle', undefined, 'unavailable not-sent'],
    ['one call', 'unavailable unknown', 'unavailable not-sent'],
    ['ten calls', ['unavailable unknown', 'unavailable not-sent'], 'unavailable not-sent'],
  ]),

  ...never({ fault: 'half-open TCP', link: 'stdio' }, noPort),
  ...rowsOf({ fault: 'half-open TCP', link: 'http legacy', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', 'timed-out unknown', 'timed-out not-sent'],
  ]),
  ...rowsOf({ fault: 'half-open TCP', link: 'http modern', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out unknown'],
    ['ten calls', 'timed-out unknown', 'timed-out unknown'],
  ]),
  ...rowsOf({ fault: 'half-open TCP', link: 'sse', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', 'timed-out unknown', 'timed-out not-sent'],
  ]),
  ...rowsOf({ fault: 'half-open TCP', link: 'events', withinMs: atTheirLimit }, [
    ['idle', undefined, 'timed-out unknown'],
    ['one call', 'timed-out unknown', 'timed-out not-sent'],
    ['ten calls', ['timed-out unknown', 'timed-out not-sent'], 'timed-out not-sent'],
  ]),

  ...never({ fault: '503, then well', link: 'stdio' }, 'A local process has no status codes.'),
  ...links
    .filter((link) => link !== 'stdio')
    .flatMap((link) => never({ fault: '503, then well', link }, nothingAsked, ['idle'])),
  ...rowsOf({ fault: '503, then well', link: 'http legacy', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: '503, then well', link: 'http modern', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: '503, then well', link: 'sse', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', 'unavailable unknown', 'ok done'],
  ]),
  ...rowsOf({ fault: '503, then well', link: 'events', withinMs: soon }, [
    ['one call', 'unavailable unknown', 'ok done'],
    ['ten calls', ['unavailable unknown', 'ok done'], 'ok done'],
  ]),

  ...never({ fault: 'session lost', link: 'stdio' }, 'The session is the process.'),
  ...never({ fault: 'session lost', link: 'http modern' }, 'This revision has no sessions.'),
  ...rowsOf({ fault: 'session lost', link: 'http legacy', withinMs: soon }, [
    ['idle', undefined, 'unavailable rejected'],
    ['one call', 'unavailable rejected', 'ok done'],
    ['ten calls', 'unavailable rejected', 'ok done'],
  ]),
  ...rowsOf({ fault: 'session lost', link: 'sse', withinMs: soon }, [
    ['idle', undefined, 'unavailable rejected'],
    ['one call', 'unavailable rejected', 'ok done'],
    ['ten calls', 'unavailable rejected', 'ok done'],
  ]),
  ...rowsOf({ fault: 'session lost', link: 'events', withinMs: soon }, [
    ['idle', undefined, 'unavailable rejected'],
    ['one call', 'unavailable rejected', 'ok done'],
    ['ten calls', 'unavailable rejected', 'ok done'],
  ]),
];
