/**
 * policy, floor 1: what may happen and how much is shown. Argument check, approvals, rules of tools, output schemas, text hygiene, redaction, cut and
 * spill. Pure but for the spill file. May import base.
 */
export { type Approval, covers, isExpired, isVoidedByDrift, readApproval, type Wanted } from './approvals.ts';
export { type ArgumentProblem, type ArgumentVerdict, checkArguments } from './arguments.ts';
export { promptBlocks, jsonText, resourceBlocks, type ShownBlock, toBlocks, type ToolResult } from './blocks.ts';
export { exactGlob, matchingGlob } from './globs.ts';
export { type Cut, guardBlocks, type GuardSettings, type Presented, type PresentOptions } from './guard.ts';
export { toJsonBlocks } from './json-blocks.ts';
export { cleanLine, cleanText, type HygieneFinding, type HygieneKind, inspectText } from './hygiene.ts';
export { checkOutput } from './output.ts';
export { createRedactor, type Redactor } from './redact.ts';
export { redactBytes } from './redact-bytes.ts';
export { sampleArguments } from './samples.ts';
export { judgeTool, saysDestructive, type ToolRules, type ToolVerdict } from './tool-rules.ts';
export { sweepSpills, writeSpill } from './spill.ts';
export { writableName } from './writable-name.ts';
export { typeArgument } from './typing.ts';
