/** Server-sent events from bytes (HTML standard, section 9.2), in linear time and bounded memory. */
import { createByteCollector, textOf } from '../http/byte-collector.ts';
import { lastBytes } from '../kept-ends.ts';
import { createLineCutter } from './event-lines.ts';

export interface ServerEvent {
  /** `message` when the server named none. */
  readonly type: string;
  readonly data: string;
  /** The last event id the server gave, with this event or before it. */
  readonly lastId: string | undefined;
  /** False for what stood at the end of the stream without its closing blank line: it may be cut. */
  readonly isWhole: boolean;
}

/** What is kept of an event over the limit. */
export interface DroppedEvent {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

export interface EventReaderOptions {
  /** Most bytes of one event. */
  readonly eventBytes: number;
  /** Bytes of one event after which nothing more is read. */
  readonly unbrokenBytes: number;
  /** How much of both ends of a dropped event is kept. */
  readonly keptBytes: number;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onDropped: (event: DroppedEvent) => void;
  /** `unbrokenBytes` came without the end of the event; called once, the last call of all. */
  readonly onFlood: () => void;
  /** An event is over, with data or without: what comes after it is what follows this id. Not for an event that may be cut. */
  readonly onId?: ((lastId: string) => void) | undefined;
  /** The server asked for this pause before a reconnection. */
  readonly onRetry?: ((pauseMs: number) => void) | undefined;
}

export interface EventReader {
  /** Takes the next bytes, cut anywhere. */
  readonly push: (chunk: Uint8Array) => void;
  /** The stream is over: an event whose closing blank line is missing is handed on; its data may be cut. */
  readonly end: () => void;
}

export function createEventReader(options: EventReaderOptions): EventReader {
  const { eventBytes, unbrokenBytes, keptBytes, onEvent, onDropped, onFlood } = options;
  /** The start of the present line, as far as earlier chunks brought it. */
  const lineStart = createByteCollector();
  let lineBytes = 0;
  let sizeBytes = 0;
  let isFirstLine = true;
  let stopped = false;
  let type = '';
  let data: string[] = [];
  let lastId: string | undefined;
  let dropped: { head: Uint8Array; tail: Uint8Array } | undefined;

  const finishEvent = (isWhole: boolean): void => {
    const event =
      data.length === 0 ? undefined : { type: type === '' ? 'message' : type, data: data.join('\n'), lastId, isWhole };
    const lost = dropped;
    sizeBytes = 0;
    type = '';
    data = [];
    dropped = undefined;
    if (lost !== undefined) onDropped(lost);
    else if (event !== undefined) onEvent(event);
    if (isWhole && lastId !== undefined) options.onId?.(lastId);
  };

  const readField = (line: string): void => {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data.push(value);
    else if (name === 'event') type = value;
    else if (name === 'id' && !value.includes('\0')) lastId = value;
    else if (name === 'retry' && /^\d+$/.test(value)) options.onRetry?.(Number(value));
  };

  const readLine = (text: string): void => {
    const line = isFirstLine && text.startsWith('\uFEFF') ? text.slice(1) : text;
    isFirstLine = false;
    if (line === '') finishEvent(true);
    else readField(line);
  };

  /** A piece of an event over the limit: only its two ends are kept. */
  const skip = (piece: Uint8Array): void => {
    if (dropped === undefined) {
      lineStart.append(piece.subarray(0, keptBytes));
      const { head, tail } = lineStart.takeEnds(keptBytes);
      const [firstData] = data;
      dropped = { head: firstData === undefined ? withoutFieldName(head) : bytesOf(firstData, keptBytes), tail };
      data = [];
      dropped.tail = lastBytes(tail, piece.subarray(keptBytes), keptBytes);
    } else {
      dropped.tail = lastBytes(dropped.tail, piece, keptBytes);
    }
    if (sizeBytes >= unbrokenBytes) {
      stopped = true;
      onFlood();
    }
  };

  const cut = createLineCutter((piece, ended) => {
    if (stopped) return;
    lineBytes += piece.length;
    sizeBytes += piece.length;
    const isBlank = ended && lineBytes === 0;
    if (ended) lineBytes = 0;
    if (isBlank) readLine('');
    else if (dropped !== undefined || sizeBytes > eventBytes) skip(piece);
    else if (!ended) lineStart.append(piece);
    else if (lineStart.sizeBytes === 0) readLine(textOf(piece));
    else {
      lineStart.append(piece);
      readLine(lineStart.takeText());
    }
  });

  return {
    push: cut,
    end() {
      if (stopped) return;
      const rest = lineStart.takeText();
      // A shortened id or pause is another id or pause.
      if (rest !== '' && !/^(id|retry)\b/.test(rest)) readLine(rest);
      finishEvent(false);
      stopped = true;
    },
  };
}

/** The bytes after `data:`; a dropped line of another field has no id to be found either way. */
function withoutFieldName(line: Uint8Array): Uint8Array {
  const name = /^data: ?/.exec(textOf(line.subarray(0, 'data: '.length)));
  return name === null ? line : line.subarray(name[0].length);
}

function bytesOf(text: string, count: number): Uint8Array {
  return new TextEncoder().encode(text.slice(0, count)).subarray(0, count);
}
