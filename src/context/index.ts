/**
 * context, floor 2: the text about servers and tools that a model sees, under a budget of tokens. Pure: offers and settings in, text and
 * receipt out. Promises: never over the budget by the exact count; byte-identical for the same offers; what was left out is told.
 * The tokenizer is loaded only by {@link loadTokenizer}. May import base and policy (text hygiene).
 */
export { type ContextBlock, renderBlock, type RenderedBlock, type RenderWays } from './block.ts';
export { describeChange } from './block-change.ts';
export { estimateTokens } from './estimate.ts';
export { type CountExactly, type CountTokens, loadTokenizer } from './exact-count.ts';
export { type Choice, type Place, type Rung, rungs, type Shape, shapes } from './ladder.ts';
export type { BlockSettings, LeftOutServer, Offers, ServerOffer, ToolOffer } from './offer.ts';
export type { Receipt, ServerReceipt } from './receipt.ts';
