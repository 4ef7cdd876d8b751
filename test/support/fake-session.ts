import { TrestleError } from '../../src/base/index.ts';
import type { Session, SessionInfo, SessionState } from '../../src/session/index.ts';

/** A session that only has a lifetime: what the pool sees of one. */
export interface FakeSession extends Session {
  state: SessionState;
  reason: TrestleError | undefined;
  /** How often `close` was called. */
  closes: number;
  /** How often a sign of life was asked. */
  asked: number;
  /** Clock.monotonicMs of the last message that "came in". */
  lastInMs: number | undefined;
  /** Answers `signOfLife`. */
  alive: (timeoutMs: number) => Promise<boolean>;
  /** Ends it as a server's death would. */
  die(reason?: TrestleError): void;
  /** Lets a `close` finish; it finishes at once unless `slowClose` was set before. */
  slowClose: Promise<void> | undefined;
}

const info: SessionInfo = {
  server: 'fake',
  era: 'legacy',
  protocolVersion: '2025-11-25',
  link: 'stdio',
  pid: undefined,
  serverInfo: undefined,
  capabilities: {},
  instructions: undefined,
};

const unused = (): never => {
  throw new Error('a fake session answers nothing');
};

export function createFakeSession(facts: Partial<SessionInfo> = {}): FakeSession {
  let over: (reason: TrestleError) => void = unused;
  const session: FakeSession = {
    info: { ...info, ...facts },
    state: 'ready',
    reason: undefined,
    closes: 0,
    asked: 0,
    lastInMs: undefined,
    slowClose: undefined,
    over: new Promise((resolve) => {
      over = resolve;
    }),
    alive: async () => true,
    signOfLife(timeoutMs) {
      session.asked += 1;
      return session.alive(timeoutMs);
    },
    die(reason = new TrestleError({ code: 'server_exited', message: 'fake: the server exited.' })) {
      session.state = 'failed';
      session.reason = reason;
      over(reason);
    },
    counters: () => ({
      messagesIn: 0,
      messagesOut: 0,
      bytesIn: 0,
      bytesOut: 0,
      noise: 0,
      noiseSample: undefined,
      lastInMs: session.lastInMs,
      strayReplies: 0,
      requestsSent: 0,
      requestsAnswered: {},
    }),
    async close(reason = new TrestleError({ code: 'session_closed', message: 'fake: closed.' })) {
      session.closes += 1;
      session.state = 'closing';
      await session.slowClose;
      session.state = 'closed';
      session.reason ??= reason;
      over(reason);
    },
    callTool: unused,
    listTools: unused,
    listResources: unused,
    listResourceTemplates: unused,
    listPrompts: unused,
    readResource: unused,
    getPrompt: unused,
    onListChanged: () => () => {},
  };
  return session;
}
