import { onTestFinished } from 'vitest';
import {
  type Clock,
  type Deadline,
  noProxies,
  type DeadlineOptions,
  type Log,
  silentLog,
  startDeadline,
  systemClock,
  TrestleError,
} from '../../src/base/index.ts';
import type { DialOptions, EraMemory, EraVerdict } from '../../src/session/index.ts';
import { dialWith } from '../../src/session/dial/dial-with.ts';
import type { Endpoint, HttpEndpoint, LauncherState, LinkStats } from '../../src/wire/index.ts';
import { createFakeLink, type FakeLink, type FakeMessage } from './fake-link.ts';

/** Reacts to what is sent over the n-th link that was opened (from 0). */
export type FakeServer = (message: FakeMessage, link: FakeLink, nth: number) => void;

export const closedByUs = new TrestleError({ code: 'session_closed', message: 'Closed.' });
export const exited = new TrestleError({ code: 'server_exited', message: 'The process of server "fake" exited.' });

export interface FakeDial {
  readonly links: readonly FakeLink[];
  readonly eras: Map<string, EraVerdict>;
  readonly steps: readonly string[];
  /** Dials once more over new links. */
  readonly dial: () => ReturnType<typeof dialWith>;
}

export interface FakeDialOptions extends Partial<Omit<DialOptions, 'eras' | 'wire'>> {
  readonly serve: FakeServer;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly launcher?: LauncherState;
  readonly sessionId?: string;
  readonly stats?: Partial<LinkStats>;
  readonly stderr?: string;
  readonly eras?: Map<string, EraVerdict>;
  /** Keeps a link from starting, e.g. an HTTP+SSE stream without an endpoint event. */
  readonly onStart?: (kind: FakeLink['kind']) => Promise<void>;
}

export const stdioEndpoint: Endpoint = { kind: 'stdio', command: 'fake', args: [], env: {}, cwd: '/' };
export const httpEndpoint: HttpEndpoint = {
  kind: 'http',
  url: 'http://127.0.0.1/mcp',
  headers: {},
  transport: 'auto',
  redirects: 'same-origin',
  proxies: noProxies,
};

/** A deadline that the running test disposes of. */
export function testDeadline(clock: Clock = systemClock, idleMs = 60_000, signal?: AbortSignal): Deadline {
  return limitedDeadline({ clock, idleMs, signal });
}

/** As {@link testDeadline}, by name. */
export function limitedDeadline(options: Partial<DeadlineOptions>): Deadline {
  const usual = { clock: systemClock, idleMs: 60_000, totalMs: 600_000, subject: 'fake: test', server: 'fake' };
  const deadline = startDeadline({ ...usual, ...options });
  onTestFinished(() => deadline[Symbol.dispose]());
  return deadline;
}

/** Everything a dial over fake links needs. */
export function fakeDial(options: FakeDialOptions): FakeDial {
  const {
    serve,
    clock = systemClock,
    log = silentLog,
    launcher = 'none',
    sessionId,
    stats,
    stderr,
    onStart,
    ...rest
  } = options;
  const links: FakeLink[] = [];
  const steps: string[] = [];
  const eras = options.eras ?? new Map<string, EraVerdict>();
  const memory: EraMemory = {
    get: (hash) => eras.get(hash),
    set: (hash, verdict) => void eras.set(hash, verdict),
    forget: (hash) => void eras.delete(hash),
  };
  const open = (kind: FakeLink['kind']) => (): FakeLink => {
    const nth = links.length;
    const link = createFakeLink({
      kind,
      closedReason: closedByUs,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(stats === undefined ? {} : { stats }),
      ...(stderr === undefined ? {} : { stderr }),
      onSend: (message, to) => serve(message, to, nth),
      onStart: async () => onStart?.(kind),
    });
    links.push(link);
    return link;
  };
  const never = (): Promise<never> => Promise.reject(new Error('fake links need no wire'));
  const dialOptions = (): DialOptions => ({
    server: 'fake',
    endpoint: stdioEndpoint,
    definitionHash: 'hash',
    protocol: 'auto',
    protocolVersions: [],
    wire: {
      clock,
      log,
      keeper: { start: never, close: async () => {} },
      http: { fetch: never, close: async () => {} },
    },
    ports: { roots: () => ['/srv/root'] },
    client: { name: 'trestle', version: '0.0.0' },
    onStep: (line) => steps.push(line),
    ...rest,
    deadline: rest.deadline ?? testDeadline(clock),
    eras: memory,
  });
  const openers = {
    stdio: open('stdio'),
    streamable: open('streamable'),
    sse: open('sse'),
    events: open('events'),
    launcherState: () => launcher,
  };
  return { links, eras, steps, dial: () => dialWith(dialOptions(), openers) };
}

/** The answer of an ordinary initialize-era server to its handshake; false when `message` is no part of one. */
export function answerHandshake(message: FakeMessage, link: FakeLink, facts: object = {}): boolean {
  if (message.method === 'server/discover') link.refuse(message.id, { code: -32_601, message: 'Method not found' });
  else if (message.method === 'initialize') {
    link.answer(message.id, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 'fake', version: '1' },
      ...facts,
    });
  } else return message.method === 'notifications/initialized';
  return true;
}

/** The answer of a 2026-07-28 server to `server/discover`. */
export function answerDiscover(message: FakeMessage, link: FakeLink, facts: object = {}): boolean {
  if (message.method !== 'server/discover') return false;
  link.answer(message.id, {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {} },
    ...facts,
  });
  return true;
}
