/** Makes a session of a connection whose server has introduced itself: attaches the SDK's Client, which is told the outcome. */
import { Client, type DiscoverResult } from '@modelcontextprotocol/client';
import { within } from '../base/index.ts';
import type { Call } from './call.ts';
import type { Connection, Dialling } from './dialling.ts';
import type { Introduction } from './handshake.ts';
import { createHostAnswers } from './host-answers.ts';
import { createListChanges } from './list-changes.ts';
import { Listening } from './listening.ts';
import { LiveSession } from './live-session.ts';
import { legacyRevisions, modernCapabilities, modernRevision } from './revisions.ts';
import { sessionClosed, type StateCell } from './session-state.ts';

export interface Opening {
  readonly dialling: Dialling;
  readonly state: StateCell;
  readonly connection: Connection;
  readonly introduction: Introduction;
}

/** What the Client is told of a modern server; it must not judge capabilities and identities, which it does by stricter rules than ours. */
const toldDiscover: DiscoverResult = {
  supportedVersions: [modernRevision],
  capabilities: {},
  ttlMs: 0,
  cacheScope: 'private',
};

/** A ready session. Rejects when the link ends meanwhile, or with the deadline's reason. */
export async function openSession(opening: Opening): Promise<LiveSession> {
  const { dialling, state, connection, introduction } = opening;
  const { link, gate } = connection;
  const { server, ports, wire } = dialling.options;
  const calls = new Set<Call>();
  const { face } = dialling;
  const capabilities = introduction.era === 'modern' ? modernCapabilities(face) : face.capabilities;
  const client = new Client(face.info, { capabilities });
  const host = createHostAnswers({ server, ports, clock: wire.clock });
  const listChanges = createListChanges();
  gate.onlistchanged = listChanges.tell;
  if (introduction.era === 'legacy') {
    link.setProtocolVersion?.(introduction.protocolVersion);
    const told = { name: server, version: '' };
    const initializeResult = { protocolVersion: legacyRevisions[0], capabilities: {}, serverInfo: told };
    const answering = { host, deadlines: () => [...calls].map((call) => call.control.deadline) };
    gate.attach({ era: 'legacy', initializeResult, answering });
    await within(dialling.deadline, client.connect(gate, { prior: { kind: 'legacy' } }));
  } else {
    gate.attach({ era: 'modern' });
    await within(dialling.deadline, client.connect(gate, { prior: { kind: 'modern', discover: toldDiscover } }));
  }
  if (link.ended !== undefined) throw link.ended;
  const info = { server, link: link.kind, pid: link.pid, ...introduction };
  if (!state.move('ready')) throw state.reason ?? sessionClosed(server);
  let listens = 0;
  // Texts, which no number of the Client's is equal to.
  const nextId = (): string => `listen-${(listens += 1)}`;
  const openListening = (): Listening => {
    const { capabilities: declared } = introduction;
    const isOver = (): boolean => state.state !== 'ready';
    return new Listening({ server, capabilities: declared, face, gate, wire, nextId, isOver, tell: listChanges.tell });
  };
  return new LiveSession({
    info,
    state,
    link,
    gate,
    client,
    calls,
    host,
    clock: wire.clock,
    listChanges,
    openListening: introduction.era === 'modern' ? openListening : undefined,
    forgetEra: () => dialling.forget(),
  });
}
