/** The shapes of pi.ts held to Pi's own types, of the newest release and of the oldest. What is wrong here fails the type check. */
import type {
  BeforeAgentStartEvent,
  BeforeAgentStartEventResult,
  ExtensionAPI,
  ExtensionCommandContext,
  ExtensionContext,
  ExtensionFactory,
  InputEvent,
  ToolDefinition,
  ToolResultEvent as NewToolResultEvent,
} from '@earendil-works/pi-coding-agent';
import type {
  ExtensionAPI as OldApi,
  ExtensionContext as OldContext,
  ExtensionFactory as OldFactory,
  ToolDefinition as OldTool,
} from 'pi-oldest';
import { expect, it } from 'vitest';
import trestle from './extension.ts';
import type {
  BeforeAgentStart,
  Pi,
  PiContext,
  PiInput,
  PiRenderContext,
  PiTool,
  ToolResultEvent,
  TurnChange,
} from './pi.ts';

/** Compiles only where every `Given` may stand for the `Wanted`. */
type Fits<Wanted, Given extends Wanted> = Given;

/** What Pi gives, as we take it. */
export type Taken = [
  Fits<Pi, ExtensionAPI>,
  Fits<PiContext, ExtensionContext>,
  Fits<PiContext, ExtensionCommandContext>,
  Fits<BeforeAgentStart, BeforeAgentStartEvent>,
  Fits<ToolResultEvent, NewToolResultEvent>,
  Fits<PiInput, InputEvent>,
  Fits<PiRenderContext, Parameters<NonNullable<ToolDefinition['renderCall']>>[2]>,
  Fits<Pi, OldApi>,
  Fits<PiContext, OldContext>,
];

/** What we give, as Pi takes it. */
export type Given = [
  Fits<ToolDefinition, PiTool>,
  Fits<BeforeAgentStartEventResult, TurnChange>,
  Fits<OldTool, PiTool>,
];

it('N1: the extension is one to the types of both releases of Pi', () => {
  const factory: ExtensionFactory = trestle;
  const old: OldFactory = trestle;
  expect(factory).toBe(old);
});
