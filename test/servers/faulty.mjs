// A server with one tool, `work`, that commits one fault when it is told to, and is good otherwise. It writes down whatever it
// executes, so that a test can prove that nothing ran twice.
// Usage: faulty.mjs LINK FOLDER [PORT]. LINK: stdio, stdio-modern, http-legacy, http-modern, sse, events. Over HTTP its first line tells its URL.
// FOLDER holds `ran` (one id a line, written by us), `pids` (ours), and `fault`, written by the test: `FAULT CALLS`. The fault is
// committed once, when that many calls have come; with 0 calls, as soon as the file is seen. Then the file is removed, so that
// whoever comes after us is good.
import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [link, folder, port = '0'] = process.argv.slice(2);
const isLocal = link.startsWith('stdio');
const faultFile = join(folder, 'fault');
appendFileSync(join(folder, 'pids'), `${process.pid}\n`);

/** How long a flood goes on at a time; a client that ends the connection ends it. */
const floodPiece = 'x'.repeat(1024 * 1024);

/** The fault asked for, or undefined. */
function asked() {
  try {
    const [fault, calls] = readFileSync(faultFile, 'utf8').split(' ');
    return calls === undefined ? undefined : { fault, calls: Number(calls) };
  } catch {
    return undefined;
  }
}

/** Calls that have come and are held until the fault is due: each with its id and how it is answered. */
let held = [];
const ran = ({ id }) => appendFileSync(join(folder, 'ran'), `${id}\n`);
const answer = (call) => call.reply({ content: [{ type: 'text', text: `did ${call.id}` }] });
const leave = () => process.exit(7);

/** Leaves when nothing was asked for a while, also of a busy machine: the end must not swallow what was said, nor meet what waits behind it. */
function leaveWhenQuiet() {
  clearTimeout(leaving);
  leaving = setTimeout(leave, 1_000);
}
let leaving;

/** What becomes of the calls that are held, and of us. */
const faults = {
  'dies-before': leave,
  'dies-during': (calls) => {
    calls.forEach(ran);
    leave();
  },
  'dies-after': (calls) => {
    calls.forEach(ran);
    calls.forEach(answer);
    leaveWhenQuiet();
  },
  freezes: (calls) => {
    calls.forEach(ran);
    process.kill(process.pid, 'SIGSTOP');
  },
  'closes-stdout': (calls) => {
    calls.forEach(ran);
    closeSync(1);
    setInterval(() => {}, 1_000);
  },
  'closes-stdin': (calls) => {
    calls.forEach(ran);
    process.stdin.destroy();
    closeSync(0);
    setInterval(() => {}, 1_000);
    calls.forEach(answer);
  },
  floods: (calls) => {
    calls.forEach(ran);
    if (isLocal) flood(process.stdout);
    else if (calls.length === 0) for (const stream of sessions.values()) flood(stream);
    else for (const call of calls) call.flood();
  },
  /** Says half of the answer, where the answer would come. */
  'dies-answering': (calls) => {
    calls.forEach(ran);
    for (const call of calls) call.half();
    setTimeout(leave, 100);
  },
  /** Says nothing more, and does. */
  hangs: (calls) => calls.forEach(ran),
  /** Asks the test to cut the line: it watches the file that says so. */
  'goes-silent': (calls) => {
    calls.forEach(ran);
    appendFileSync(join(folder, 'silent'), '');
  },
  'is-unavailable': (calls) => calls.forEach((call) => call.refuse(503, { 'retry-after': '1' })),
  'forgets-sessions': (calls) => {
    sessions.clear();
    calls.forEach((call) => call.refuse(404, {}));
  },
};

function flood(stream) {
  const write = () => {
    while (stream.write(floodPiece));
  };
  stream.on('drain', write);
  stream.on('error', () => {});
  write();
}

function commit({ fault }) {
  rmSync(faultFile);
  const calls = held;
  held = [];
  faults[fault](calls);
}

function work(call) {
  if (leaving !== undefined) leaveWhenQuiet();
  const due = asked();
  if (due === undefined || due.calls === 0) {
    ran(call);
    answer(call);
    return;
  }
  held.push(call);
  if (held.length >= due.calls) commit(due);
}

// An idle server is told through the file alone.
setInterval(() => {
  const due = asked();
  if (due?.calls === 0 && hasStreams(due)) commit(due);
}, 20).unref();

/** Over HTTP legacy the stream on which an idle server may flood is asked for a moment after the handshake. */
const hasStreams = ({ fault }) => fault !== 'floods' || ![...sessions.values()].includes(undefined);

const tool = {
  name: 'work',
  description: 'Does one piece of work.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, ballast: { type: 'string' } },
    required: ['id'],
  },
};
const isModern = link.endsWith('modern');
const complete = isModern ? { resultType: 'complete' } : {};

const methods = {
  ...(isModern
    ? {
        'server/discover': () => ({
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: 'private',
        }),
      }
    : {
        initialize: ({ protocolVersion }) => ({
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'faulty', version: '1.0.0' },
        }),
        ping: () => ({}),
      }),
  'tools/list': () => ({ tools: [tool], ...(isModern ? { ttlMs: 0, cacheScope: 'private' } : {}) }),
};

/** Handles one message; `send` takes the reply. */
function handle({ id, method, params = {} }, send, more = {}) {
  if (id === undefined) return;
  const reply = (result) => send({ jsonrpc: '2.0', id, result: { ...complete, ...result } });
  if (method === 'tools/call') work({ id: params.arguments.id, reply, ...more });
  else if (methods[method] !== undefined) reply(methods[method](params));
  else send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
}

/** Dies while a message comes in, when it is told to. */
function mayDieReading() {
  if (asked()?.fault !== 'dies-reading') return;
  rmSync(faultFile);
  leave();
}

if (isLocal) {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (data) => {
    mayDieReading();
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    const write = (reply) => process.stdout.write(`${JSON.stringify(reply)}\n`);
    for (const line of lines)
      handle(JSON.parse(line), write, { half: () => process.stdout.write('{"jsonrpc":"2.0",') });
  });
  process.stdin.on('end', () => process.exit(0));
}

/** Sessions by id, with the response that is the session's own stream: over HTTP legacy only once the client has asked for it. */
const sessions = new Map();

const beginStream = (response) =>
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
const event = (type, data) => `event: ${type}\ndata: ${data}\n\n`;

/** How one POST's call may end otherwise than by its reply. */
const ends = (response) => ({
  refuse: (status, headers) => response.writeHead(status, headers).end(),
  flood: () => flood(beginStream(response)),
  half: () => response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0",'),
});

/** The same where the answer comes on the session's own stream. */
const endsOnStream = (response, stream, type) => ({
  ...ends(response),
  flood: () => flood(stream),
  half: () => {
    if (!response.writableEnded) response.writeHead(202).end();
    stream.write(`event: ${type}\ndata: {"jsonrpc":"2.0",`);
  },
});

const httpLinks = {
  'http-legacy': (request, response, message) => {
    const session = request.headers['mcp-session-id'];
    if (request.method === 'DELETE') return response.writeHead(200).end();
    if (request.method === 'GET' && sessions.has(session)) {
      sessions.set(session, response);
      return beginStream(response).flushHeaders();
    }
    if (request.method !== 'POST') return response.writeHead(404).end();
    if (message.method === 'initialize') {
      const created = randomUUID();
      sessions.set(created, undefined);
      response.setHeader('mcp-session-id', created);
    } else if (!sessions.has(session)) return response.writeHead(404).end();
    return answerPost(response, message);
  },
  'http-modern': (request, response, message) =>
    request.method === 'POST' ? answerPost(response, message) : response.writeHead(405).end(),
  sse: (request, response, message) =>
    withStream(request, response, {
      endpoint: (id) => `/messages?session=${id}`,
      session: () => new URL(request.url, 'http://localhost').searchParams.get('session'),
      post: (stream) => {
        const send = (reply) => {
          if (!response.writableEnded) response.writeHead(202).end();
          stream.write(event('message', JSON.stringify(reply)));
        };
        // A call is accepted when its fate is known, so that it can still be refused.
        if (message.method === 'tools/call') {
          setTimeout(() => response.writableEnded || response.writeHead(202).end(), 300).unref();
        } else response.writeHead(202).end();
        handle(message, send, endsOnStream(response, stream, 'message'));
      },
    }),
  events: (request, response, message) =>
    withStream(request, response, {
      endpoint: (id) => JSON.stringify({ session_id: id }),
      session: () => message.session_id,
      opened: (stream) => stream.write(event('tools', JSON.stringify([tool]))),
      post: (stream) => {
        const accept = () => response.writableEnded || response.writeHead(202).end();
        setTimeout(accept, 300).unref();
        const reply = (result) => {
          accept();
          stream.write(event('result', JSON.stringify(result)));
        };
        work({ id: message.args.id, reply, ...endsOnStream(response, stream, 'result') });
      },
    }),
};

function answerPost(response, message) {
  if (message.id === undefined) return response.writeHead(202).end();
  const send = (reply) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(reply));
  };
  return handle(message, send, ends(response));
}

/** The two links whose answers come on one stream. */
function withStream(request, response, { endpoint, session, opened, post }) {
  if (request.method === 'GET') {
    const id = randomUUID();
    sessions.set(id, response);
    response.on('close', () => sessions.delete(id));
    beginStream(response).write(event('endpoint', endpoint(id)));
    return opened?.(response);
  }
  const stream = sessions.get(session());
  return stream === undefined ? response.writeHead(404).end() : post(stream);
}

if (!isLocal) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) {
      mayDieReading();
      body += chunk;
    }
    httpLinks[link](request, response, body === '' ? {} : JSON.parse(body));
  });
  const path = link.startsWith('http') ? '/mcp' : '/sse';
  server.listen(Number(port), '127.0.0.1', () =>
    process.stdout.write(`http://127.0.0.1:${server.address().port}${path}\n`),
  );
}
