/** One raw JSON-RPC request: no session, no registry, no second try. */
import { canonicalJson } from '../base/index.ts';
import { type Core, shownProgress } from './core.ts';
import { findServer } from './find-server.ts';
import { permit } from './permission.ts';
import type { PostRequest, PostValue } from './runtime.ts';
import { startRequest } from './with-session.ts';

/** Posts the request. Rejects with a TrestleError whose `execution` says what the server may have done. */
export async function postRequest(core: Core, request: PostRequest): Promise<PostValue> {
  const definition = findServer(core, request.server);
  const { method, params = {}, id = 1 } = request;
  permit(core, { ...request, definition, need: { kind: 'use', what: `post ${method} ${canonicalJson(params)}` } });
  const work = { definition, request, subject: `${definition.name}: ${method}`, settings: core.settings() };
  using deadline = startRequest(core, work);
  const wanted = { definition, caller: request.caller ?? core.caller };
  const onProgress = shownProgress(core, request.onProgress);
  return core.connections.post(wanted, { id, method, params }, { deadline, onProgress });
}
