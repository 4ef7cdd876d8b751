import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { formatBytes, limits, stringifyJson, type Timer, TrestleError } from '../../base/index.ts';
import type { StdioEndpoint } from '../endpoint.ts';
import type { JsonRpcId, Link, LinkSendOptions, LinkStats, WireContext } from '../link.ts';
import { asOneLine, type Line, readLine } from '../message-line.ts';
import { isNamelessReply, type Message } from '../message.ts';
import { createNoiseCount } from '../noise.ts';
import { plainLines } from '../plain-text.ts';
import type { KeptProcess } from '../processes/process-keeper.ts';
import { findReplyId } from '../reply-id.ts';
import { envelopeOf, type Framing, type MessageReader } from './framing.ts';
import { createMessageReader } from './message-reader.ts';
import { createStderrTail } from './stderr-tail.ts';
import * as reasons from './stdio-reasons.ts';
import { createWriteQueue, type WriteQueue } from './write-queue.ts';

/** A link over the standard streams of a process; spawned by `start`. `server` names it in errors. */
export function openStdio(endpoint: StdioEndpoint, server: string, context: WireContext): Link {
  return new StdioLink(endpoint, server, context);
}

/**
 * Lives from `start` to the end of its process tree. `ended` is set once, by whichever comes first: our `close`, the exit of
 * the process, the end of its output, a flood, a failed start.
 */
class StdioLink implements Link {
  readonly kind = 'stdio';
  readonly firstByte: Promise<void>;
  onmessage?: Link['onmessage'];
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  onfault?: ((id: JsonRpcId, error: TrestleError) => void) | undefined;
  onnoise?: ((sample: string) => void) | undefined;
  onframing?: (() => void) | undefined;

  readonly #endpoint: StdioEndpoint;
  readonly #server: string;
  readonly #context: WireContext;
  readonly #stderr = createStderrTail(limits.stderrTailBytes);
  readonly #reader: MessageReader;
  /** How messages are written. */
  #framing: Exclude<Framing, 'auto'>;
  /** It changed with the message that is being read. */
  #isFramingNew = false;
  readonly #counters = { messagesIn: 0, messagesOut: 0, bytesIn: 0, bytesOut: 0 };
  readonly #noise = createNoiseCount((sample) => this.onnoise?.(sample));
  #sawFirstByte: () => void = () => {};
  #lastInMs: number | undefined;
  #starting: Promise<void> | undefined;
  #kept: KeptProcess | undefined;
  #queue: WriteQueue | undefined;
  #ended: TrestleError | undefined;
  /** Settles when nothing is left of the process tree; set by the end. */
  #gone: Promise<void> = Promise.resolve();
  /** Waits for a better reason of the end. */
  #drainTimer: Timer | undefined;
  /** The output is over: what comes now was not ended by its writer. */
  #isDraining = false;

  constructor(endpoint: StdioEndpoint, server: string, context: WireContext) {
    this.#endpoint = endpoint;
    this.#server = server;
    this.#context = context;
    this.firstByte = new Promise((resolve) => {
      this.#sawFirstByte = resolve;
    });
    const framing = endpoint.framing ?? 'auto';
    this.#framing = framing === 'auto' ? 'newline' : framing;
    this.#reader = createMessageReader({
      framing,
      messageBytes: limits.messageBytes,
      headerBytes: limits.headerBlockBytes,
      unbrokenBytes: limits.unbrokenBytes,
      keptBytes: limits.droppedLineHeadBytes,
      onFrames: () => {
        this.#framing = 'content-length';
        this.#isFramingNew = true;
      },
      onText: (text) => this.#readText(text),
      onJunk: (text) => {
        if (text.trim() !== '') this.#noise.count(text);
      },
      onDropped: ({ sizeBytes, head, tail }) => {
        const id = findReplyId(head, tail);
        if (id === undefined) this.#noise.count(`${formatBytes(sizeBytes)}: ${Buffer.from(head).toString('utf8')}`);
        else this.onfault?.(id, reasons.replyTooLarge(server, sizeBytes));
      },
      onFlood: (announcedBytes) => this.#finish(reasons.flooded(server, this.stderrTail(), announcedBytes)),
    });
  }

  get pid(): number | undefined {
    return this.#kept?.pid;
  }

  get ended(): TrestleError | undefined {
    return this.#ended;
  }

  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async send(message: JSONRPCMessage, options?: LinkSendOptions): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended.with({ execution: 'not-sent' });
    if (this.#queue === undefined) throw reasons.notStarted(this.#server);
    const text = asOneLine(stringifyJson(message));
    // A UTF-16 code unit takes at most three bytes: short messages need no count.
    const bytes = text.length * 3 <= limits.messageBytes ? 0 : Buffer.byteLength(text);
    if (bytes > limits.messageBytes) throw reasons.requestTooLarge(this.#server, bytes);
    await this.#queue.push(text, options);
  }

  close(): Promise<void> {
    this.#queue?.flush();
    this.#finish(reasons.closed(this.#server));
    return this.#gone;
  }

  stderrTail(): string {
    return plainLines(this.#stderr.text());
  }

  stats(): LinkStats {
    return { ...this.#counters, ...this.#noise.stats(), lastInMs: this.#lastInMs };
  }

  async #start(): Promise<void> {
    try {
      this.#throwIfOver();
      this.#kept = await this.#context.keeper.start(this.#endpoint, this.#server);
    } catch (error) {
      const reason = error instanceof TrestleError ? error : reasons.startFailed(this.#server, error);
      this.#finish(reason);
      throw reason;
    }
    // Closed while it was starting: `close` waits for this and ends the process.
    this.#throwIfOver();
    this.#listen(this.#kept);
  }

  #throwIfOver(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  #listen({ child }: KeptProcess): void {
    this.#queue = createWriteQueue({
      stream: child.stdin,
      server: this.#server,
      queueBytes: limits.writeQueueBytes,
      envelope: (bytes) => envelopeOf(this.#framing, bytes),
      onBroken: (error) => this.#finishAfterExit(() => reasons.inputClosed(this.#server, this.stderrTail(), error)),
      onWritten: (bytes) => {
        this.#counters.messagesOut += 1;
        this.#counters.bytesOut += bytes;
      },
    });
    // Streams break when the process dies; its exit is what is reported.
    for (const stream of child.stdio) stream?.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => {
      this.#sawFirstByte();
      this.#counters.bytesIn += chunk.length;
      // Read on after the end, so that a process that flushes its output while it leaves is not held up.
      if (this.#ended === undefined) this.#reader.push(chunk);
    });
    child.stdout.once('end', () => {
      this.#drain();
      this.#finishAfterExit(() => reasons.outputClosed(this.#server, this.stderrTail()));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#sawFirstByte();
      this.#stderr.push(chunk);
    });
    child.once('exit', () => this.#finishAfterDrain());
    if (child.exitCode !== null || child.signalCode !== null) this.#finishAfterDrain();
  }

  #readText(text: string): Line['kind'] {
    const line = readLine(text);
    switch (line.kind) {
      case 'noise':
        this.#noise.count(text);
        break;
      case 'broken':
        // Cut off by the end of the process, which is the better reason.
        if (this.#isDraining) break;
        this.#noise.count(text);
        this.onfault?.(line.id, reasons.replyBroken(this.#server, text));
        break;
      case 'messages':
        this.#lastInMs = this.#context.clock.monotonicMs();
        if (this.#counters.messagesIn === 0) this.#kept?.answered();
        for (const message of line.messages) {
          this.#counters.messagesIn += 1;
          // What it did not understand is said again.
          if (!this.#isFramingNew || !isNamelessReply(message)) this.#deliver(message);
        }
        if (this.#isFramingNew) this.onframing?.();
        this.#isFramingNew = false;
        break;
      case 'blank':
      default:
    }
    return line.kind;
  }

  #deliver(message: Message): void {
    if (this.#ended !== undefined) return;
    try {
      this.onmessage?.(message as unknown as JSONRPCMessage);
    } catch (error) {
      // What one message does to its receiver must not lose the ones behind it.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The process exited. Its last words may still be in the pipes, which a grandchild may hold open for ever. */
  #finishAfterDrain(): void {
    const child = this.#kept?.child;
    if (child === undefined || this.#ended !== undefined) return;
    const finish = (): void => {
      this.#drain();
      this.#finish(reasons.exited(this.#server, child, this.stderrTail()));
    };
    this.#drainTimer?.cancel();
    this.#drainTimer = this.#context.clock.after(limits.drainAfterExitMs, finish);
    child.once('close', finish);
  }

  #drain(): void {
    this.#isDraining = true;
    if (this.#ended === undefined) this.#reader.end();
  }

  /** A stream broke. Nearly always the process is about to exit, which says more; else the stream is the reason. */
  #finishAfterExit(reason: () => TrestleError): void {
    const child = this.#kept?.child;
    if (this.#ended !== undefined || child === undefined) return;
    this.#drainTimer ??= this.#context.clock.after(limits.drainAfterExitMs, () => {
      if (child.exitCode === null && child.signalCode === null) this.#finish(reason());
    });
  }

  /** The one way to the end: the reason is set, what waits is told, and the tree is ended. */
  #finish(reason: TrestleError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#reader.stop();
    this.#queue?.fail(reason);
    // A flood would otherwise go on being read until the process is killed.
    if (reason.code === 'flooded') this.#kept?.child.stdout.destroy();
    this.#drainTimer?.cancel();
    this.#gone = this.#endProcess();
    this.#gone.catch((error: unknown) => this.onerror?.(error as Error));
    this.onclose?.();
  }

  async #endProcess(): Promise<void> {
    // A process that is just being started is ended too.
    await this.#starting?.catch(() => {});
    await this.#kept?.end();
  }
}
