/**
 * A tool call from its first request to its result. It is sent once; only a refusal that says that it was not executed lets it
 * be sent once more, with what it lacked.
 */
import { asTrestleError, TrestleError } from '../../base/index.ts';
import type { Conversation, OwnRequest } from '../conversation.ts';
import { rpcCodeOf } from '../reply.ts';
import type { CallReply, RequestControl, SessionInfo, ToolCall } from '../session.ts';
import { readCallReply } from './call-reply.ts';
import { followTask } from './follow-task.ts';
import { type Mirror, mirrorHeaders, readMirrors } from './mirrored-arguments.ts';
import { type Answered, followQuestions } from './rounds.ts';
import { taskParams } from './task.ts';

/** "HeaderMismatch": refused before it was executed (2026-07-28, basic/index, "Error Codes"). */
const headerMismatchCode = -32_020;

/** Calls the tool. Rejects with a TrestleError whose `execution` says what the server may have done. */
export async function callTool(
  conversation: Conversation,
  call: ToolCall,
  control: RequestControl,
): Promise<CallReply> {
  const first = mirrorsArguments(conversation.info)
    ? await askMirrored(conversation, call, control)
    : await askFirst(conversation, requestOf(conversation.info, call, control), control);
  const result = await followQuestions(conversation, first, control);
  return readCallReply(await followTask(conversation, result, control));
}

/** Whether arguments are mirrored into headers: over other transports there are none, and older revisions know nothing of it. */
export function mirrorsArguments({ era, link }: SessionInfo): boolean {
  return era === 'modern' && link === 'streamable';
}

function requestOf(info: SessionInfo, call: ToolCall, control: RequestControl): OwnRequest {
  const params = { name: call.name, arguments: call.arguments };
  if (info.era === 'modern') return { method: 'tools/call', params, results: ['input_required', 'task'] };
  return { method: 'tools/call', params: { ...params, ...taskParams(info, call, control) } };
}

async function askFirst(conversation: Conversation, request: OwnRequest, control: RequestControl): Promise<Answered> {
  return { request, result: await conversation.ask(request, control) };
}

/** The first request with the headers its tool wants. Refused for them, it is sent once more if the tool wants others now. */
async function askMirrored(conversation: Conversation, call: ToolCall, control: RequestControl): Promise<Answered> {
  const request = requestOf(conversation.info, call, control);
  const headers = mirrorHeaders(mirrorsOf(conversation.info.server, call), call.arguments);
  try {
    return await askFirst(conversation, { ...request, headers }, control);
  } catch (error) {
    const refusal = asTrestleError(error);
    if (rpcCodeOf(refusal) !== headerMismatchCode) throw refusal;
    const corrected = await headersNow(conversation, call, control);
    if (control.deadline.signal.aborted) throw overWhileRefused(control);
    if (corrected === undefined || sameHeaders(corrected, headers)) throw refusal;
    conversation.noticeChange('tools');
    return await askFirst(conversation, { ...request, headers: corrected }, control);
  }
}

/** The caller gave up between a refusal and what would have followed it. */
function overWhileRefused({ deadline }: RequestControl): TrestleError {
  return (deadline.signal.reason as TrestleError).with({ execution: 'rejected' });
}

/** The headers by what the server says of the tool now; undefined when it cannot be learnt. */
async function headersNow(
  conversation: Conversation,
  call: ToolCall,
  control: RequestControl,
): Promise<Readonly<Record<string, string>> | undefined> {
  const listing = await conversation.listTools(control).catch(() => undefined);
  const tool = listing?.items.find((item) => item['name'] === call.name);
  if (tool === undefined) return undefined;
  const read = readMirrors(tool['inputSchema']);
  return read.ok ? mirrorHeaders(read.mirrors, call.arguments) : undefined;
}

function mirrorsOf(server: string, call: ToolCall): readonly Mirror[] {
  const read = readMirrors(call.inputSchema);
  if (read.ok) return read.mirrors;
  throw new TrestleError({
    code: 'unknown_tool',
    message: `The tool "${call.name}" of server "${server}" may not be used: ${read.problem}.`,
    hint: 'Protocol revision 2026-07-28 rules such tools out; report it to the makers of the server.',
    server,
    execution: 'not-sent',
  });
}

function sameHeaders(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
