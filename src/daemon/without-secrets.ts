import { parseJson } from '../base/index.ts';
import { mapText, type Runtime } from '../runtime/index.ts';
import { frameText } from './frames.ts';
import type { DaemonFrame } from './protocol.ts';

/** The text of a frame without the secrets that were resolved here: the client's own redactor knows none of them. */
export function withoutSecrets(frame: DaemonFrame, runtime: Runtime): string {
  const text = frameText(frame);
  const redacted = runtime.redact(text);
  if (redacted === text || isJson(redacted)) return redacted;
  // A secret of digits stood where JSON has no place for text.
  return frameText(mapText(frame, (part) => runtime.redact(part)) as DaemonFrame);
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
