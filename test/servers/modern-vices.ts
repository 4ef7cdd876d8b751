/**
 * A server of revision 2026-07-28 with a vice for each of its tools, and one for how it treats `subscriptions/listen`. It writes
 * everything that it does to the file of its second argument, a line each, so that a test can prove what ran how often.
 *
 * Usage: modern-vices.ts stdio|http FILE [LISTENING]. Over HTTP it prints its URL as the first line.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

type Json = Readonly<Record<string, unknown>>;
interface Message {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: Json;
}

/** One request, and ways to answer it. */
interface Asked {
  readonly id: string | number;
  readonly params: Json;
  readonly args: Json;
  readonly headers: IncomingHttpHeaders | undefined;
  /** Tells something before the answer. */
  readonly tell: (message: Json) => void;
  /** Breaks the connection that would carry the answer; nothing over stdio. */
  readonly cut: () => void;
}

interface Failure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** HTTP status that goes with it. */
  readonly status?: number;
}

/** A result, an error, or no answer (yet). */
type Answer = { readonly result: Json } | { readonly error: Failure } | undefined;

const [transport, file = '/dev/null', listening = 'good'] = process.argv.slice(2);
const note = (line: string): void => appendFileSync(file, `${line}\n`);

const complete = (members: Json): Answer => ({ result: { resultType: 'complete', ...members } });
const text = (value: string): Answer => complete({ content: [{ type: 'text', text: value }] });
const refuse = (code: number, message: string, status = 400): Answer => ({ error: { code, message, status } });
const needsInput = (members: Json): Answer => ({ result: { resultType: 'input_required', ...members } });
const unknownTask = refuse(-32_602, 'Failed to retrieve task: Task not found', 200);

const confirm = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
  },
};

// Mirrored arguments.

let markedAs = 'Region';

function mirrored({ args, headers, params }: Asked): Answer {
  const header = headers?.[`mcp-param-${markedAs.toLowerCase()}`];
  if (headers !== undefined && header !== args['region']) {
    note('refused mirrored');
    return refuse(-32_020, `Header mismatch: Mcp-Param-${markedAs}`);
  }
  if (args['ask'] === true && params['inputResponses'] === undefined)
    return needsInput({ inputRequests: { q: confirm } });
  note('call mirrored');
  return text(`in ${String(args['region'])}`);
}

// Tasks.

interface Job {
  readonly id: string;
  readonly kind: string;
  polls: number;
  answers: Json | undefined;
}

const jobs = new Map<string, Job>();

function startJob(kind: string): Answer {
  const job: Job = { id: `job-${jobs.size + 1}`, kind, polls: 0, answers: undefined };
  jobs.set(job.id, job);
  return { result: { resultType: 'task', ...taskOf(job, 'working') } };
}

function taskOf(job: Job, status: string, members: Json = {}): Json {
  const at = '2026-07-28T00:00:00Z';
  return { taskId: job.id, status, createdAt: at, lastUpdatedAt: at, ttlMs: 60_000, pollIntervalMs: 100, ...members };
}

const ended = { content: [{ type: 'text', text: 'finished' }] };

/** What each kind of job says when it is looked at for the n-th time. */
const looks: Readonly<Record<string, (job: Job, asked: Asked) => Json | undefined>> = {
  job: (job) =>
    job.polls < 3
      ? taskOf(job, 'working', { statusMessage: `step ${job.polls}` })
      : taskOf(job, 'completed', { result: { ...ended, structuredContent: { polls: job.polls } } }),
  job_cancelled: (job) => taskOf(job, 'cancelled', { statusMessage: 'not today' }),
  job_asks: (job) =>
    job.answers === undefined || job.polls < 4
      ? taskOf(job, 'input_required', { inputRequests: { q: confirm } })
      : taskOf(job, 'completed', { result: { content: [{ type: 'text', text: JSON.stringify(job.answers) }] } }),
  job_stuck: (job) => taskOf(job, 'working', { statusMessage: 'still at it' }),
  /** Gone the second time. */
  job_vanishes: (job) => (job.polls === 1 ? taskOf(job, 'working') : undefined),
  /** The second look meets a broken connection. */
  job_cut: (job, asked) => {
    if (job.polls === 2) asked.cut();
    return job.polls < 3 ? taskOf(job, 'working') : taskOf(job, 'completed', { result: ended });
  },
};

let reads = 0;

/** Text that must come back as it went: quotes, escapes, all kinds of characters, and much of it. */
const state = `st ate/é+1 "\\u0000\\" \u0001 \u{1F600} ${'x'.repeat(1024 * 1024)}`;

const tools: Readonly<Record<string, (asked: Asked) => Answer>> = {
  plain: () => text('plain'),
  mirrored,
  /** Refuses whatever comes. */
  mismatched: () => refuse(-32_020, 'Header mismatch: always'),
  needy: () => ({
    error: {
      code: -32_021,
      message: 'Missing required client capability',
      data: { requiredCapabilities: { sampling: {}, extensions: { 'x/y': {} } } },
      status: 400,
    },
  }),
  /** From now on `mirrored` wants another header. */
  remark: () => {
    markedAs = 'Zone';
    return text('remarked');
  },
  asks: ({ params }) => {
    if (params['inputResponses'] === undefined)
      return needsInput({ inputRequests: { q: confirm }, requestState: state });
    if (params['requestState'] !== state) return text('another state');
    return text(JSON.stringify(params['inputResponses']));
  },
  /** Asks, and then refuses the retry as one that was not executed. */
  asks_then_refuses: ({ params }) =>
    params['inputResponses'] === undefined ? needsInput({ inputRequests: { q: confirm } }) : refuse(-32_601, 'no'),
  ...Object.fromEntries(Object.keys(looks).map((kind) => [kind, () => startJob(kind)])),
};

let extra = 0;

function listTools(): readonly Json[] {
  const region = { type: 'string', 'x-mcp-header': markedAs };
  const ratio = { type: 'number', 'x-mcp-header': 'Ratio' };
  const plain = [...Object.keys(tools), ...Array.from({ length: extra }, (_, at) => `extra_${at + 1}`)];
  return [
    ...plain.map((name) => ({
      name,
      inputSchema: { type: 'object', ...(name === 'mirrored' ? { properties: { region } } : {}) },
    })),
    { name: 'ruled_out', inputSchema: { type: 'object', properties: { ratio } } },
  ];
}

// Listening.

const subscription = 'io.modelcontextprotocol/subscriptionId';
let listens = 0;
/** How to tell those who listen, and to end what they listen to. */
const listeners = new Map<string | number, { readonly tell: (message: Json) => void; readonly end: () => void }>();

function tellChanges(): void {
  for (const [id, { tell }] of listeners) {
    tell({ method: 'notifications/tools/list_changed', params: { _meta: { [subscription]: id } } });
  }
}

function listen({ id, params, tell, cut }: Asked): Answer {
  listens += 1;
  note(`listen ${JSON.stringify(params['notifications'])}`);
  const meta = { _meta: { [subscription]: id } };
  const acknowledge = (notifications: Json): void =>
    tell({ method: 'notifications/subscriptions/acknowledged', params: { notifications, ...meta } });
  switch (listening) {
    case 'refused':
      return refuse(-32_601, 'Method not found', 404);
    case 'unacknowledged':
      return complete(meta);
    case 'silent':
      return undefined;
    case 'nothing':
      acknowledge({});
      return undefined;
    case 'cut':
      acknowledge({ toolsListChanged: true });
      setTimeout(cut, 20);
      return undefined;
    case 'graceful':
      acknowledge({ toolsListChanged: true });
      return complete(meta);
    default:
      acknowledge(params['notifications'] as Json);
      listeners.set(id, { tell, end: cut });
      return undefined;
  }
}

// Dispatch.

function answer(asked: Asked, method: string): Answer {
  const { params, args } = asked;
  switch (method) {
    case 'server/discover':
      return complete({
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: listening !== 'undeclared' }, resources: {}, prompts: {} },
        ttlMs: 0,
        cacheScope: 'private',
      });
    case 'tools/list':
      note('tools/list');
      return complete({ tools: listTools(), ttlMs: 0, cacheScope: 'private' });
    case 'tools/call': {
      const name = String(params['name']);
      if (name === 'add') {
        extra += 1;
        setImmediate(tellChanges);
        return text(`added extra_${extra}`);
      }
      const tool = tools[name];
      if (tool === undefined) return refuse(-32_602, `Unknown tool ${name}`, 200);
      if (name !== 'mirrored') note(`call ${name}`);
      return tool({ ...asked, args });
    }
    case 'resources/read':
      reads += 1;
      note(`read ${reads}`);
      return params['inputResponses'] === undefined
        ? needsInput({ inputRequests: { q: confirm } })
        : complete({ contents: [{ uri: params['uri'], text: 'read' }], ttlMs: 60_000, cacheScope: 'public' });
    case 'prompts/get':
      return params['inputResponses'] === undefined
        ? needsInput({ inputRequests: { q: confirm } })
        : complete({ messages: [{ role: 'user', content: { type: 'text', text: 'got' } }] });
    case 'subscriptions/listen':
      return listen(asked);
    default:
      return method.startsWith('tasks/') ? answerTask(asked, method) : refuse(-32_601, 'Method not found', 404);
  }
}

function answerTask(asked: Asked, method: string): Answer {
  const job = jobs.get(String(asked.params['taskId']));
  note(
    `${method} ${asked.headers === undefined || asked.headers['mcp-name'] === job?.id ? '' : 'misnamed '}${job?.kind}`,
  );
  if (job === undefined) return unknownTask;
  if (method === 'tasks/cancel') return complete({});
  if (method === 'tasks/update') {
    job.answers = asked.params['inputResponses'] as Json;
    return complete({});
  }
  job.polls += 1;
  const task = looks[job.kind]?.(job, asked);
  return task === undefined ? unknownTask : complete(task);
}

if (transport === 'stdio') {
  const send = (message: Json): void =>
    void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line) as Message;
    if (id === undefined) {
      if (method === 'notifications/cancelled') {
        listeners.delete(params['requestId'] as string);
        note(`cancelled ${String(params['requestId'])}`);
      }
      return;
    }
    const args = (params['arguments'] ?? {}) as Json;
    const cut = (): void => send({ method: 'notifications/cancelled', params: { requestId: id } });
    const answered = answer({ id, params, args, headers: undefined, tell: send, cut }, method);
    if (answered !== undefined) send({ id, ...answered });
  });
  process.stdin.on('end', () => process.exit(0));
} else {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => serve(JSON.parse(body) as Message, request.headers, response));
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
  });
}

function serve({ id, method, params = {} }: Message, headers: IncomingHttpHeaders, response: ServerResponse): void {
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const tell = (message: Json): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  };
  response.on('close', () => {
    if (listeners.delete(id)) note('listener left');
  });
  const args = (params['arguments'] ?? {}) as Json;
  const answered = answer({ id, params, args, headers, tell, cut: () => response.destroy() }, method);
  if (answered === undefined) return;
  if (response.headersSent) {
    tell({ id, ...answered });
    response.end();
    return;
  }
  const status = 'error' in answered ? (answered.error.status ?? 200) : 200;
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, ...answered }));
}
