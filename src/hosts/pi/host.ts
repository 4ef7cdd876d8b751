/** What the entry loads when it is first needed. Without a top-level await, since it is loaded by `require`. */
import type { BridgeParts, HostModule } from './bridge.ts';
import { PiBridge } from './pi-bridge.ts';
import { renderCall, renderResult } from './render.ts';

export { renderCall, renderResult };

/** Each is a file of its own, loaded when it is first needed. */
const parts: BridgeParts = {};

export const createPiBridge: HostModule['createPiBridge'] = (pi, options) => new PiBridge(pi, options, parts);
