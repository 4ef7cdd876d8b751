import { redactedJson, type Runtime } from '../runtime/index.ts';
import { frameText } from './frames.ts';
import type { DaemonFrame } from './protocol.ts';

/** The text of a frame without the secrets that were resolved here: the client's own redactor knows none of them. */
export function withoutSecrets(frame: DaemonFrame, runtime: Runtime): string {
  return redactedJson(frame, frameText, (text) => runtime.redact(text));
}
