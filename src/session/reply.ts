/** Judges one JSON-RPC reply as it came from the wire: pure, no state. */
import {
  type Execution,
  isNumber,
  isObject,
  type JsonObject,
  type JsonValue,
  shorten,
  limits,
  TrestleError,
} from '../base/index.ts';
import type { JsonRpcId } from '../wire/index.ts';

export type JudgedReply =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | {
      readonly kind: 'error';
      readonly code: number | bigint;
      readonly message: string;
      readonly data: JsonValue | undefined;
    }
  /** Breaks JSON-RPC 2.0; `why` is a clause that follows "the answer". */
  | { readonly kind: 'broken'; readonly why: string };

/** What a message that answers one of our requests says. */
export function judgeReply(message: JsonObject): JudgedReply {
  const why = envelopeProblem(message);
  if (why !== undefined) return { kind: 'broken', why };
  const { result, error } = message;
  if (result !== undefined) {
    return isObject(result) ? { kind: 'result', result } : { kind: 'broken', why: 'has a result that is no object' };
  }
  const { code, message: text, data } = isObject(error) ? error : {};
  if (!isNumber(code)) return { kind: 'broken', why: 'has an error without a code' };
  return { kind: 'error', code, message: typeof text === 'string' ? text : '', data };
}

/** What JSON-RPC 2.0 itself has against a reply, whatever its result or error holds: a clause that follows "the answer". */
export function envelopeProblem({ jsonrpc, result, error }: JsonObject): string | undefined {
  if (jsonrpc !== '2.0') return 'is not marked "jsonrpc": "2.0"';
  if (result !== undefined && error !== undefined) return 'has both a result and an error';
  return result === undefined && error === undefined ? 'has neither a result nor an error' : undefined;
}

/** Codes by which the protocol itself says that the request was not executed; tools throw all others. */
const unexecutedCodes: ReadonlySet<number | bigint> = new Set([-32700, -32600, -32601, -32020, -32021, -32022]);

/** Whether a request that was answered with this JSON-RPC error may have been executed. */
export function executionOfRpcError(code: number | bigint): Execution {
  return unexecutedCodes.has(code) ? 'rejected' : 'unknown';
}

/** Which request an error is about. */
export interface Asked {
  readonly server: string;
  readonly method: string;
}

const hints: Readonly<Record<string, string>> = {
  [-32601]: 'The server does not know this method; a newer version of it may.',
  [-32602]: 'Check what was asked for against what the server lists and describes.',
};

/** "MissingRequiredClientCapability" (2026-07-28, basic/index, "Error Codes"). */
const missingCapabilityCode = -32021;

function lackHint({ code, data }: Extract<JudgedReply, { kind: 'error' }>): string | undefined {
  if (code !== missingCapabilityCode) return undefined;
  const required = isObject(data) && isObject(data['requiredCapabilities']) ? data['requiredCapabilities'] : {};
  const { extensions, ...others } = required;
  const names = [...Object.keys(others), ...(isObject(extensions) ? Object.keys(extensions) : [])];
  const lacking = names.length === 0 ? 'something' : shorten(names.join(', '), limits.quotedCharacters);
  return `The server needs ${lacking}, which this host does not offer; use a host that does.`;
}

/** A JSON-RPC error as our own, code, message and data kept in its details. */
export function rpcError(asked: Asked, error: Extract<JudgedReply, { kind: 'error' }>): TrestleError {
  // Servers built on the official SDK begin their words with the code that stands before them here.
  const prefix = `MCP error ${error.code}: `;
  const words = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  const said = words === '' ? '' : `: ${shorten(words, limits.quotedCharacters)}`;
  return new TrestleError({
    code: 'protocol_error',
    message: `Server "${asked.server}" answered ${asked.method} with error ${error.code}${said}`,
    hint:
      lackHint(error) ??
      hints[String(error.code)] ??
      "The words are the server's own; its documentation or its log may say more.",
    server: asked.server,
    execution: executionOfRpcError(error.code),
    details: {
      rpcCode: error.code,
      rpcMessage: error.message,
      ...(error.data === undefined ? {} : { rpcData: error.data }),
    },
  });
}

/** An answer that cannot be used; the request it belongs to fails, nothing else. */
export function brokenReply(asked: Asked, why: string): TrestleError {
  return new TrestleError({
    code: 'broken_reply',
    message: `Server "${asked.server}" answered ${asked.method} unusably: the answer ${why}.`,
    hint: 'The server breaks the protocol; look for a newer version of it, or report it to its makers.',
    server: asked.server,
    execution: 'unknown',
  });
}

/** The JSON-RPC code an error carries, if it is one of a server. */
export function rpcCodeOf(error: TrestleError): number | undefined {
  const code = error.details?.['rpcCode'];
  return error.code === 'protocol_error' && typeof code === 'number' ? code : undefined;
}

/** The id of the other type that reads the same: 1 for "1", "1" for 1. */
export function otherwiseTyped(id: JsonValue | undefined): JsonRpcId | undefined {
  if (typeof id === 'number') return String(id);
  if (typeof id !== 'string') return undefined;
  const number = Number(id);
  return String(number) === id ? number : undefined;
}
