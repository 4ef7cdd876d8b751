/** The walk of a tool call: prepare (no network), execute, finalise. */
import { asTrestleError, type Deadline, type JsonObject, type TrestleError, within } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import { descriptorDigest, type ToolDescriptor } from '../../registry/index.ts';
import type { CallReply, Session } from '../../session/index.ts';
import { type Asker, askerOf } from '../asker.ts';
import { type AllowedOnce, needsPerson, permit } from '../consent/permission.ts';
import type { Wish } from '../consent/wish.ts';
import { type Core, shownProgress, shownText } from '../core.ts';
import type { Outcome } from '../outcome.ts';
import { refuseDenied } from '../servers/denied-tools.ts';
import { findServerToAsk } from '../servers/find-server.ts';
import { toDescriptor } from '../sync/catalogue.ts';
import { refreshLists } from '../sync/refresh-lists.ts';
import type { CallRequest, CallValue } from './call-request.ts';
import { nothingShown, outputNotes, presentResult } from './finalise.ts';
import { listedTool } from './find-tool.ts';
import { firstSync } from './first-sync.ts';
import { fitArguments } from './fit-arguments.ts';
import { isStored, type Plan, prepare } from './prepare.ts';
import { requireTools } from './tools.ts';
import { startRequest, withSession } from './with-session.ts';

/** What was called and what came back. */
interface Done {
  readonly tool: ToolDescriptor;
  readonly reply: CallReply;
  readonly notes: readonly string[];
}

/** Calls a tool. Rejects with a TrestleError whose `execution` says what the server may have done. */
export async function callTool(core: Core, request: CallRequest): Promise<Outcome<CallValue>> {
  const plan = await planOf(core, request);
  const { definition, args, tool: descriptor } = plan;
  const need = { kind: 'call', tool: request.tool, arguments: args, descriptor } as const;
  const allowedOnce = permit(core, { ...request, definition, need });
  const done = await execute(core, { ...plan, allowedOnce }, request);
  try {
    return await finalise(core, done, { server: plan.definition.name, request });
  } catch (error) {
    throw asTrestleError(error, { execution: 'done' });
  }
}

/** The plan of a call; what the registry says against it is believed once everything was read that the server has told of (S11). */
async function planOf(core: Core, request: CallRequest): Promise<Plan> {
  try {
    return prepare(core, request);
  } catch (error) {
    if (!isStored(request) || !mayBeOutdated(asTrestleError(error))) throw error;
    const definition = findServerToAsk(core, request.server, request);
    const { name, registryName } = definition;
    const subject = `${name}: call ${request.tool}`;
    using deadline = startRequest(core, { definition, request, subject, settings: core.settings() });
    if (!(await within(deadline, core.refreshes.catchUp(registryName)))) throw error;
    return prepare(core, request);
  }
}

/** Refusals that rest on descriptors. */
function mayBeOutdated({ code }: TrestleError): boolean {
  return code === 'unknown_tool' || code === 'invalid_arguments';
}

interface AllowedPlan extends Plan {
  readonly allowedOnce: AllowedOnce;
}

function execute(core: Core, plan: AllowedPlan, request: CallRequest): Promise<Done> {
  const { definition, args, allowedOnce } = plan;
  const work = { definition, request, subject: `${definition.name}: call ${request.tool}`, repeatable: false };
  return withSession(core, work, async (session, deadline) => {
    const connected = { ...askerOf(request), definition, args, allowedOnce, session, deadline };
    const { tool, notes } =
      plan.tool === undefined
        ? await learnTool(core, request, connected)
        : await confirmTool(core, request, { ...connected, tool: plan.tool, notes: plan.notes });
    const reply = await session.callTool(
      { name: tool.name, arguments: args, inputSchema: tool.inputSchema, execution: tool['execution'] },
      { deadline, onProgress: shownProgress(core, request.onProgress) },
    );
    return { tool, reply, notes };
  });
}

interface Connected extends Asker {
  readonly definition: Definition;
  readonly args: JsonObject;
  readonly allowedOnce: AllowedOnce;
  readonly session: Session;
  readonly deadline: Deadline;
}

/** The second half of the preparation, where it needs a connection. Whatever fails here, the call was not sent. */
async function learnTool(
  core: Core,
  request: CallRequest,
  connected: Connected,
): Promise<{ readonly tool: ToolDescriptor; readonly notes: readonly string[] }> {
  try {
    const tool = await liveTool(core, request, connected);
    refuseDenied(connected.definition, tool.name);
    const { definition, args, allowedOnce } = connected;
    const notes = fitArguments(definition.name, tool, args);
    const need = { kind: 'call', tool: request.tool, arguments: args, descriptor: tool } as const;
    permit(core, { ...request, definition, need }, allowedOnce);
    return { tool, notes };
  } catch (error) {
    throw asTrestleError(error, { execution: 'not-sent' });
  }
}

interface KnownTool {
  readonly tool: ToolDescriptor;
  readonly notes: readonly string[];
}

/** Connections whose tools were looked at since they were made. */
const lookedAt = new WeakMap<Session, Promise<unknown>>();
const unstoppable = new AbortController().signal;

/**
 * What a person says yes to is a tool as it was described, and a server that was started anew may describe it in another way without
 * a word. So where a person has to be asked at all, its tools are listed once a connection, and a tool that has changed is asked
 * about anew (R8). Whatever fails here, the call was not sent.
 */
async function confirmTool(core: Core, request: CallRequest, known: Connected & KnownTool): Promise<KnownTool> {
  const { definition, args, session, deadline, tool } = known;
  const wish = (descriptor: ToolDescriptor): Wish => {
    const need = { kind: 'call', tool: request.tool, arguments: args, descriptor } as const;
    return { ...askerOf(request), definition, need };
  };
  if (!needsPerson(core, wish(tool))) return known;
  const { caller = core.caller, scope = core.scope } = request;
  const source = { caller, scope, definition, session };
  // Not this call's alone: others wait for the same.
  const looking =
    lookedAt.get(session) ?? refreshLists(core, source, { lists: new Set(['tools']), signal: unstoppable });
  lookedAt.set(session, looking);
  try {
    await within(deadline, looking);
    const now = prepare(core, request);
    if (now.tool === undefined || descriptorDigest(now.tool) === descriptorDigest(tool)) return known;
    permit(core, wish(now.tool));
    return { tool: now.tool, notes: now.notes };
  } catch (error) {
    throw asTrestleError(error, { execution: 'not-sent' });
  }
}

/**
 * The tool as the server lists it now. A configured server that was never synced is synced on the way, as its user would do
 * next; of a server that is configured nowhere nothing is stored.
 */
async function liveTool(core: Core, request: CallRequest, connected: Connected): Promise<ToolDescriptor> {
  const { definition, session, deadline } = connected;
  const wanted = { definition, tool: request.tool };
  if (isStored(request)) return listedTool(await firstSync(core, connected), wanted);
  const isLive = request.checkedBy === 'live';
  if (isLive) requireTools(session.info);
  const { items } = await session.listTools({ deadline });
  return listedTool(items.map(toDescriptor), { ...wanted, exactly: isLive });
}

async function finalise(
  core: Core,
  done: Done,
  { server, request }: { readonly server: string; readonly request: CallRequest },
): Promise<Outcome<CallValue>> {
  const { tool, reply } = done;
  const notes = [...done.notes, ...(await outputNotes(tool, reply))].map((note) => shownText(core, note));
  const label = `${server} ${tool.name}`;
  const shown =
    request.present === false
      ? nothingShown
      : await presentResult(core, reply, { label, asker: request, asJson: request.present === 'json' });
  const value: CallValue = { tool: tool.name, result: reply, shown };
  return { kind: reply.isError ? 'tool-error' : 'ok', value, execution: 'done', notes };
}
