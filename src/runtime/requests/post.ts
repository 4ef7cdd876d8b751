/** One raw JSON-RPC request: no session, no registry, no second try. */
import { canonicalJson, isObject, type JsonObject, type JsonValue, TrestleError } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import { permit } from '../consent/permission.ts';
import type { Need } from '../consent/wish.ts';
import { type Core, shownProgress } from '../core.ts';
import { refuseDenied, withoutDenied } from '../servers/denied-tools.ts';
import { findServerToAsk } from '../servers/find-server.ts';
import type { PostRequest, PostValue } from './post-request.ts';
import { startRequest } from './with-session.ts';

/** Posts the request. Rejects with a TrestleError whose `execution` says what the server may have done. */
export async function postRequest(core: Core, request: PostRequest): Promise<PostValue> {
  const definition = findServerToAsk(core, request.server, request);
  const { method, params = {}, id = 1 } = request;
  const need = needOf(core, request, definition);
  if (need.kind === 'call') refuseDenied(definition, need.tool);
  permit(core, { ...request, definition, need });
  const work = { definition, request, subject: `${definition.name}: ${method}`, settings: core.settings() };
  using deadline = startRequest(core, work);
  const wanted = { definition, caller: request.caller ?? core.caller };
  const onProgress = shownProgress(core, request.onProgress);
  const posted = await core.connections.post(wanted, { id, method, params }, { deadline, onProgress });
  return method === 'tools/list' ? { ...posted, response: withoutDeniedTools(definition, posted.response) } : posted;
}

/** A call of a tool is one, however it is written. Throws `invalid_arguments` for one with arguments that nobody could be shown. */
function needOf(core: Core, { server, method, params = {} }: PostRequest, { name, registryName }: Definition): Need {
  const tool = method === 'tools/call' && isObject(params) ? params['name'] : undefined;
  if (typeof tool !== 'string') return { kind: 'use', what: `post ${method} ${canonicalJson(params)}` };
  const args = (isObject(params) ? params['arguments'] : undefined) ?? {};
  if (!isObject(args)) throw noArguments(name, tool);
  const stored = typeof server === 'string' ? core.descriptors.find(registryName, tool).value : undefined;
  // Servers know exact names only, no keys of files.
  const descriptor = stored?.name === tool ? stored : undefined;
  return { kind: 'call', tool, arguments: args, descriptor, isFinal: true };
}

function noArguments(server: string, tool: string): TrestleError {
  return new TrestleError({
    code: 'invalid_arguments',
    message: `The arguments for ${JSON.stringify(tool)} of ${server} are no object, so the call was not sent.`,
    hint: 'Give params.arguments as an object.',
    server,
    execution: 'not-sent',
  });
}

function withoutDeniedTools(definition: Definition, response: JsonObject): JsonObject {
  const { result } = response;
  const tools = isObject(result) ? result['tools'] : undefined;
  if (!isObject(result) || !Array.isArray(tools)) return response;
  const shown = withoutDenied(
    definition,
    tools.map((tool: JsonValue) => (isObject(tool) ? tool : {})),
  );
  return { ...response, result: { ...result, tools: definition.tools === undefined ? tools : shown } };
}
