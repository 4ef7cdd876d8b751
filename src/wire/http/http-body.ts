/** Reading the bodies of HTTP answers: bounded in size, and in time where nobody asked for the body. */
import { setImmediate } from 'node:timers/promises';
import { limits, type Clock } from '../../base/index.ts';
import { createByteCollector } from './byte-collector.ts';

/**
 * Calls `onChunk` with the body's bytes until its end; false or an error of `onChunk` stops and releases the connection. A body that
 * comes faster than it is read lets all else have its turn meanwhile.
 */
export async function readChunks(response: Response, onChunk: (chunk: Uint8Array) => boolean): Promise<void> {
  if (response.body === null) return;
  const reader = readerOf(response.body);
  let bytesInTurn = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (!onChunk(value)) break;
      bytesInTurn += value.length;
      if (bytesInTurn < limits.bodyTurnBytes) continue;
      bytesInTurn = 0;
      await setImmediate();
    }
  } finally {
    // Does nothing to a body that is over.
    await quietly(reader.cancel());
  }
}

/** The whole body as text; undefined when it is larger than `limitBytes`, and then it is not read on. */
export async function readText(
  response: Response,
  { limitBytes, onBytes }: { readonly limitBytes: number; readonly onBytes: (count: number) => void },
): Promise<string | undefined> {
  const collected = createByteCollector();
  let fits = true;
  await readChunks(response, (chunk) => {
    onBytes(chunk.length);
    fits = collected.sizeBytes + chunk.length <= limitBytes;
    if (fits) collected.append(chunk);
    return fits;
  });
  return fits ? collected.takeText() : undefined;
}

/**
 * The start of a body nobody waits for, such as an error page: at most limits.errorBodyBytes, within limits.unwantedBodyMs.
 * Then the connection is released. Reading it to its end, where it has one, lets the connection be used again. Never rejects.
 */
export async function readStart(response: Response, clock: Clock): Promise<string> {
  if (response.body === null) return '';
  const reader = readerOf(response.body);
  const collected = createByteCollector();
  const timer = clock.after(limits.unwantedBodyMs, () => void quietly(reader.cancel()), { keepAlive: false });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      collected.append(value.subarray(0, limits.errorBodyBytes - collected.sizeBytes));
      if (collected.sizeBytes === limits.errorBodyBytes) {
        await quietly(reader.cancel());
        break;
      }
    }
  } catch {
    // A body that breaks off has said what it had to say.
  } finally {
    timer.cancel();
  }
  return collected.takeText();
}

/** Media type without parameters, lower case; '' when there is none. */
export function mediaType(response: Response): string {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/** Whether an answer's body is a page for people; some servers call one `text/plain`. */
export function isHtml(response: Response, body = ''): boolean {
  return (
    /^(text\/html|application\/xhtml\+xml)$/.test(mediaType(response)) || /^\s*<(!doctype|html|head|body)/i.test(body)
  );
}

/** Node.js types the bodies of answers by `any`. */
function readerOf(body: ReadableStream): ReadableStreamDefaultReader<Uint8Array> {
  return body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
}

async function quietly(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch {
    // The stream broke before it could be cancelled, which is what was wanted.
  }
}
