import { expect, it } from 'vitest';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  startDeadline,
  systemClock,
  TrestleError,
} from '../../src/base/index.ts';
import type { RequestControl, Session } from '../../src/session/index.ts';
import { answerDiscover, answerHandshake, closedByUs, fakeDial } from '../support/dial-fake.ts';
import type { FakeLink, FakeMessage } from '../support/fake-link.ts';
import { array, constantFrom, oneof, tuple } from '../support/properties.ts';
import { assertPlain, holdsLater, valueOrErrorLater } from './holds.ts';
import { jsonValue, odd, shaped, text } from './hostile.ts';

/** Members of anything that a session reads. */
const id = oneof(constantFrom(1, 2, 3, '2', '3', 2.5, -0, null, true, 9007199254740993n), text);
const item = shaped({ name: text, uri: text, uriTemplate: text, inputSchema: jsonValue, description: text });
const list = array(item, { maxLength: 3 });
const result = shaped({
  resultType: constantFrom('complete', 'inputRequired', 'task', 'odd'),
  content: array(jsonValue, { maxLength: 2 }),
  contents: array(jsonValue, { maxLength: 2 }),
  messages: array(jsonValue, { maxLength: 2 }),
  tools: list,
  resources: list,
  resourceTemplates: list,
  prompts: list,
  nextCursor: oneof(constantFrom('', null), text),
  inputRequests: jsonValue,
  requestState: jsonValue,
  task: jsonValue,
  structuredContent: jsonValue,
  _meta: jsonValue,
});
const reply = shaped({
  jsonrpc: constantFrom('2.0', '2.0', '2.0', '1.0', 2),
  id,
  result,
  error: shaped({
    code: constantFrom(-32_601, -32_602, 1, 1e300, '1', 9007199254740993n),
    message: text,
    data: jsonValue,
  }),
});
const method = oneof(
  odd,
  constantFrom(
    'ping',
    'roots/list',
    'sampling/createMessage',
    'elicitation/create',
    'notifications/progress',
    'notifications/cancelled',
    'notifications/tools/list_changed',
    'notifications/subscriptions/acknowledged',
    'notifications/tasks/status',
    'notifications/message',
  ),
);
const request = shaped({
  jsonrpc: constantFrom('2.0'),
  id,
  method,
  params: shaped({ progressToken: id, progress: jsonValue, requestId: id, message: text, requestedSchema: jsonValue }),
});
const strange = oneof(reply, reply, request, jsonValue);

/** The good answer to a request. */
const good: JsonObject = {
  resultType: 'complete',
  content: [{ type: 'text', text: 'good' }],
  contents: [{ uri: 'x:good', text: 'good' }],
  messages: [],
  tools: [{ name: 'good', inputSchema: { type: 'object' } }],
};

interface Talk {
  readonly session: Session;
  readonly link: FakeLink;
}

/** All that a session asks a server for. */
const declared = { capabilities: { tools: {}, resources: {}, prompts: {} } };

type Serve = (message: FakeMessage, link: FakeLink) => void;

async function talk(protocol: 'legacy' | 'modern', serve: Serve): Promise<Talk> {
  const fake = fakeDial({
    protocol,
    serve: (message, link) => {
      const isGreeting =
        protocol === 'modern' ? answerDiscover(message, link, declared) : answerHandshake(message, link);
      if (!isGreeting) serve(message, link);
    },
  });
  const session = await fake.dial();
  const link = fake.links.at(-1);
  if (link === undefined) throw new Error('no link was opened');
  return { session, link };
}

/** Runs one request under a deadline of its own. */
async function asked<T>(work: (control: RequestControl) => Promise<T>): Promise<T | TrestleError> {
  using deadline = startDeadline({
    clock: systemClock,
    idleMs: 2_000,
    totalMs: 4_000,
    subject: 'fake: test',
    server: 'fake',
  });
  return await valueOrErrorLater(() => work({ deadline, onProgress() {} }));
}

const eras = ['legacy', 'modern'] as const;

/** What may be taken for the answer to a request is its answer, and a test of its own. */
function mayAnswer(sent: JsonValue, { id: ours }: FakeMessage): boolean {
  if (!isObject(sent)) return false;
  const theirs = sent['id'] ?? null;
  if (typeof theirs === 'object') return theirs === null && Object.hasOwn(sent, 'error');
  return String(theirs) === String(ours);
}

it.each(eras)('S4: a %s session gives the good answer, whatever else the server sends before it', async (era) => {
  await holdsLater(array(strange, { maxLength: 5 }), 100, async (messages) => {
    const { session, link } = await talk(era, (message, to) => {
      if (message.method !== 'tools/list') return;
      for (const sent of messages) {
        if (!mayAnswer(sent, message)) to.deliver(sent as object);
      }
      to.answer(message.id, good);
    });
    const listed = await asked((control) => session.listTools(control));
    if (listed instanceof TrestleError) throw listed;
    expect(listed.items.map(({ name }) => name)).toEqual(['good']);
    assertPlain(session.counters());
    await session.close(closedByUs);
    expect(link.closed).toBe(true);
  });
});

it.each(eras)('S4: a %s session ends a request by whatever answers it, and the next one works', async (era) => {
  await holdsLater(tuple(oneof(reply, result), constantFrom(0, 1, 2, 3, 4, 5)), 150, async ([given, which]) => {
    let isFirst = true;
    const { session } = await talk(era, (message, to) => {
      if (message.id === undefined || typeof message.method !== 'string') return;
      if (!isFirst || message.method.startsWith('tasks/')) return to.answer(message.id, { ...good, status: 'failed' });
      isFirst = false;
      const answer = 'result' in given || 'error' in given ? given : { jsonrpc: '2.0', result: given };
      to.deliver({ ...answer, id: message.id });
    });
    const requests = [
      (control: RequestControl) => session.callTool({ name: 'x', arguments: {} }, control),
      (control: RequestControl) => session.listTools(control),
      (control: RequestControl) => session.listResources(control),
      (control: RequestControl) => session.listPrompts(control),
      (control: RequestControl) => session.readResource('x:y', control),
      (control: RequestControl) => session.getPrompt({ name: 'x', arguments: {} }, control),
    ];
    const first = await asked<unknown>((control) => requests[which]?.(control) ?? Promise.resolve());
    if (first instanceof TrestleError) expect(first.execution).toBeDefined();
    else assertPlain(first);
    const next = await asked((control) => session.readResource('x:good', control));
    expect(next).toEqual(good['contents']);
    await session.close(closedByUs);
  });
});

it('S1, S2: a greeting that is anything ends in a session or in an error', async () => {
  const greeting = shaped({
    protocolVersion: oneof(constantFrom('2025-11-25', '2024-11-05', '2026-07-28'), text),
    supportedVersions: oneof(constantFrom(['2026-07-28']), array(text, { maxLength: 2 })),
    capabilities: shaped({ tools: jsonValue, resources: jsonValue, prompts: jsonValue }),
    serverInfo: shaped({ name: text, version: text, title: text }),
    instructions: text,
  });
  await holdsLater(tuple(greeting, greeting), 150, async ([discovered, initialized]) => {
    const fake = fakeDial({
      serve(message, link) {
        if (message.method === 'server/discover') link.answer(message.id, discovered);
        else if (message.method === 'initialize') link.answer(message.id, initialized);
      },
    });
    const session = await valueOrErrorLater(() => fake.dial());
    if (session instanceof TrestleError) return;
    assertPlain(session.info);
    expect(session.state).toBe('ready');
    await session.close(closedByUs);
  });
});
