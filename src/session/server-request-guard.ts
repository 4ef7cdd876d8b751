/**
 * Keeps the server's own requests within bounds: early ones wait for the end of the handshake, and only so many may wait for
 * an answer at once.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { limits } from '../base/index.ts';
import type { JsonRpcId } from '../wire/index.ts';

type ServerRequest = JSONRPCMessage & { readonly id: JsonRpcId };

export interface ServerRequestGuard {
  /** `pass` to the Client, `hold` until the handshake is over (`open`), or the answer to send at once. */
  admit(message: ServerRequest, method: string, open: boolean): JSONRPCMessage | 'pass' | 'hold';
  /** The requests that were held, in order. */
  releaseEarly(): readonly ServerRequest[];
  /** An answer of the Client goes out. */
  answering(id: unknown): void;
  /** The server takes a request back; it gets no answer. */
  withdraw(id: unknown): void;
  /** Answers so far, by method; methods outside the specification under `other`. */
  answered(): Readonly<Record<string, number>>;
}

const knownMethods: ReadonlySet<string> = new Set([
  'ping',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
]);

/** A guard of one connection. */
export function createServerRequestGuard(): ServerRequestGuard {
  const unanswered = new Map<unknown, string>();
  const answered: Record<string, number> = {};
  let early: ServerRequest[] = [];
  const count = (method: string): void => {
    answered[method] = (answered[method] ?? 0) + 1;
  };
  const refuse = (id: JsonRpcId, message: string): JSONRPCMessage => {
    count('other');
    return { jsonrpc: '2.0', id, error: { code: -32603, message } };
  };
  return {
    admit(message, method, open) {
      const { id } = message;
      const name = knownMethods.has(method) ? method : 'other';
      if (!open && method === 'ping') {
        count('ping');
        return { jsonrpc: '2.0', id, result: {} };
      }
      if (!open && early.length >= limits.earlyRequests) return refuse(id, 'The handshake is not over.');
      if (unanswered.size >= limits.serverRequests) return refuse(id, 'Too many requests wait for an answer.');
      unanswered.set(id, name);
      if (open) return 'pass';
      early.push(message);
      return 'hold';
    },
    releaseEarly() {
      const held = early;
      early = [];
      return held;
    },
    answering(id) {
      const method = unanswered.get(id);
      if (method === undefined) return;
      unanswered.delete(id);
      count(method);
    },
    withdraw(id) {
      unanswered.delete(id);
    },
    answered: () => ({ ...answered }),
  };
}
