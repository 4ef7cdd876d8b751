/** Lets the SDK's Client answer what a server asks of its own accord (initialize-era revisions). */
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { asTrestleError, isObject, type JsonObject } from '../base/index.ts';
import type { Call } from './call.ts';
import type { HostAnswers } from './host-answers.ts';

export interface ServerRequestContext {
  readonly host: HostAnswers;
  /** Our calls under way; which of them a question belongs to is not told. */
  readonly calls: Iterable<Call>;
}

/** Registers the handlers of everything that is declared; the Client answers `ping` itself and refuses the rest with -32601. */
export function answerServerRequests(client: Client, { host, calls }: ServerRequestContext): void {
  const answer = async (method: string, params: unknown, signal: AbortSignal): Promise<JsonObject> => {
    const deadlines = [...calls].map((call) => call.control.deadline);
    try {
      return await host.answer({ method, params: isObject(params) ? params : {}, signal, deadlines });
    } catch (error) {
      throw new ProtocolError(-32603, asTrestleError(error).message);
    }
  };
  for (const method of ['roots/list', 'sampling/createMessage', 'elicitation/create'] as const) {
    if (!host.knows({ method, params: {} })) continue;
    // The Client checks the shape of each answer before it sends it.
    client.setRequestHandler(
      method,
      async ({ params }, { mcpReq }) => (await answer(method, params, mcpReq.signal)) as never,
    );
  }
}
