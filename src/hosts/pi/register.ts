/** What Pi is told at its start: three tools, a command, and what is listened to. */
import {
  type BeforeAgentStart,
  type Pi,
  type PiCommand,
  type PiTool,
  type ToolResultEvent,
  type TurnChange,
} from './pi.ts';
import type { Bridge, HostModule } from './bridge.ts';
import { answerType } from './answer-type.ts';
import { declaredTools } from './declared-tools.ts';
import { placeBlock } from './place-block.ts';

export interface Parts {
  readonly load: () => HostModule;
  readonly program: string;
}

/** Registers everything with one session of Pi. Loads nothing. */
export function register(pi: Pi, { load, program }: Parts): void {
  let bridge: Bridge | undefined;
  const bridged = (): Bridge => (bridge ??= load().createPiBridge(pi, { program }));
  for (const declared of declaredTools) pi.registerTool(toolOf(declared, { load, bridged }));
  pi.registerCommand('mcp-bridge', commandOf(bridged));
  // Answers are kept as entries only where they can be drawn.
  pi.registerEntryRenderer?.(answerType, ({ data }, _options, theme) => load().renderAnswer(data, theme));
  pi.on('session_start', (_event, context) => bridged().open(context));
  pi.on('session_shutdown', () => bridge?.close());
  pi.on('before_agent_start', async (event: BeforeAgentStart, context): Promise<TurnChange | undefined> =>
    placeBlock(await bridged().block(context), event),
  );
  // What an extension sends in a person's stead is no word of theirs.
  pi.on('input', ({ source }) => (source === 'extension' ? undefined : bridge?.heard()));
  pi.on('tool_result', markFailure);
}

interface Loaded {
  readonly load: () => HostModule;
  readonly bridged: () => Bridge;
}

function toolOf(declared: (typeof declaredTools)[number], { load, bridged }: Loaded): PiTool {
  const { name } = declared;
  return {
    ...declared,
    // Pi's own interface has five parameters.
    execute: (...call) => bridged().execute(name, ...call),
    renderCall: (args, ...painted) => load().renderCall(name, args, { theme: painted[0], context: painted[1] }),
    renderResult: (result, options, ...painted) =>
      load().renderResult(result, options, { theme: painted[0], context: painted[1] }),
  };
}

function commandOf(bridged: () => Bridge): PiCommand {
  return {
    description: 'MCP servers behind CallMcpTool: add, list, sync, status, approve, search, doctor, …',
    getArgumentCompletions: (prefix) => bridged().complete(prefix),
    handler: (args, context) => bridged().command(args, context),
  };
}

/** Releases before 0.99 do not look at `isError` of a result, but take it from here; details stay as they are. */
function markFailure({ toolName, details, isError }: ToolResultEvent): { readonly isError: true } | undefined {
  if (isError || !declaredTools.some(({ name }) => name === toolName)) return undefined;
  const kind: unknown = typeof details === 'object' && details !== null && 'kind' in details ? details.kind : 'ok';
  return kind === 'ok' ? undefined : { isError: true };
}
