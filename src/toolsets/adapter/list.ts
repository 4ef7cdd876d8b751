/** mcp_list: the servers of a file, the tools of a server, or the end of its connection. */
import type { JsonObject } from '../../base/index.ts';
import { type Failed, hasValue, type Outcome, registryNameIn } from '../../runtime/index.ts';
import { type Members, unfit } from '../read-members.ts';
import type { ToolControl, ToolOutput } from '../tool-object.ts';
import { type Rendered, textOutput } from '../tool-output.ts';
import { mcpList } from './definitions.ts';
import { adapterFailure } from './failure.ts';
import { listText, serversOf, toolsOf } from './list-text.ts';
import { type AdapterContext, nameOf, readTarget, serverOf, timeoutOf } from './read-target.ts';
import { isOwnFile, type Target } from './target.ts';

/** What nothing was asked for: no server was involved. */
const unasked: Outcome<undefined> & { readonly kind: 'ok' } = {
  kind: 'ok',
  value: undefined,
  execution: 'done',
  notes: [],
};

export async function list(context: AdapterContext, members: Members, control: ToolControl): Promise<ToolOutput> {
  const named = await readTarget(context, mcpList, members);
  if (members['action'] === 'close') {
    if (named.kind === 'file') throw unfit(mcpList, 'action "close" needs server, or url');
    return close(context, named.target, control);
  }
  if (named.kind === 'server') return listTools(context, { target: named.target, members, control });
  const note = isOwnFile(context.runtime, named.file)
    ? {}
    : {
        note: "Listed only: a person has to approve each of these before it is connected, unless it is the same as one of the user's own servers.",
      };
  return render(context, unasked, {
    value: { ...serversOf(named.file), ...note },
    label: 'servers',
    scope: control.scope,
  });
}

async function close(
  { runtime, ...context }: AdapterContext,
  target: Target,
  { scope }: ToolControl,
): Promise<ToolOutput> {
  const folder =
    target.kind === 'own'
      ? registryNameIn(runtime.config({ scope }).servers, target.name)
      : target.definition.registryName;
  await runtime.disconnect(folder, scope);
  const server = nameOf(target);
  const value = { server, closed: true };
  return render({ runtime, ...context }, unasked, { value, label: `${server} close`, scope });
}

interface ListRequest {
  readonly target: Target;
  readonly members: Members;
  readonly control: ToolControl;
}

async function listTools(context: AdapterContext, { target, members, control }: ListRequest): Promise<ToolOutput> {
  const server = nameOf(target);
  const outcome = await context.runtime.listTools({
    server: serverOf(target),
    timeoutMs: timeoutOf(members),
    ...control,
  });
  if (!hasValue(outcome)) return adapterFailure(outcome);
  return render(context, outcome, {
    value: toolsOf(server, outcome.value),
    label: `${server} tools`,
    scope: control.scope,
  });
}

async function render(
  { runtime }: AdapterContext,
  outcome: Exclude<Outcome<unknown>, Failed>,
  { value, ...about }: { readonly value: JsonObject } & Pick<Rendered, 'label' | 'scope'>,
): Promise<ToolOutput> {
  return textOutput(runtime, outcome, { ...about, text: listText(value), details: {}, member: 'list', raw: value });
}
