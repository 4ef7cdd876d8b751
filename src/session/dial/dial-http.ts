/**
 * The ladder of an HTTP server: Streamable HTTP with 2026-07-28, Streamable HTTP with initialize, HTTP+SSE, and where a `tools` event
 * came on that before any JSON-RPC message, the event dialect; each rung on a fresh link. A failure of the way itself (sign-in,
 * 5xx, no connection) ends the search with its own words.
 */
import { delay, type ErrorCode, limits, TrestleError } from '../../base/index.ts';
import type { HttpEndpoint, LinkKind } from '../../wire/index.ts';
import { type Connection, type Dialling, linkNames, notModern } from './dialling.ts';
import { type Doubt, type Found, greet } from './greet.ts';
import { isWayBlocked, probe, silenceOf } from './probe.ts';

type HttpLinkKind = Exclude<LinkKind, 'stdio'>;

/** A rung that did not hold. */
interface Tried {
  readonly rung: string;
  /** The least is the most telling. */
  readonly rank: number;
  readonly error: TrestleError;
}

interface Climb {
  readonly dialling: Dialling;
  readonly endpoint: HttpEndpoint;
  readonly tried: Tried[];
}

/** The connection that works, and what the server said of itself. */
export async function dialHttp(dialling: Dialling, endpoint: HttpEndpoint): Promise<Found> {
  const known = dialling.recall();
  if (known?.era === 'legacy' && isAllowed(known.link, endpoint)) {
    try {
      return await greetOver({ dialling, endpoint, tried: [] }, known.link);
    } catch (error) {
      if (isWayBlocked(error as TrestleError)) throw error;
      dialling.forget();
    }
  }
  return await climb({ dialling, endpoint, tried: [] });
}

async function climb(state: Climb): Promise<Found> {
  const { dialling, endpoint, tried } = state;
  const { protocol, server } = dialling.options;
  let doubt: Doubt | undefined;
  let fromSilence = false;
  if (isAllowed('streamable', endpoint) && protocol !== 'legacy') {
    const outcome = await tryModern(state);
    if ('found' in outcome) return outcome.found;
    doubt = outcome.doubt;
    fromSilence = outcome.fromSilence;
  }
  if (protocol === 'modern') throw notModern(server, tried[0]?.error);
  for (const kind of ['streamable', 'sse', 'events'] as const) {
    if (!isAllowed(kind, endpoint)) continue;
    if (kind === 'events' && endpoint.transport === 'auto' && !tried.some(({ error }) => speaksEvents(error))) continue;
    try {
      const found = await greetOver(state, kind, kind === 'streamable' ? doubt : undefined);
      const { era } = found.introduction;
      dialling.remember(found.connection, { era, fromSilence: era === 'legacy' && fromSilence });
      return found;
    } catch (error) {
      const failure = error as TrestleError;
      if (endsTheSearch(failure, kind)) throw failure;
      tried.push({ rung: linkNames[kind], rank: ranks[kind], error: failure });
    }
  }
  throw nothingHeld(server, tried);
}

/** What the server said to initialize tells most; that it speaks the event dialect at all it said itself. */
const ranks: Readonly<Record<HttpLinkKind, number>> = { events: 0, streamable: 1, sse: 2 };

/** Said by an HTTP+SSE link on which the event dialect is spoken. */
function speaksEvents(error: TrestleError | undefined): error is TrestleError {
  return error?.details?.['speaks'] === 'events';
}

/**
 * On the last rung a broken way is only one more reason, beside those of the rungs before; a server that names an endpoint of
 * another origin does speak HTTP+SSE, and that it is refused is the whole reason.
 */
function endsTheSearch(failure: TrestleError, kind: LinkKind): boolean {
  if (kind === 'streamable') return isWayBlocked(failure) || failure.code === 'version_mismatch';
  const { code } = failure;
  return isSignIn(code) || ['forbidden', 'origin_refused', 'version_mismatch', 'timed_out', 'cancelled'].includes(code);
}

/** Why a sign-in does not allow a request: on any rung it is the whole reason. */
function isSignIn(code: ErrorCode): boolean {
  return ['auth_required', 'sign_in_failed', 'secrets_unavailable', 'locked'].includes(code);
}

type ModernOutcome = { readonly found: Found } | { readonly doubt: Doubt | undefined; readonly fromSilence: boolean };

async function tryModern({ dialling, endpoint, tried }: Climb): Promise<ModernOutcome> {
  const { options, finished } = dialling;
  const connection = await open(dialling, endpoint, 'streamable');
  // The ladder goes on soon; the answer itself is waited for a while longer, in case the server only starts slowly.
  const patience = delay(options.wire.clock, limits.probeFromSpawnMs, finished);
  const silence =
    options.protocol === 'modern' ? new Promise<void>(() => {}) : silenceOf(dialling, limits.probeFromFirstByteMs);
  const verdict = await probe(dialling, connection, silence);
  if (verdict.era === 'modern') {
    dialling.remember(connection, { era: 'modern', fromSilence: false });
    return { found: { connection, introduction: verdict.introduction } };
  }
  if (verdict.failure !== undefined) {
    tried.push({ rung: `${linkNames.streamable} (2026-07-28)`, rank: 3, error: verdict.failure });
  }
  const { fromSilence } = verdict;
  return { doubt: fromSilence ? { late: verdict.late, patience } : undefined, fromSilence };
}

async function greetOver(state: Climb, kind: HttpLinkKind, doubt?: Doubt): Promise<Found> {
  const { dialling, endpoint } = state;
  const opening = open(dialling, endpoint, kind);
  // A server that answers JSON-RPC at this address may keep a GET stream open for other ends, without ever naming an endpoint.
  const isUnlikely = kind === 'sse' && state.tried.some(({ error }) => error.code === 'protocol_error');
  const connection = await (isUnlikely ? soon(dialling, opening) : opening);
  try {
    return await greet(dialling, connection, doubt);
  } catch (error) {
    const { code } = error as TrestleError;
    const isMute = code === 'http_error' || code === 'not_mcp';
    if (kind === 'sse' && endpoint.transport === 'auto' && isMute) await spokenInstead(dialling, connection);
    throw error;
  }
}

/** Rejects if the server says after all that it speaks the event dialect, which is why it took no message. */
async function spokenInstead({ options, finished }: Dialling, { link, gate }: Connection): Promise<void> {
  if (link.ended === undefined && !options.deadline.signal.aborted) {
    await Promise.race([gate.over, delay(options.wire.clock, limits.dialect.toolsEventMs, finished)]);
  }
  if (speaksEvents(link.ended)) throw link.ended;
}

async function soon(dialling: Dialling, opening: Promise<Connection>): Promise<Connection> {
  const { server } = dialling.options;
  const tooLate = silenceOf(dialling, limits.probeFromSpawnMs).then(() => {
    const message = `Server "${server}" named no endpoint in time.`;
    throw new TrestleError({ code: 'not_mcp', message, server, execution: 'not-sent' });
  });
  tooLate.catch(() => {});
  return await Promise.race([opening, tooLate]);
}

async function open(dialling: Dialling, endpoint: HttpEndpoint, kind: HttpLinkKind): Promise<Connection> {
  const { server, wire } = dialling.options;
  const opener = dialling.openers[kind];
  return await dialling.connect(opener(endpoint, server, wire));
}

function isAllowed(kind: LinkKind, endpoint: HttpEndpoint): kind is HttpLinkKind {
  return kind !== 'stdio' && (endpoint.transport === 'auto' || endpoint.transport === kind);
}

/** What was tried, the most telling reason first: what the server said to initialize, then the older transport, then the probe. */
function nothingHeld(server: string, tried: readonly Tried[]): TrestleError {
  const ranked = tried.toSorted((a, b) => a.rank - b.rank);
  const first = ranked[0]?.error;
  // Rungs that failed alike share their reason.
  const rungs = new Map<string, string[]>();
  for (const { rung, error } of ranked) rungs.set(error.message, [...(rungs.get(error.message) ?? []), rung]);
  const reasons = [...rungs].map(([message, names]) => `${names.join(', ')}: ${message.replace(/\.$/, '')}`);
  return new TrestleError({
    code: first?.code ?? 'not_mcp',
    message: `Server "${server}" speaks MCP in no way that was tried. ${reasons.join('; ')}.`,
    hint: first?.hint,
    server,
    execution: 'not-sent',
    details: { tried: ranked.map(({ rung, error }) => ({ rung, code: error.code, message: error.message })) },
    cause: first,
  });
}
