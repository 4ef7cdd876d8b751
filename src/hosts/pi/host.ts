/** What the entry loads when it is first needed. Without a top-level await, since it is loaded by `require`. */
import type { BridgeParts, HostModule } from './bridge.ts';
import { PiBridge } from './pi-bridge.ts';
import { renderAnswer } from './render-answer.ts';
import { renderCall, renderResult } from './render.ts';

export { renderAnswer, renderCall, renderResult };

/** Each is a file of its own, loaded when it is first needed. */
const parts: BridgeParts = {
  ask: async (question, signal, context) => (await import('./dialogs.ts')).askIn(context)(question, signal),
  person: async (context) => (await import('./dialogs.ts')).personIn(context),
  footer: async (open) => (await import('./footer.ts')).footerOf(open),
  command: async (line, open) => (await import('./run-command.ts')).commandIn(line, open),
  complete: async (prefix, { runtime }) => (await import('./complete.ts')).completeCommand(prefix, runtime),
};

export const createPiBridge: HostModule['createPiBridge'] = (pi, options) => new PiBridge(pi, options, parts);
