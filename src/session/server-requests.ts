/** Answers what a server asks: roots from the configured ones, sampling and elicitation through the host's ports. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import {
  asTrestleError,
  type Clock,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  startDeadline,
  within,
} from '../base/index.ts';
import type { Call } from './call.ts';
import type { SessionPorts } from './dial-options.ts';
import { checkForm } from './form-content.ts';

/** What is declared to servers: roots always, the rest as far as the host can. */
export function clientCapabilities(ports: SessionPorts): JsonObject {
  return {
    roots: {},
    ...(ports.sample === undefined ? {} : { sampling: {} }),
    ...(ports.elicit === undefined ? {} : { elicitation: { form: {} } }),
  };
}

export interface ServerRequestContext {
  readonly server: string;
  readonly ports: SessionPorts;
  readonly clock: Clock;
  /** Our calls under way: while the host answers, it is the host that is slow, not the server. */
  readonly calls: Iterable<Call>;
}

/** Registers the handlers of everything that is declared; the Client answers `ping` itself and refuses the rest with -32601. */
export function answerServerRequests(client: Client, context: ServerRequestContext): void {
  const { server, ports } = context;
  client.setRequestHandler('roots/list', () => ({
    roots: ports.roots().map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) || path })),
  }));
  const { sample, elicit } = ports;
  if (sample !== undefined) {
    client.setRequestHandler('sampling/createMessage', async (request, ctx) => {
      const answer = askHost(context, { method: request.method, signal: ctx.mcpReq.signal }, (signal) =>
        sample(server, request.params as unknown as JsonObject, signal),
      );
      // The Client checks the shape before it sends it.
      return (await answer) as never;
    });
  }
  if (elicit !== undefined) {
    client.setRequestHandler('elicitation/create', async (request, ctx) => {
      const params = request.params as unknown as JsonObject;
      const answer = await askHost(context, { method: request.method, signal: ctx.mcpReq.signal }, (signal) =>
        elicit(server, params, signal),
      );
      if (answer.action !== 'accept') return { action: answer.action };
      const checked = checkForm(params['requestedSchema'], isObject(answer.content) ? answer.content : {});
      if (!checked.ok) throw new ProtocolError(-32603, `The answer does not fit the form: ${checked.problem}.`);
      return { action: 'accept', content: checked.content as Record<string, string> };
    });
  }
}

interface HostQuestion {
  readonly method: string;
  /** Aborts when the server takes its question back, and when the session ends. */
  readonly signal: AbortSignal;
}

/** The port's answer within its limit; a failure is told to the server without its text, which may hold what it must not see. */
async function askHost<T extends JsonValue | object>(
  context: ServerRequestContext,
  question: HostQuestion,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const subject = `${context.server}: ${question.method}`;
  const waiting = [...context.calls];
  for (const call of waiting) call.control.deadline.allow(limits.portAnswerMs);
  using deadline = startDeadline({
    clock: context.clock,
    idleMs: limits.portAnswerMs,
    totalMs: limits.portAnswerMs,
    signal: question.signal,
    subject,
    server: context.server,
  });
  try {
    return await within(deadline, ask(deadline.signal));
  } catch (error) {
    throw new ProtocolError(-32603, `The host could not answer (${asTrestleError(error).code}).`);
  } finally {
    for (const call of waiting) call.control.deadline.renew();
  }
}
