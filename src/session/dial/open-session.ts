/** Makes a session of a connection whose server has introduced itself. */
import { type Deadline, within } from '../../base/index.ts';
import type { Call } from '../call.ts';
import { createHostAnswers } from '../calls/host-answers.ts';
import type { Manner } from '../gate.ts';
import { createListChanges } from '../lists/list-changes.ts';
import { Listening } from '../lists/listening.ts';
import { LiveSession } from '../live-session.ts';
import { sessionClosed, type StateCell } from '../session-state.ts';
import type { Connection, Dialling } from './dialling.ts';
import type { Introduction } from './handshake.ts';
import { modernMeta } from './revisions.ts';

export interface Opening {
  readonly dialling: Dialling;
  readonly state: StateCell;
  readonly connection: Connection;
  readonly introduction: Introduction;
}

/** A ready session. Rejects when the link ends meanwhile, or with the deadline's reason. */
export async function openSession(opening: Opening): Promise<LiveSession> {
  const { dialling, state, connection, introduction } = opening;
  const { link, gate } = connection;
  const { server, ports, wire } = dialling.options;
  const calls = new Set<Call>();
  const { face } = dialling;
  const host = createHostAnswers({ server, ports, clock: wire.clock });
  const listChanges = createListChanges();
  gate.onlistchanged = listChanges.tell;
  if (introduction.era === 'legacy') link.setProtocolVersion?.(introduction.protocolVersion);
  const deadlines = (): readonly Deadline[] => [...calls].map((call) => call.control.deadline);
  const manner: Manner =
    introduction.era === 'legacy'
      ? { era: 'legacy', answering: { host, deadlines } }
      : { era: 'modern', meta: modernMeta(face) };
  await within(dialling.deadline, gate.open(manner));
  if (link.ended !== undefined) throw link.ended;
  const info = { server, link: link.kind, pid: link.pid, ...introduction };
  if (!state.move('ready')) throw state.reason ?? sessionClosed(server);
  let listens = 0;
  // Texts, which no number of the gate's is equal to.
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
    calls,
    host,
    clock: wire.clock,
    listChanges,
    openListening: introduction.era === 'modern' ? openListening : undefined,
    forgetEra: () => dialling.forget(),
  });
}
