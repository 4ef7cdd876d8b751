/**
 * policy, floor 1: what may happen and how much is shown. Argument check, output schemas, text hygiene, redaction, cut and
 * spill. Pure but for the spill file. May import base.
 */
export {
  type ArgumentProblem,
  type ArgumentVerdict,
  checkArguments,
  sampleArguments,
  typeArgument,
} from './arguments.ts';
export { cleanLine, cleanText, type HygieneFinding, type HygieneKind, inspectText } from './hygiene.ts';
export { checkOutput } from './output.ts';
export {
  type Cut,
  guardBlocks,
  type GuardSettings,
  type Presented,
  type PresentOptions,
  resourceBlocks,
  type ShownBlock,
  sweepSpills,
  toBlocks,
  type ToolResult,
} from './present.ts';
export { createRedactor, type Redactor } from './redact.ts';
