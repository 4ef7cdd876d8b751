// A server that answers every request with what it got, and does on request what servers on standard streams do wrong.
// The method is the vice; `params` say how much of it.
import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const vices = {
  /** The reply is a message of exactly `bytes`; with `last`, its id stands at the end. */
  sized(id, { bytes, last = false }) {
    const message = (text) =>
      JSON.stringify(last ? { jsonrpc: '2.0', result: { text }, id } : { jsonrpc: '2.0', id, result: { text } });
    process.stdout.write(`${message('x'.repeat(bytes - message('').length))}\n`);
  },
  /** `bytes` without a line end. */
  flood(_id, { bytes }) {
    process.stdout.write(Buffer.alloc(bytes, 0x78));
  },
  /** Things that are no message, then the reply. */
  noise(id, { lines }) {
    for (const line of lines) process.stdout.write(`${line}\n`);
    send({ id, result: {} });
  },
  /** `bytes` of stderr, written so that a full pipe blocks this process, then the reply. */
  stderr(id, { bytes, text = '.' }) {
    const chunk = Buffer.from(text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes));
    for (let at = 0; at < chunk.length;) {
      try {
        at += writeSync(2, chunk, at);
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
    }
    send({ id, result: {} });
  },
  exit(_id, { code, stderr = '' }) {
    process.stderr.write(stderr, () => process.exit(code));
  },
  signal(_id, { name }) {
    process.kill(process.pid, name);
  },
  /** Half a reply, then the end. */
  half(id) {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"resu`, () => process.exit(3));
  },
  /** The reply without a line end, then the end. */
  unterminated(id) {
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }), () => process.exit(0));
  },
  /** A grandchild takes over the pipes, and this process ends. */
  leave() {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit', detached: true });
    child.once('spawn', () => process.exit(4));
  },
  /** Reads nothing for `ms`. */
  deaf(id, { ms }) {
    process.stdin.pause();
    setTimeout(() => {
      process.stdin.resume();
      send({ id, result: {} });
    }, ms);
  },
  /** Answers never. */
  silent() {},
  closeOutput() {
    closeSync(1);
    setTimeout(() => process.exit(9), 60_000);
  },
  where(id) {
    send({ id, result: { argv: process.argv.slice(2), cwd: process.cwd(), env: process.env } });
  },
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (Object.hasOwn(vices, method)) vices[method](id, params ?? {});
    else if (id !== undefined) send({ id, result: { echo: params ?? null } });
  })
  .on('close', () => process.exit(0));
