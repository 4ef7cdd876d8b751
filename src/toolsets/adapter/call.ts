/** mcp_call: one tool call, checked by the server's own list. */
import { isObject } from '../../base/index.ts';
import type { ShownBlock } from '../../policy/index.ts';
import { hasValue } from '../../runtime/index.ts';
import { type Members, unfit } from '../read-members.ts';
import type { ToolControl, ToolOutput } from '../tool-object.ts';
import { valueOutput } from '../tool-output.ts';
import { mcpCall } from './definitions.ts';
import { adapterFailure } from './failure.ts';
import { type AdapterContext, nameOf, readServer, serverOf, timeoutOf } from './read-target.ts';

export async function call(context: AdapterContext, members: Members, control: ToolControl): Promise<ToolOutput> {
  const args = members['arguments'] ?? {};
  if (!isObject(args)) throw unfit(mcpCall, 'arguments must be an object, not text or a list');
  const target = await readServer(context, mcpCall, members);
  const outcome = await context.runtime.call({
    server: serverOf(target),
    tool: String(members['tool']),
    arguments: args,
    checkedBy: 'live',
    present: 'json',
    timeoutMs: timeoutOf(members),
    ...control,
  });
  if (!hasValue(outcome)) return adapterFailure(outcome);
  const server = nameOf(target);
  const { tool, result, shown } = outcome.value;
  return valueOutput(context.runtime, outcome, {
    shown: outcome.kind === 'tool-error' ? { ...shown, blocks: asFailed(shown.blocks) } : shown,
    details: { server, tool },
    member: 'result',
    raw: result,
    label: `${server} ${tool}`,
    scope: control.scope,
  });
}

/** A tool's own failure says so in its text, for hosts that show nothing else. */
function asFailed([first, ...others]: readonly ShownBlock[]): readonly ShownBlock[] {
  const words = 'MCP tool execution failed';
  if (first?.type === 'text') return [{ type: 'text', text: `${words}: ${first.text}` }, ...others];
  return [{ type: 'text', text: `${words}.` }, ...(first === undefined ? [] : [first]), ...others];
}
