// A server of the event dialect: GET /sse gives `endpoint` and `tools`; POST /sse {session_id, tool, args} gives 202, and then `result`
// or `error` comes on the stream. It writes down whatever it executes, one line each, so that a test can prove what ran.
// Usage: event-dialect.mjs FILE [NAME=VALUE…]. Its first line tells its URL. Ways to greet:
//   endpoint=object|text|url   the shape of the session's id (default object)
//   tools=list|object|names    the shape of the tools (default list)
//   pauseMs=N                  between the two events
//   token=T                    wanted as a bearer token, else 401
//   redial=hangs|refused       what becomes of every stream but the first
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, ...settings] = process.argv.slice(2);
const set = Object.fromEntries(settings.map((setting) => setting.split('=')));
const note = (line) => appendFileSync(file, `${line}\n`);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Open streams by session. */
const sessions = new Map();
let streams = 0;

const tool = (name, properties = {}) => ({ name, description: name, inputSchema: { type: 'object', properties } });
const tools = [
  tool('echo', { text: { type: 'string' } }),
  tool('value'),
  tool('words'),
  tool('slow', { ms: { type: 'number' } }),
  tool('fail', { how: { type: 'string' } }),
  tool('grow'),
  tool('twice', { text: { type: 'string' } }),
  tool('foreign'),
  tool('hang'),
  tool('cut'),
  tool('die'),
  tool('forget'),
  tool('big'),
  tool('deaf', { text: { type: 'string' } }),
];

const send = (stream, type, data) =>
  stream.write(
    `event: ${type}\n${data
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .join('')}\n`,
  );
const sendJson = (stream, type, value) => send(stream, type, JSON.stringify(value));
const content = (text) => ({ content: [{ type: 'text', text }] });

const endpoints = {
  object: (id) => JSON.stringify({ session_id: id }),
  text: (id) => id,
  url: (id) => `/messages/?session_id=${id}`,
};
const listings = {
  list: (list) => list,
  object: (list) => ({ tools: Object.fromEntries(list.map(({ name, ...rest }) => [name, rest])) }),
  names: (list) => list.map(({ name }) => name),
};
const tell = (stream, list) => sendJson(stream, 'tools', listings[set.tools ?? 'list'](list));

/** The tools; `accept` answers the POST with 202. */
const work = {
  echo: ({ stream, args, accept }) => (accept(), sendJson(stream, 'result', content(args.text))),
  value: ({ stream, accept }) => (accept(), sendJson(stream, 'result', { n: 1 })),
  words: ({ stream, accept }) => (accept(), send(stream, 'result', 'plain words,\ntwo lines')),
  async slow({ stream, args, accept }) {
    accept();
    await wait(args.ms);
    sendJson(stream, 'result', content(`waited ${args.ms}`));
  },
  fail({ stream, args, accept, response }) {
    if (args.how === 'protocol') {
      accept();
      sendJson(stream, 'error', { code: -32602, message: 'no such text', data: { at: 'text' } });
      return;
    }
    response.writeHead(500).end('handler failed');
    if (args.how === 'told') setTimeout(() => sendJson(stream, 'error', { message: 'the disk is full' }), 50);
  },
  grow({ stream, accept }) {
    accept();
    tell(stream, [...tools, tool('grown')]);
    tell(stream, [...tools, tool('grown')]);
    sendJson(stream, 'result', content('grown'));
  },
  twice({ stream, args, accept }) {
    accept();
    sendJson(stream, 'result', content(args.text));
    sendJson(stream, 'result', content('once more'));
  },
  /** Tells this session what belongs to another one. */
  foreign({ stream, accept }) {
    accept();
    sendJson(stream, 'result', { session_id: 'another', result: content('not yours') });
    sendJson(stream, 'result', { tool: 'foreign', result: content('yours') });
  },
  hang: ({ accept }) => accept(),
  cut: ({ stream, accept }) => (accept(), setTimeout(() => stream.end(), 50)),
  die: () => process.exit(7),
  forget({ response }) {
    sessions.clear();
    response.writeHead(404).end('unknown session');
  },
  big: ({ stream, accept }) => (accept(), send(stream, 'result', `"${'x'.repeat(17 * 1024 * 1024)}"`)),
  /** Never answers the POST. */
  deaf: ({ stream, args }) => sendJson(stream, 'result', content(args.text)),
};

async function greet(response) {
  streams += 1;
  note('stream');
  if (streams > 1 && set.redial === 'hangs') return;
  if (streams > 1 && set.redial === 'refused') {
    response.writeHead(503).end('busy');
    return;
  }
  const id = randomUUID();
  sessions.set(id, response);
  response.on('close', () => sessions.delete(id));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  send(response, 'endpoint', endpoints[set.endpoint ?? 'object'](id));
  if (set.pauseMs !== undefined) await wait(Number(set.pauseMs));
  tell(response, tools);
}

function call(body, response) {
  const stream = sessions.get(body.session_id);
  if (stream === undefined) {
    response.writeHead(404).end('unknown session');
    return;
  }
  note(`call ${body.tool}`);
  const accept = () => response.writeHead(202).end();
  void work[body.tool]({ stream, args: body.args, accept, response });
}

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  if (set.token !== undefined && request.headers.authorization !== `Bearer ${set.token}`) response.writeHead(401).end();
  else if (request.url !== '/sse') response.writeHead(404).end();
  else if (request.method === 'GET') void greet(response);
  else call(JSON.parse(text), response);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/sse\n`));
